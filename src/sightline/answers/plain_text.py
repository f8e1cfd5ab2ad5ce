"""Passages of an answer without markdown, for display. Every word stays as it is.

Places and analyses always refer to the text as it was served.
"""

import re

# A label may have brackets of its own: some platforms write a source as [[5]](https://…).
_LABEL = r"!?\[((?:[^\[\]\n]++|\[[^\[\]\n]*+\])*+)\]"
_LINK = re.compile(_LABEL + r"\([^()\s]*\)")
_CUT_LINK = re.compile(_LABEL + r"\([^()\s]*$")
_LINE_MARKS = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[*+-][ \t]+)+", re.MULTILINE)
# Possessive, because "-----x" could otherwise be split into cells in exponentially many ways.
_TABLE_RULES = re.compile(r"^[ \t]*+\|?(?:[ \t]*+:?-{2,}+:?[ \t]*+\|?)++[ \t]*+$\n?", re.MULTILINE)
_MARKS = re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)|`+|~~")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# White space is read once, from its start: without that, a line of spaces would take quadratic time.
_BARS = re.compile(r"(?<![ \t])[ \t]++\|[ \t]*+|\|[ \t]*+")
# The parts of a link before and after a name inside its text.
_OPEN = re.compile(r"!?\[([^\[\]\n]*)$")
_CLOSE = re.compile(r"^([^\[\]\n]*)\]\([^()\s]*\)")


def strip_markdown(text: str) -> str:
    plain = _CUT_LINK.sub(r"\1", _LINK.sub(r"\1", text))
    plain = _LINE_MARKS.sub("", _TABLE_RULES.sub("", plain))
    return _ESCAPED.sub(r"\1", _BARS.sub(" ", _MARKS.sub("", plain)))


def split_passage(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Return what stands before a place, the place itself, and what follows it."""
    before, after = _OPEN.sub(r"\1", text[:start]), _CLOSE.sub(r"\1", text[end:])
    # A mark around the name belongs to neither side, so it is cut off before each is read on its own.
    return (
        strip_markdown(before.rstrip("*_`~")),
        strip_markdown(text[start:end]),
        strip_markdown(re.sub(r"^[*_`~]+", "", after)),
    )
