"""Bare addresses and citation marks inside prose."""

import re
from collections.abc import Iterator

_ADDRESS = re.compile(
    r"(?:https?://|www\.)[!-~]+|(?<![\w@/.:-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}[a-z]{2,24}/[!-~]+", re.IGNORECASE
)
_SIGN = re.compile(r"[/wW](?:(?<=/)|[wW]{2}\.)")  # a slash or "www.", found faster if few characters can begin it
_MARK = re.compile(
    r"[\[【](?:(?<=\[)(?:\^?\d{1,3}(?:\s?[,;-]\s?\^?\d{1,3}){0,20}|\^[\w-]{1,20})\]|(?<=【)[^】\n]{1,60}】)"
)
_MARK_OPENS = ("[", "【")
_TRAILING = ".,;:!?)]}>'\"*_~|"


def find_addresses(text: str) -> Iterator[tuple[str, int]]:
    """Yield each address and its place, without the punctuation of the sentence around it.

    An address has no blank, so only the runs of text with a slash or "www." are searched: the pattern is slow.
    """
    end = 0
    while (sign := _SIGN.search(text, end)) is not None:
        start = max(end, text.rfind(" ", end, sign.start()) + 1)
        blank = text.find(" ", sign.end())
        end = blank if blank >= 0 else len(text)
        for match in _ADDRESS.finditer(text, start, end):
            yield _trim(match[0]), match.start()


def find_marks(text: str) -> Iterator[tuple[str, int]]:
    """Yield each citation mark and its place: [1], [1, 2], [^3], 【4†source】."""
    if any(opening in text for opening in _MARK_OPENS):
        for match in _MARK.finditer(text):
            yield match[0], match.start()


def opens_with_mark(text: str) -> bool:
    return text[:1] in _MARK_OPENS and _MARK.match(text) is not None


def _trim(url: str) -> str:
    """Strip trailing punctuation. A bracket at the end stays if it was opened inside the address."""
    end = len(url)
    surplus = url.count(")") - url.count("(")
    while end and url[end - 1] in _TRAILING and (url[end - 1] != ")" or surplus > 0):
        surplus -= url[end - 1] == ")"
        end -= 1
    return url[:end]
