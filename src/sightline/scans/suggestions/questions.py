"""Choosing among the questions that a platform proposed those that are good prompts. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from sightline.answers.characters import fold
from sightline.answers.generic_heads import is_place_or_month
from sightline.answers.language import looks_german
from sightline.answers.models import Brand
from sightline.answers.name_words import begins_name, is_model, is_ordinary
from sightline.answers.names import Lexicon
from sightline.metrics.suggestions import is_near_duplicate
from sightline.scans.analyze_answer import names_brand

_MIN_QUESTION_LENGTH, _MAX_QUESTION_LENGTH = 12, 220
_MIN_LENGTH_OTHER_SCRIPT = 6
_MIN_WORDS = 4
_SAME_WORDS = 0.8
_SAME_OPENING = 5  # at most this many questions may begin with the same three words
_OTHER_SCRIPT = 0x0590  # from here on scripts differ in their question marks, or have none

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_NOTES = re.compile(r"\s*(?:\[\d+\]|【[^】]*】|\(\[?[\w.-]+\.[a-z]{2,}\]?\))")
_TRIM = " \t\"'“”„«»\u2018\u2019`*_,"
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")
_WORDS = re.compile(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9]+")
_COMPARES = re.compile(r"alternativ|\bvs\b|versus|compared|instead of", re.IGNORECASE)
_REPEATED = re.compile(r"\b([^\W\d_]{2,}) \1\b", re.IGNORECASE)
_UNFINISHED = re.compile(r"[\[\]{}<>|#=]|_{2,}|\.{3}|…|https?:|www\.|\bX{2,}\b|\bXYZ\b|\.[?!]")
# What an assistant says to its reader at the end of a list.
_OFFERS = re.compile(
    r"shall i |(?:should|can|may) i (?:add|continue|go on|help|provide|tailor|write)|would you like|let me know"
    r"|do you (?:want|need) me|soll ich (?:dir|ihnen|noch|mehr|weitere|sie) |möchte(?:n sie|st du)"
    r"|veux-tu|voulez-vous|souhaitez-vous|quieres que|te gustaría que|vuoi che|quer que|wil je dat",
    re.IGNORECASE,
)
# After one of these a name is mostly a place: "dentists in Leeds".
_PLACE_WORDS = frozenset(
    {
        "in", "near", "around", "across", "from", "à", "en", "au", "dans", "a", "cerca", "di", "presso", "em", "bei",
        "aus", "w", "we", "te", "naar",
    }
)  # fmt: skip
# Names that do not belong to a company: languages, standards and devices that questions mention.
_COMMON = frozenset(
    {
        "i", "mac", "ios", "android", "windows", "linux", "iphone", "ipad", "pc", "bluetooth", "wifi", "wi-fi", "gdpr",
        "dsgvo", "rgpd", "b2b", "b2c",
    }
)  # fmt: skip
_DEMONYMS = ("american", "british", "dutch", "english", "european", "french", "german", "italian", "spanish", "swiss")


def choose_questions(
    proposed: Sequence[str], brand: Brand, competitors: Sequence[Brand], *, most: int
) -> tuple[str, ...]:
    """Return the usable ones of the proposed questions, in their order.

    Questions are left out if they name the brand (they would measure themselves) or another company, repeat another
    question, or are not one complete question. No more than five may begin alike.
    """
    tracked = [Lexicon([each]) for each in (brand, *competitors)]
    german = _is_german(" ".join(proposed))
    kept: list[str] = []
    openings: Counter[str] = Counter()
    for each in proposed:
        prompt = _tidy(each)
        if not is_whole_question(prompt) or names_company(prompt, german=german):
            continue
        if any(names_brand(prompt, lexicon) for lexicon in tracked):
            continue
        opening = " ".join(_WORDS.findall(fold(prompt))[:3])
        if repeats_another(prompt, kept) or (" " in opening and openings[opening] >= _SAME_OPENING):
            continue
        openings[opening] += 1
        kept.append(prompt)
    return tuple(kept[:most])


def is_whole_question(text: str) -> bool:
    """Return whether the text is one finished question that a person could ask, as far as its form shows."""
    shortest = _MIN_LENGTH_OTHER_SCRIPT if _is_other_script(text) else _MIN_QUESTION_LENGTH
    if not shortest <= len(text) <= _MAX_QUESTION_LENGTH:
        return False
    if _UNFINISHED.search(text) or _REPEATED.search(text) or _OFFERS.match(text):
        return False
    if text.count("(") != text.count(")") or text.count('"') % 2:
        return False
    marks = sum(map(text.count, _QUESTION_MARKS))
    if _is_other_script(text):
        return marks <= 1  # Thai has no question mark, and Japanese may do without
    first = next((character for character in text if character.isalpha()), "")
    return (
        marks == 1
        and text.endswith(_QUESTION_MARKS)
        and not first.islower()
        and len(_WORDS.findall(text)) >= _MIN_WORDS
    )


def names_company(text: str, *, german: bool = False) -> bool:
    """Return whether the question seems to name a company or product: a name inside the sentence that is not a place.

    Where every word has a capital, only words that the dictionary does not have are names. In German, where every noun
    has one, only forms such as "HubSpot" and "X200" are.
    """
    words = _LATIN.findall(text) if _is_other_script(text) else _WORDS.findall(text)[1:]
    before = ["", *words]
    capitals = sum(word[0].isupper() for word in words)
    only_unknown = capitals * 2 > len(words) or _is_other_script(text)
    german = german or _is_german(text)
    compares = _COMPARES.search(text) is not None  # "alternatives à Acme"
    in_place = False
    for previous, word in zip(before, words, strict=False):
        folded = fold(word)
        in_place = not compares and (previous.lower() in _PLACE_WORDS or (in_place and previous[:1].isupper()))
        if not begins_name(word) or folded in _COMMON or is_place_or_month(folded) or folded.endswith(_DEMONYMS):
            continue
        if _has_inner_capital(word) or is_model(word):
            return True
        if not in_place and not word.isupper() and not german and not (only_unknown and is_ordinary(word)):
            return True
    return False


def _is_other_script(text: str) -> bool:
    return any(ord(character) >= _OTHER_SCRIPT for character in text if character.isalpha())


def _is_german(text: str) -> bool:
    return looks_german(f" {fold(text)} ") or any(letter in text for letter in "äöüÄÖÜß")


def _has_inner_capital(word: str) -> bool:
    """Return whether a small letter is followed by a capital: "HubSpot", "iAcme", but not "CRM-Systeme"."""
    return any(left.islower() and right.isupper() for left, right in pairwise(word)) and not is_ordinary(word)


def repeats_another(text: str, known: Iterable[str]) -> bool:
    """Return whether the text asks the same as a known question: by its letters, or by most of its words."""
    known = list(known)
    words = frozenset(_WORDS.findall(fold(text)))
    return is_near_duplicate(text, known) or any(
        len(words & other) / len(words | other) >= _SAME_WORDS
        for other in (frozenset(_WORDS.findall(fold(each))) for each in known)
        if words | other
    )


def _tidy(line: str) -> str:
    plain = _NOTES.sub("", _LINK.sub(r"\1", line)).replace("**", "").replace("__", "")
    return " ".join(plain.split()).strip(_TRIM)
