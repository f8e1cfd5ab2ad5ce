"""Restores the line breaks that a text has lost: "… for most people.Acme Mini: light.Globex Pro: quiet".

Some scrapers deliver lists in this way. An entry is a head with a colon that follows a sentence without a space. In a
line with such entries, a head also begins right after another one: "Top picks: Acme Mini: light".
"""

import re
from collections.abc import Iterator

_CAPITAL = "A-ZÀ-ÖØ-Þ"
# Before a colon: not an address, a time, or the price on a shopping card.
_HEAD = rf"\*{{0,2}}\d{{0,2}}[{_CAPITAL}](?:[^\n.:!?;$€£|]|\.(?=\d)|(?<=\bvs)\.){{1,70}}:(?![/\d])\*{{0,2}}"
_MAY_BE_GLUED = re.compile(rf"[.!?][)\"”*]{{0,3}}[{_CAPITAL}\d]")
_GLUED = re.compile(rf"[.!?][)\"”]?(?={_HEAD})")
_AFTER_CARD = re.compile(rf"\)(?={_HEAD})")
_AFTER_HEAD = re.compile(rf":\*{{0,2}}\s?(?={_HEAD})")
_BEFORE_TWO_HEADS = re.compile(rf"[.!?)]\s(?={_HEAD}\s?{_HEAD})")
# "Acme Mini Lamp$19.994.5(2k+)": a name, a price and a rating with the number of its voters.
_CARDS = re.compile(rf"[.!?]\s(?=[{_CAPITAL}\d](?:[^\n:;!?.]|\.(?!\s)){{1,200}}?\d[.,]\d\(\d[\d.,]*k?\+?\))")
_WHOLE_HEAD = re.compile(_HEAD)
_LAST_WORD = re.compile(r"(?<=\s)(?:[^\s./@]|(?<=\d)\.(?=\d)){2,}$")
_LONGEST_WORD = 40  # characters
_NEEDED = 2  # entries of a line


def restore_line_breaks(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with its entries in lines of their own, and what was added.

    That is, for each line: its first byte in the returned text, and how many bytes were added up to there.
    """
    if _MAY_BE_GLUED.search(text) is None:
        return text, []
    parts: list[str] = []
    added: list[tuple[int, int]] = []
    at = size = total = 0
    for place, mark in _find_breaks(text):
        parts += (text[at:place], mark)
        size += len(text[at:place].encode()) + len(mark)
        total += len(mark)
        added.append((size, total))
        at = place
    return "".join([*parts, text[at:]]), added


def _find_breaks(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        if not line.startswith("|"):
            yield from ((start + place, mark) for place, mark in _find_breaks_of_line(line))
        start += len(line)


def _find_breaks_of_line(line: str) -> Iterator[tuple[int, str]]:
    """Yield each place of a break and what has to stand there: the mark of an item, or a line break before a title."""
    glued = [match.end() for match in _GLUED.finditer(line) if _ends_sentence(line, match)]
    if len({_read_head(line, place) for place in glued}) < _NEEDED:
        return
    places = {*glued}
    for pattern in (_AFTER_CARD, _AFTER_HEAD, _BEFORE_TWO_HEADS, _CARDS):
        places.update(match.end() for match in pattern.finditer(line))
    ordered = sorted(places)
    for place, following in zip(ordered, [*ordered[1:], len(line)], strict=True):
        head = _read_head(line, place)
        is_title = place + len(head) >= len(line[:following].rstrip())
        yield place, "\n\n" if not head else "\n\n#### " if is_title else "\n- "


def _read_head(line: str, place: int) -> str:
    head = _WHOLE_HEAD.match(line, place)
    return head[0] if head else ""


def _ends_sentence(line: str, end: re.Match[str]) -> bool:
    """Return whether a sentence ends here, and not the first part of an address, an abbreviation or "System.IO"."""
    last = _LAST_WORD.search(line, max(0, end.start() - _LONGEST_WORD), end.start())
    return last is not None and (not last[0][0].isupper() or " " in _read_head(line, end.end()))
