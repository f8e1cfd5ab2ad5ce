"""Number, countability and articles of English nouns, for questions that are built from templates. Pure.

A noun phrase inflects by its last word. The lists are in `data/english_nouns.txt`; what they do not list follows the
spelling rules of English.
"""

from functools import cache
from typing import Literal

from sightline.answers.word_lists import read_list, read_table

Number = Literal["singular", "plural", "mass"]
_LISTS = "english_nouns"
_SIBILANTS = ("s", "x", "z", "ch", "sh")
_VOWELS = "aeiou"
# Letters whose names begin with a vowel sound: "an SUV", "an NDA".
_VOWEL_LETTERS = "aefhilmnorsx"


def find_number(phrase: str) -> Number:
    """Return whether the phrase is singular, plural or has no plural."""
    folded = phrase.casefold()
    head = _last_word(folded)
    if folded in _list("mass") or head in _list("mass") or head.endswith(tuple(_list("mass endings"))):
        return "mass"
    if head in _list("only plural") or head in _plurals():
        return "plural"
    if head.endswith("ing") and head not in _list("countable in ing"):
        return "mass"
    if _ends_in_plural_s(head, phrase):
        return "plural"
    return "singular"


def pluralize(phrase: str) -> str:
    """Return the plural; a phrase that is plural already, or has no plural, stays as it is."""
    if find_number(phrase) != "singular":
        return phrase
    start, head = phrase[: len(phrase) - len(_last_word(phrase))], _last_word(phrase)
    irregular = _irregular().get(head.casefold())
    if irregular:
        return start + irregular
    if head.isupper():
        return f"{phrase}s"
    if head.endswith("y") and head[-2:-1] not in _VOWELS:
        return f"{start}{head[:-1]}ies"
    return phrase + ("es" if head.endswith(_SIBILANTS) else "s")


def singularize(phrase: str) -> str:
    """Return the singular of a plural phrase; any other phrase, and a noun that is always plural, stays as it is."""
    if find_number(phrase) != "plural":
        return phrase
    start, head = phrase[: len(phrase) - len(_last_word(phrase))], _last_word(phrase)
    folded = head.casefold()
    if folded in _list("only plural"):
        return phrase
    if folded in _plurals():
        return start + _plurals()[folded]
    if folded.endswith("ies") and len(folded) > 4:
        return f"{start}{head[:-3]}y"
    if folded.endswith(("sses", "xes", "zzes", "ches", "shes")):
        return start + head[:-2]
    return start + head[:-1]


def add_article(phrase: str) -> str:
    """Return the phrase as it stands after a verb: "an espresso machine", but "earbuds" and "luggage"."""
    if find_number(phrase) != "singular":
        return phrase
    return f"{'an' if _begins_with_vowel_sound(phrase) else 'a'} {phrase}"


def _begins_with_vowel_sound(phrase: str) -> bool:
    first = phrase.split(maxsplit=1)[0]
    word = first.split("-", maxsplit=1)[0].casefold()
    if first.isupper() and len(first) <= 4 and first.isalpha():
        return word not in _list("spoken with y or w") and word[0] in _VOWEL_LETTERS
    if word in _list("silent h"):
        return True
    return word[:1] in _VOWELS and word not in _list("spoken with y or w")


def _ends_in_plural_s(head: str, phrase: str) -> bool:
    written = _last_word(phrase)
    if written.isupper():
        return False  # GPS, CMS
    if head in _list("singular in s") or head.endswith(("ss", "us", "is")):
        return False
    return len(head) > 3 and head.endswith("s")


def _last_word(phrase: str) -> str:
    return phrase.rsplit(" ", 1)[-1]


def _list(section: str) -> frozenset[str]:
    return read_list(_LISTS, section)


@cache
def _irregular() -> dict[str, str]:
    return {singular: next(iter(forms)) for singular, forms in read_table(_LISTS, "irregular").items()}


@cache
def _plurals() -> dict[str, str]:
    return {plural: singular for singular, plural in _irregular().items()}
