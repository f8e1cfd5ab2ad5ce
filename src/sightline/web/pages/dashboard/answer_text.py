"""An answer's text as lines and segments, and its sources as links. The template escapes and marks them up.

Of the Markdown that platforms write, headings, bullets, tables, bold and links are recognized, and only their marks
are dropped: every word of the answer stays in its place.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import urlsplit

from sightline.answers.models import Brand
from sightline.platforms.models import Source
from sightline.scans.schemas.answer import Answer, AnswerBrand

COLORS = 8
"""How many competitors have a color of their own, before colors repeat."""


_LINE_MARK = re.compile(r"[ \t]*(?:(#{1,6})|([-*+•])|(?=\d{1,3}[.)][ \t]))[ \t]*")
# A label may be a number in brackets of its own, as some platforms write: [[1]](https://acme.com).
_INLINE = re.compile(r"\*\*|\[(\[\d{1,3}\]|[^\[\]\n]{1,500})\]\((https?://[^\s()<>\"]{1,2000})\)")
# All quantifiers are possessive: platforms write anything, and a line of spaces must not take quadratic time.
_TABLE_RULE = re.compile(r"[ \t]*+\|?(?:[ \t]*+:?-++:?[ \t]*+\|)++(?:[ \t]*+:?-++:?)?[ \t]*+")
_CELL = re.compile(r"(?:\\.|[^\\|])+|(?<=\|)(?=\|)")


class Segment(NamedTuple):
    """A run of text with one style. `css_class` is that of the brand it names, or empty; `url` makes it a link."""

    text: str
    css_class: str = ""
    name: str = ""
    bold: bool = False
    url: str | None = None
    anchor: str = ""
    """The anchor of the first mention of the measured brand, which links to the answer use."""
    column: int = 0
    """The column, in the row of a table."""
    place: tuple[int, int] | None = None
    """Where the mention of the measured brand that ends here stands in the answer."""


class Line(NamedTuple):
    """One line of an answer. `kind` is "heading", "point" or "text", or in a table "head" or "row"."""

    kind: str
    segments: list[Segment]
    start: int = 0
    """Where the line begins in the answer."""


class _Run(NamedTuple):
    """A part of a line between two Markdown marks."""

    start: int
    end: int
    bold: bool
    url: str | None


class _Highlight(NamedTuple):
    """A part of the answer that names a brand. No two overlap."""

    start: int
    end: int
    brand: AnswerBrand
    occurrence: tuple[int, int]
    """Where the mention stands as a whole, including what an earlier one covers."""


class HighlightedBrand(NamedTuple):
    brand: AnswerBrand
    css_class: str


class SourceLink(NamedTuple):
    """A source. `url` is None if it is not one that a browser should open."""

    url: str | None
    title: str
    host: str
    css_class: str
    owner: str


def brand_css_class(position: int) -> str:
    """Return the CSS class of the competitor at a position from 1 on, or of the measured brand at 0."""
    return f"rival-{(position - 1) % COLORS + 1}" if position else "own"


_UNKNOWN_BRAND = brand_css_class(COLORS)
"""The CSS class of a brand that is no longer measured."""


def list_brands(answer: Answer, css_classes: Mapping[str, str]) -> list[HighlightedBrand]:
    return [HighlightedBrand(brand, css_classes.get(brand.name, _UNKNOWN_BRAND)) for brand in answer.brands]


def split_text(answer: Answer, css_classes: Mapping[str, str]) -> list[Line]:
    """Return the lines of an answer. Where two brands overlap, the one that begins first is highlighted."""
    lines: list[Line] = []
    at, highlights = 0, _list_highlights(answer)
    written = answer.text.splitlines(keepends=True)
    for raw, following in zip_longest(written, written[1:], fillvalue=""):
        end = at + len(raw.rstrip("\r\n"))
        kind = _row_kind(raw, following, lines[-1].kind if lines else "")
        if kind:
            segments = [
                segment._replace(column=number)
                for number, cell in enumerate(_cells(answer.text, at, end))
                for segment in _segments(answer, *cell, highlights, css_classes) or [Segment("")]
            ]
            lines.append(Line(kind, segments, at))
        elif not _is_rule(raw, lines):
            kind, begin = _classify_line(raw)
            lines.append(Line(kind, _segments(answer, at + begin, end, highlights, css_classes), at))
        at += len(raw)
    _anchor_first_mention(lines)
    return lines


def _row_kind(line: str, following: str, before: str) -> str:
    """Return "head" for the line above a table's rule, "row" for those below it, and "" outside tables."""
    if "|" not in line or _TABLE_RULE.fullmatch(line.rstrip("\r\n")):
        return ""
    if _TABLE_RULE.fullmatch(following.rstrip("\r\n")):
        return "head"
    return "row" if before in {"head", "row"} else ""


