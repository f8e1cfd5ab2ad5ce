"""The language of an answer. Sentences only: two words tell nobody anything."""

from functools import cache
from typing import Any

_ENOUGH = 20
_SAMPLE = 2_000


@cache
def _classifier() -> Any:
    import py3langid  # half a second to load, and most answers never need it

    return py3langid


def detect_language(text: str) -> str | None:
    sample = text[:_SAMPLE]
    if sum(character.isalpha() for character in sample) < _ENOUGH:
        return None
    found: str = _classifier().classify(sample)[0]
    return found
