"""The topics of prompts: groups of prompts that ask about the same thing, each with a name. Pure.

English prompts are grouped by meaning, other prompts by the content word that most of them share.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from sightline.answers.characters import fold
from sightline.answers.english_nouns import singularize
from sightline.answers.phrase_encoder import cluster_texts, load_encoder
from sightline.answers.tokens import words
from sightline.answers.word_lists import read_list
from sightline.insights.questions.market_nouns import contains_phrase, split_runs
from sightline.scans.models import ScanPrompt

_ENGLISH = "en"
_LANGUAGES = frozenset({"en", "de", "fr", "es"})
_MIN_LENGTH = 3  # letters; in scripts without spaces, two characters are a word
_MAX_WORDS = 4  # of a topic's name
_FITS = 0.2  # cosine of a topic's name and a prompt that does not contain it
# Words used in every market: sharing them does not make two questions similar.
_WORDS_OF_ANY_MARKET = """
    alternative alternatives app apps best brand brands buy cheap cheapest choice choose companies company compare
    compared comparison cost costs difference free guide list option options popular price prices pricing product
    products provider providers rating ratings recommend recommended review reviews service services site software
    solution solutions tool tools top under versus website worth year years
    beste besten vergleich preis preise test erfahrungen anbieter kosten empfehlung
    meilleur meilleure meilleurs meilleures prix avis comparatif mejor mejores precio precios opiniones
"""
_ANY_MARKET = frozenset(_WORDS_OF_ANY_MARKET.split())


def content_words(text: str, language: str | None) -> frozenset[str]:
    """Return the folded words that carry the subject: no stop words, numbers or words used in every market."""
    found = [fold(word).removesuffix("'s") for word in words(text)]
    long = {word for word in found if len(word) >= _MIN_LENGTH and not word.isdigit()}
    pairs = {one + other for one, other in pairwise(found) if len(one) == len(other) == 1}
    return frozenset((long | {pair for pair in pairs if pair.isalpha()}) - _stop_words(language) - _ANY_MARKET)


def topic_words(text: str, language: str | None) -> frozenset[str]:
    """Return the content words, in English in the singular: "anvils" and "anvil" are one topic."""
    found = content_words(text, language)
    return frozenset(map(singularize, found)) if language == _ENGLISH else found


def name_topics(prompts: Sequence[ScanPrompt]) -> Mapping[str, str]:
    """Return the topic of each prompt by its id. A prompt without content words has none."""
    english = [prompt for prompt in prompts if prompt.language == _ENGLISH]
    named = _name_by_meaning(english)
    by_language: dict[str | None, list[ScanPrompt]] = {}
    for prompt in prompts:
        if prompt.language != _ENGLISH:
            by_language.setdefault(prompt.language, []).append(prompt)
    for group in by_language.values():
        named |= _name_by_words(group)
    return named


def _name_by_meaning(prompts: Sequence[ScanPrompt]) -> dict[str, str]:
    """Name each group of two prompts or more, where a phrase fits all of its prompts."""
    texts = [prompt.text for prompt in prompts]
    named: dict[str, str] = {}
    for group in cluster_texts(texts):
        own = [texts[place] for place in group]
        if len(group) > 1 and (name := _find_name(own, texts)) is not None:
            named.update({prompts[place].id: _restore_case(name, own) for place in group})
    return named


def _find_name(group: Sequence[str], every: Sequence[str]) -> str | None:
    """Return the noun phrase of the group that is nearest in meaning to its prompts.

    Each prompt has to contain the phrase or to be similar to it, leaving out what all prompts share. A phrase that most
    prompts of the domain contain does not distinguish groups, so it is used only if nothing else fits.
    """
    import numpy as np  # heavy, and needed only once something is compared

    phrases = _list_phrases(group)
    if not phrases:
        return None
    encoder = load_encoder()
    shared = encoder.embed(every).mean(0)
    prompts, wordings = encoder.embed(group) - shared, encoder.embed(phrases) - shared
    lengths = np.outer(np.linalg.norm(wordings, axis=1), np.linalg.norm(prompts, axis=1))
    alike = (wordings @ prompts.T) / np.maximum(lengths, 1e-9)
    fitting: list[tuple[bool, float, str]] = []
    for phrase, likeness in zip(phrases, alike, strict=True):
        contained = [contains_phrase(text, phrase) for text in group]
        if all(there or like >= _FITS for there, like in zip(contained, likeness, strict=True)):
            is_common = 2 * sum(contains_phrase(text, phrase) for text in every) > len(every)
            fitting.append((not is_common, float(likeness.mean()) + sum(contained) / len(group), phrase))
    return max(fitting, default=(False, 0.0, None))[2]


def _list_phrases(group: Sequence[str]) -> list[str]:
    """List the noun phrases of a group, and the ends of phrases that several of its prompts contain."""
    runs = {run[-_MAX_WORDS:] for text in group for run in split_runs(text)}
    ends = {" ".join(run[-length:]) for run in runs for length in range(1, len(run))}
    shared = {end for end in ends if sum(contains_phrase(text, end) for text in group) > 1}
    return sorted(shared | {" ".join(run) for run in runs})


def _restore_case(phrase: str, texts: Sequence[str]) -> str:
    """Write the phrase as the first prompt that contains it does."""
    found = (re.search(re.escape(phrase), text, re.IGNORECASE) for text in texts)
    return next((match[0] for match in found if match), phrase)


def _name_by_words(prompts: Sequence[ScanPrompt]) -> dict[str, str]:
    """Name each prompt by the content word that it shares with most other prompts, in the prompt's own spelling."""
    found = {prompt.id: content_words(prompt.text, prompt.language) for prompt in prompts}
    counted = Counter(word for own in found.values() for word in own)
    named: dict[str, str] = {}
    for prompt in prompts:
        written = {fold(word): word for word in words(prompt.text)}
        own = [word for word in found[prompt.id] if word in written]
        if own:
            named[prompt.id] = written[max(own, key=lambda word: (counted[word], word))]
    return named


@cache
def _stop_words(language: str | None) -> frozenset[str]:
    own = read_list("stop_words", language) if language in _LANGUAGES else frozenset()
    return frozenset(fold(word) for word in own | read_list("stop_words", "en"))
