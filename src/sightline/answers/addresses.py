"""Bare addresses and citation marks inside of prose."""

import re
from collections.abc import Iterator

_ADDRESS = re.compile(
    r"(?:https?://|www\.)[!-~]+|(?<![\w@/.:-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}[a-z]{2,24}/[!-~]+", re.IGNORECASE
)
# Most answers have no bare address, and this is much cheaper to find out.
_HINT = re.compile(r"://|\.[a-zA-Z]{2,24}/|[wW]{3}\.")
_MARK = re.compile(
    r"[\[【](?:(?<=\[)(?:\^?\d{1,3}(?:\s?[,;-]\s?\^?\d{1,3}){0,20}|\^[\w-]{1,20})\]|(?<=【)[^】\n]{1,60}】)"
)
_TRAILING = ".,;:!?)]}>'\"*_~|"


def find_addresses(text: str) -> Iterator[tuple[str, int]]:
    """(address, place), without the punctuation of the sentence around it."""
    if _HINT.search(text):
        for match in _ADDRESS.finditer(text):
            yield _trim(match[0]), match.start()


def find_marks(text: str) -> Iterator[tuple[str, int]]:
    """(mark, place): [1], [1, 2], [^3], 【4†source】."""
    for match in _MARK.finditer(text):
        yield match[0], match.start()


def opens_with_mark(text: str) -> bool:
    return _MARK.match(text) is not None


def _trim(url: str) -> str:
    """A bracket at the end stays if it was opened inside."""
    end = len(url)
    surplus = url.count(")") - url.count("(")
    while end and url[end - 1] in _TRAILING and (url[end - 1] != ")" or surplus > 0):
        surplus -= url[end - 1] == ")"
        end -= 1
    return url[:end]
