"""Heads of lists and tables that are not names: labels, places, months, the platforms themselves."""

from functools import cache

from sightline.answers.word_lists import read_list


@cache
def _starts() -> tuple[str, ...]:
    return tuple(f"{start} " for start in read_list("generic_heads", "starts"))


@cache
def _phrases() -> frozenset[str]:
    return read_list("generic_heads", "phrases") | read_list("generic_heads", "platforms")


def is_generic(folded: str) -> bool:
    """Return whether it is a label rather than a name, or the name of an AI platform."""
    if folded in _phrases():
        return True
    return folded.startswith(_starts()) if " " in folded else folded in read_list("generic_heads", "words")


def is_place_or_month(folded: str) -> bool:
    return folded in read_list("generic_heads", "places and months")
