"""Whether a word belongs to names alone, or is a word of the language, a measure or a technical term."""

import re
from functools import lru_cache

from sightline.answers.characters import fold
from sightline.answers.generic_heads import is_generic, is_place_or_month
from sightline.answers.ordinary_words import commonness
from sightline.answers.word_lists import read_list

_PARTS = re.compile(r"[-/&+.'’]")
_MODEL = re.compile(r"(?=.*\d)(?=.*[^\W\d_])[\w./+-]{3,}")
_MEASURE = re.compile(
    r"\d[\d.,]*(?:-?(?:[a-z]{1,3}|inch|piece|pack|quart|cup|hour|day|year|in-\d)s?)?\+?", re.IGNORECASE
)
_ENDINGS = ("s", "es", "ing", "ed", "er", "est", "ly")
_ENDINGS_FOR_Y = ("ies", "ier", "iest", "ily")  # "bulkier" of "bulky"
_LONGEST_ACRONYM = 5
_LONGEST_CACHED = 40


def begins_name(token: str) -> bool:
    """Return whether a word is written as a name: "Acme", "ACME", "iAcme", "3Acme"."""
    return not token.islower() and any(map(str.isupper, token))


def has_inner_capital(word: str) -> bool:
    return any(map(str.isupper, word[1:])) and not is_ordinary(word)


def is_caseless(token: str) -> bool:
    return token[0].isalpha() and token[0].lower() == token[0].upper()


def is_model(token: str) -> bool:
    """Return whether it is the number of a model: "X200", "WH-1000"."""
    return _MODEL.fullmatch(token) is not None and not is_ordinary(token)


def is_ordinary(token: str) -> bool:
    """Return whether it is a word of the dictionary, a number, a measure or a technical term rather than a name."""
    return _is_ordinary(token) if len(token) <= _LONGEST_CACHED else _is_ordinary.__wrapped__(token)


@lru_cache(maxsize=16_384)
def _is_ordinary(token: str) -> bool:
    if is_measure(token):
        return True
    folded = fold(token)
    if folded in read_list("modern_words", "words"):
        return True
    terms = read_list("generic_heads", "technical terms")
    if folded in terms or is_generic(folded) or is_place_or_month(folded):
        return True
    if token.isupper() and token.isalpha() and len(token) <= _LONGEST_ACRONYM:
        return len(token) > 3 and commonness(token) > 0
    if _MODEL.fullmatch(token):
        return any(folded.startswith(term) and folded[len(term) :].isdigit() for term in terms)
    parts = [part for part in _PARTS.split(folded) if part and not part.isdigit()]
    return all(_is_word(part) or part in terms for part in parts)


def _is_word(part: str) -> bool:
    """Return whether the dictionary has the word or a plain stem of it."""
    modern = read_list("modern_words", "words")
    return (
        len(part) <= 2
        or commonness(part) > 0
        or part in modern
        or any(part.endswith(ending) and commonness(part.removesuffix(ending)) for ending in _ENDINGS)
        or any(part.endswith(ending) and commonness(part.removesuffix(ending) + "y") for ending in _ENDINGS_FOR_Y)
    )


def is_measure(token: str) -> bool:
    """Return whether it is a number, perhaps with a unit: "15.6", "10-Piece"."""
    return token[0].isdigit() and _MEASURE.fullmatch(token) is not None
