"""Detection of the language of an answer. A text of a few words has none, as they would prove nothing."""

from functools import cache
from itertools import islice
from typing import Any

_MIN_LETTERS = 20
_SAMPLE = 2_000


@cache
def _classifier() -> Any:
    import py3langid  # heavy: half a second to load, and most answers never need it

    return py3langid


def detect_language(text: str) -> str | None:
    sample = text[:_SAMPLE]
    if not _has_enough_letters(sample):
        return None
    found: str = _classifier().classify(sample)[0]
    return found


def _has_enough_letters(sample: str) -> bool:
    """Return whether there are enough letters. It stops as soon as there are, mostly in the first line."""
    letters = filter(str.isalpha, sample)
    return next(islice(letters, _MIN_LETTERS - 1, None), None) is not None
