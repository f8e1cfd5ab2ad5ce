"""An answer's text as lines and pieces, and its sources as links. Nothing here makes markup: the template escapes it.

Of what platforms write, only headings, points, tables, bold and links are understood, and of these only the marks go:
every word of the answer stays, in its place.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import urlsplit

from sightline.answers.models import Brand
from sightline.platforms.models import Source
from sightline.scans.schemas.answer import Answer, AnswerBrand

COLORS = 8
"""As many competitors have a colour of their own; the next one begins again."""


_LINE_MARK = re.compile(r"[ \t]*(?:(#{1,6})|([-*+•])|(?=\d{1,3}[.)][ \t]))[ \t]*")
# A label may be a number in brackets of its own, as some platforms write: [[1]](https://acme.com).
_INLINE = re.compile(r"\*\*|\[(\[\d{1,3}\]|[^\[\]\n]{1,500})\]\((https?://[^\s()<>\"]{1,2000})\)")
_TABLE_RULE = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*")
_CELL = re.compile(r"(?:\\.|[^\\|])+|(?<=\|)(?=\|)")


class Piece(NamedTuple):
    """`look` is the class of the brand that the piece names; empty: it names none. `url`: it is a link."""

    text: str
    look: str = ""
    name: str = ""
    bold: bool = False
    url: str | None = None
    anchor: str = ""
    """Where a link to the answer leads: the first place that names the measured brand."""
    cell: int = 0
    """In which column of a table's row."""


class Line(NamedTuple):
    """`kind` is "heading", "point" or "text", or in a table "head" or "row"."""

    kind: str
    pieces: list[Piece]


class _Run(NamedTuple):
    """A part of the text between two marks."""

    start: int
    end: int
    bold: bool
    url: str | None


class SeenBrand(NamedTuple):
    brand: AnswerBrand
    look: str


class SourceLink(NamedTuple):
    """`url` is None where the address is none that a browser should open."""

    url: str | None
    title: str
    host: str
    look: str
    owner: str


def look_of(place: int) -> str:
    """Of the competitor at this place, from 1 on; 0 is the measured brand."""
    return f"rival-{(place - 1) % COLORS + 1}" if place else "own"


_ANY = look_of(COLORS)
"""Of a name that is not among the measured ones any more."""


def list_brands(answer: Answer, looks: Mapping[str, str]) -> list[SeenBrand]:
    return [SeenBrand(brand, looks.get(brand.name, _ANY)) for brand in answer.brands]


def split_text(answer: Answer, looks: Mapping[str, str]) -> list[Line]:
    """In the order of the text. Where two brands stand in one place, the one that begins first has it."""
    lines: list[Line] = []
    at, spans = 0, sorted(_spans(answer))
    written = answer.text.splitlines(keepends=True)
    for raw, following in zip_longest(written, written[1:], fillvalue=""):
        end = at + len(raw.rstrip("\r\n"))
        kind = _row_kind(raw, following, lines[-1].kind if lines else "")
        if kind:
            pieces = [
                piece._replace(cell=number)
                for number, cell in enumerate(_cells(answer.text, at, end))
                for piece in _pieces(answer, *cell, spans, looks) or [Piece("")]
            ]
            lines.append(Line(kind, pieces))
        elif not _is_rule(raw, lines):
            kind, begin = _kind_of(raw)
            lines.append(Line(kind, _pieces(answer, at + begin, end, spans, looks)))
        at += len(raw)
    _anchor_first(lines)
    return lines


def _row_kind(line: str, following: str, before: str) -> str:
    """A table begins with a line above a rule, and goes on as long as lines have columns."""
    if "|" not in line or _TABLE_RULE.fullmatch(line.rstrip("\r\n")):
        return ""
    if _TABLE_RULE.fullmatch(following.rstrip("\r\n")):
        return "head"
    return "row" if before in {"head", "row"} else ""