def _is_rule(line: str, lines: Sequence[Line]) -> bool:
    return bool(lines) and lines[-1].kind == "head" and _TABLE_RULE.fullmatch(line.rstrip("\r\n")) is not None


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of a row's columns, without the marks and white space around them."""
    outer = text[start:end]
    start += len(outer) - len(outer.lstrip(" \t").removeprefix("|"))
    for cell in _CELL.finditer(text, start, end):
        inner = cell[0].strip(" \t")
        if inner or cell.end() < end:
            begin = cell.start() + len(cell[0]) - len(cell[0].lstrip(" \t"))
            yield begin, begin + len(inner)


def _segments(
    answer: Answer, start: int, end: int, highlights: Sequence[_Highlight], css_classes: Mapping[str, str]
) -> list[Segment]:
    runs = _runs(answer.text, start, end)
    return [segment for run in runs for segment in _highlight(answer, run, highlights, css_classes)]


def _anchor_first_mention(lines: Sequence[Line]) -> None:
    for line in lines:
        for index, segment in enumerate(line.segments):
            if segment.css_class == "own":
                line.segments[index] = segment._replace(anchor="named")
                return


def _classify_line(line: str) -> tuple[str, int]:
    """Return the kind of a line and where its words begin. Leading `**bold**` is not a bullet, and a number stays."""
    mark = _LINE_MARK.match(line)
    if mark is None or line.lstrip().startswith("**"):
        return "text", 0
    heading, bullet = mark.groups()
    if (heading or bullet) and mark[0][-1] not in " \t":
        return "text", 0
    return ("heading", mark.end()) if heading else ("point", mark.end()) if bullet else ("text", 0)


def _runs(text: str, start: int, end: int) -> Iterator[_Run]:
    """Yield the parts of one line. A bold mark without its counterpart is ordinary text."""
    paired = text.count("**", start, end) // 2 * 2
    at, bold, seen = start, False, 0
    for mark in _INLINE.finditer(text, start, end):
        if mark[1] is None and seen == paired:
            continue
        yield _Run(at, mark.start(), bold, None)
        if mark[1] is None:
            bold, seen = not bold, seen + 1
        else:
            yield _Run(*mark.span(1), bold, mark[2])
        at = mark.end()
    yield _Run(at, end, bold, None)


def _highlight(
    answer: Answer, run: _Run, highlights: Sequence[_Highlight], css_classes: Mapping[str, str]
) -> Iterator[Segment]:
    at = run.start
    for index in range(bisect_right(highlights, run.start, key=_end), len(highlights)):
        first, last, brand, occurrence = highlights[index]
        if first >= run.end:
            break
        start, end = max(first, at), min(last, run.end)
        if start > at:
            yield Segment(answer.text[at:start], bold=run.bold, url=run.url)
        segment = Segment(
            answer.text[start:end], css_classes.get(brand.name, _UNKNOWN_BRAND), brand.name, run.bold, run.url
        )
        yield segment._replace(place=occurrence) if brand.is_own and end == occurrence[1] else segment
        at = end
    if at < run.end:
        yield Segment(answer.text[at : run.end], bold=run.bold, url=run.url)


_end = attrgetter("end")


def _list_highlights(answer: Answer) -> list[_Highlight]:
    """Return what to highlight, in the order of the text. What two mentions share belongs to the first."""
    found = sorted(
        (each.start, each.end, index) for index, brand in enumerate(answer.brands) for each in brand.occurrences
    )
    highlights: list[_Highlight] = []
    at = 0
    for start, end, index in found:
        if max(start, at) < end:
            highlights.append(_Highlight(max(start, at), end, answer.brands[index], (start, end)))
            at = end
    return highlights


def list_links(sources: Sequence[Source], tracked: Sequence[Brand], css_classes: Mapping[str, str]) -> list[SourceLink]:
    return [_build_link(source, tracked, css_classes) for source in sources]


def _build_link(source: Source, tracked: Sequence[Brand], css_classes: Mapping[str, str]) -> SourceLink:
    host = _host(source.url)
    owner = next((brand.name for brand in tracked if _owns(brand, host)), "")
    return SourceLink(
        url=source.url if host else None,
        title=source.title or source.url,
        host=host,
        css_class=css_classes.get(owner, _UNKNOWN_BRAND) if owner else "",
        owner=owner,
    )


def _host(url: str) -> str:
    """Return the host of a web URL without `www.`, or an empty string for anything else."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").removeprefix("www.") if parts.scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def _owns(brand: Brand, host: str) -> bool:
    return bool(host) and any(host == domain or host.endswith(f".{domain}") for domain in brand.domains)
