"""The words of a market, taken from the prompts of a scan: what an answer on that market speaks of."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from sightline.answers.characters import fold, normalize
from sightline.answers.tokens import words
from sightline.answers.word_lists import read_list

_SHORTEST = 4  # letters
_FEW_PROMPTS = 5  # with fewer prompts, all of their words count
_MOST_WORDS = 40
_FEW_WORDS = 40  # a shorter answer has no topic
_COHERENT = 0.6  # share of prompts that need a word of the market; with fewer, they ask about too many things


@lru_cache(maxsize=256)
def find_market_words(prompts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that prompts share, most frequent first. Empty if the prompts are about too many things."""
    found = [content_words(prompt) for prompt in prompts]
    counted = Counter(word for own in found for word in own)
    least = 1 if len(prompts) < _FEW_PROMPTS else 2
    shared = [word for word, count in counted.most_common() if count >= least][:_MOST_WORDS]
    covered = sum(not own.isdisjoint(shared) for own in found)
    return tuple(shared) if covered >= _COHERENT * len(prompts) else ()


def content_words(prompt: str) -> frozenset[str]:
    """Return the folded words of a prompt that carry its subject: neither short ones nor those of any question."""
    ignored = read_list("question_words", "words") | read_list("stop_words", "en")
    folded = words(fold(normalize(prompt)[0]))
    return frozenset(word for word in folded if len(word) >= _SHORTEST and not word.isdigit()) - ignored


def is_off_topic(folded: str, prompt: str, market_words: Sequence[str]) -> bool:
    """Return whether neither the prompt nor the answer speaks of the market.

    False if the market is unknown or the answer is too short to have a topic.
    """
    if not market_words or any(_opens_word(fold(word), folded) for word in market_words):
        return False
    spoken = words(folded)
    if len(spoken) < _FEW_WORDS:
        return False
    spaced = f" {' '.join(words(fold(normalize(prompt)[0])))} {' '.join(spoken)}"
    return not any(f" {fold(word)}" in spaced for word in market_words)


def _opens_word(word: str, folded: str) -> bool:
    """Return whether a word of the text certainly begins like this, without splitting the text into words."""
    return word.isascii() and word.isalnum() and f" {word}" in folded