def _is_rule(line: str, lines: Sequence[Line]) -> bool:
    return bool(lines) and lines[-1].kind == "head" and _TABLE_RULE.fullmatch(line.rstrip("\r\n")) is not None


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The columns of a row, without the marks around the row and the white space around a column."""
    outer = text[start:end]
    start += len(outer) - len(outer.lstrip(" \t").removeprefix("|"))
    for cell in _CELL.finditer(text, start, end):
        inner = cell[0].strip(" \t")
        if inner or cell.end() < end:
            begin = cell.start() + len(cell[0]) - len(cell[0].lstrip(" \t"))
            yield begin, begin + len(inner)


def _pieces(
    answer: Answer, start: int, end: int, spans: Sequence[tuple[int, int, int]], looks: Mapping[str, str]
) -> list[Piece]:
    runs = _runs(answer.text, start, end)
    return [piece for run in runs for piece in _color(answer, run, spans, looks)]


def _anchor_first(lines: Sequence[Line]) -> None:
    for line in lines:
        for place, piece in enumerate(line.pieces):
            if piece.look == "own":
                line.pieces[place] = piece._replace(anchor="named")
                return


def _kind_of(line: str) -> tuple[str, int]:
    """And where its words begin. `**bold**` at the beginning is no point, and a number stays where it is."""
    mark = _LINE_MARK.match(line)
    if mark is None or line.lstrip().startswith("**"):
        return "text", 0
    heading, bullet = mark.groups()
    if (heading or bullet) and mark[0][-1] not in " \t":
        return "text", 0
    return ("heading", mark.end()) if heading else ("point", mark.end()) if bullet else ("text", 0)


def _runs(text: str, start: int, end: int) -> Iterator[_Run]:
    """The parts of one line. A bold mark without its twin is a part of the text like any other."""
    twins = text.count("**", start, end) // 2 * 2
    at, bold, seen = start, False, 0
    for mark in _INLINE.finditer(text, start, end):
        if mark[1] is None and seen == twins:
            continue
        yield _Run(at, mark.start(), bold, None)
        if mark[1] is None:
            bold, seen = not bold, seen + 1
        else:
            yield _Run(*mark.span(1), bold, mark[2])
        at = mark.end()
    yield _Run(at, end, bold, None)


def _color(
    answer: Answer, run: _Run, spans: Sequence[tuple[int, int, int]], looks: Mapping[str, str]
) -> Iterator[Piece]:
    at = run.start
    for first, last, place in spans:
        start, end = max(first, at), min(last, run.end)
        if start >= end:
            continue
        if start > at:
            yield Piece(answer.text[at:start], bold=run.bold, url=run.url)
        name = answer.brands[place].name
        yield Piece(answer.text[start:end], looks.get(name, _ANY), name, run.bold, run.url)
        at = end
    if at < run.end:
        yield Piece(answer.text[at : run.end], bold=run.bold, url=run.url)


def _spans(answer: Answer) -> Iterator[tuple[int, int, int]]:
    for place, brand in enumerate(answer.brands):
        for found in brand.occurrences:
            if found.start < found.end:
                yield found.start, found.end, place


def list_links(sources: Sequence[Source], tracked: Sequence[Brand], looks: Mapping[str, str]) -> list[SourceLink]:
    return [_link(source, tracked, looks) for source in sources]


def _link(source: Source, tracked: Sequence[Brand], looks: Mapping[str, str]) -> SourceLink:
    host = _host(source.url)
    owner = next((brand.name for brand in tracked if _owns(brand, host)), "")
    return SourceLink(
        url=source.url if host else None,
        title=source.title or source.url,
        host=host,
        look=looks.get(owner, _ANY) if owner else "",
        owner=owner,
    )


def _host(url: str) -> str:
    """Empty for everything but a web address."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").removeprefix("www.") if parts.scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def _owns(brand: Brand, host: str) -> bool:
    return bool(host) and any(host == domain or host.endswith(f".{domain}") for domain in brand.domains)
