"""Whether a brand's name is also an ordinary word. A match of such a name needs evidence."""

from functools import cache
from importlib.resources import files

from sightline.answers.word_lists import read_list

_SHORT = 3


@cache
def _english_words() -> tuple[frozenset[str], frozenset[str]]:
    """Return words of common use, and rarer ones."""
    text = files("sightline.answers").joinpath("data", "words.txt").read_text("utf-8")
    common, _, rarer = text.partition("---\n")
    return frozenset(line for line in common.splitlines() if line[0] != "#"), frozenset(rarer.split())


@cache
def commonness(name: str) -> int:
    """Return 2 for a common word, a first name, a day or at most three letters, 1 for a rare word, else 0.

    A name of several words is at most 1: it is read as words only where it is written in lower case.
    """
    word = name.casefold()
    common, rarer = _english_words()
    parts = word.replace("-", " ").split()
    if len(parts) > 1:
        return 1 if all(part in common or len(part) <= _SHORT for part in parts) else 0
    if len(word) <= _SHORT and word.isascii() and word.isalpha():
        return 2
    names = (read_list("names_and_days", section) for section in ("first names", "calendar", "elsewhere"))
    if word in common or any(word in listed for listed in names):
        return 2
    return 1 if word in rarer or word in read_list("names_and_days", "rarer elsewhere") else 0
