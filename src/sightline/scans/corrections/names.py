"""Which words of an answer can become a name of the brand, and which phrase can exclude one. Pure."""

from collections.abc import Iterable

from sightline.answers.characters import fold, normalize
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.ordinary_words import commonness
from sightline.answers.word_lists import read_list

_MAX_NAME_WORDS = 5
_MAX_LOWER_CASE_WORDS = 2


def is_plausible_name(words: str) -> bool:
    """Return whether words look like a name: "Akme" and "eBay" do, "our company" and "They" do not."""
    parts = words.split()
    if not 0 < len(parts) <= _MAX_NAME_WORDS or not any(character.isalpha() for character in words):
        return False
    if any(mark in words for mark in "@/\\|<>"):
        return False
    stop_words = read_list("stop_words", "en")
    if parts[0].casefold() in stop_words and all(commonness(part) or part.casefold() in stop_words for part in parts):
        return False
    is_lower = words == words.lower() != words.upper()
    return not is_lower or (len(parts) <= _MAX_LOWER_CASE_WORDS and commonness(words) == 0)


def is_name_of(brand: Brand, words: str) -> bool:
    """Return whether words are one of the spellings that the brand is searched by."""
    folded = _fold(words)
    return any(pattern.text == folded for pattern in Lexicon([brand]).patterns)


def is_name_of_any(brands: Iterable[Brand], words: str) -> bool:
    return any(is_name_of(brand, words) for brand in brands)


def is_longer_phrase(phrase: str, words: str) -> bool:
    """Return whether a phrase says more than the words in it."""
    longer, shorter = ("".join(filter(str.isalnum, _fold(text))) for text in (phrase, words))
    return shorter in longer and len(longer) > len(shorter)


def _fold(text: str) -> str:
    return " ".join(fold(normalize(text)[0]).split())
