"""Passages of an answer for people to read: every word stays as it is, and the marks of markdown go. Pure.

For display alone. Places and readings stand on the text as it was served.
"""

import re

_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)")
_CUT_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*$")
_LINE_MARKS = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[*+-][ \t]+)+", re.MULTILINE)
_TABLE_RULES = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|?)+[ \t]*$\n?", re.MULTILINE)
_MARKS = re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|`+|~~")
_BARS = re.compile(r"[ \t]*\|[ \t]*")
# Of a link whose text holds the name: what stands before the name, and what follows it.
_OPEN = re.compile(r"!?\[([^\[\]\n]*)$")
_CLOSE = re.compile(r"^([^\[\]\n]*)\]\([^()\s]*\)")


def strip_marks(text: str) -> str:
    plain = _CUT_LINK.sub(r"\1", _LINK.sub(r"\1", text))
    plain = _LINE_MARKS.sub("", _TABLE_RULES.sub("", plain))
    return _BARS.sub(" ", _MARKS.sub("", plain))


def split_plain(text: str, start: int, end: int) -> tuple[str, str, str]:
    """What stands before a place, the place itself, and what follows it."""
    before, after = _OPEN.sub(r"\1", text[:start]), _CLOSE.sub(r"\1", text[end:])
    # A mark around the name belongs to neither side, so it is cut off before both are read on their own.
    return (
        strip_marks(before.rstrip("*_`~")),
        strip_marks(text[start:end]),
        strip_marks(re.sub(r"^[*_`~]+", "", after)),
    )
