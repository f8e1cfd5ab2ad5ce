"""The language of an answer. Sentences only: two words tell nobody anything."""

from functools import cache
from itertools import islice
from typing import Any

_ENOUGH = 20
_SAMPLE = 2_000


@cache
def _classifier() -> Any:
    import py3langid  # half a second to load, and most answers never need it

    return py3langid


def detect_language(text: str) -> str | None:
    sample = text[:_SAMPLE]
    if not _has_enough_letters(sample):
        return None
    found: str = _classifier().classify(sample)[0]
    return found


def _has_enough_letters(sample: str) -> bool:
    """Looks no further than it must: nearly always that is the first line."""
    letters = filter(str.isalpha, sample)
    return next(islice(letters, _ENOUGH - 1, None), None) is not None
