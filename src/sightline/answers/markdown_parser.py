"""Parses markdown: the events of the parser become prose, blocks, links and bold spans."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec
import pyromark

from sightline.answers.addresses import find_addresses
from sightline.answers.blocks import Block, BlockKind, Link, SourcePiece
from sightline.answers.characters import BLOCK_END, normalize
from sightline.answers.lost_line_breaks import restore_line_breaks

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
)
_HOST_ANCHOR = re.compile(r"(?:[^\W_A-Z][\w-]{0,62}\.){1,8}[a-z]{2,24}(?:\s?\+\d+)?")
_MARK_ANCHOR = re.compile(
    r"[\[(]*(?:\^?\d{1,3}|sources?|quellen?|fuentes?|fontes?|fonti|bronn?en?|link|источник|出典|来源|來源|출처)[\])]*"
    r"|(?:https?://|www\.)\S*",
    re.IGNORECASE,
)
_TAG = re.compile(r"<!--.{0,2000}?-->|</?[a-zA-Z][^<>]{0,2000}>|<!--", re.DOTALL)
_HREF = re.compile(r"""<a\s[^<>]{0,500}?href\s*=\s*["']?(https?://[^"'\s<>]{1,2000})""", re.IGNORECASE)
_FOOTNOTE = 1 << 20  # added to the count of hidden elements, so that one number holds both

_LONGEST_CACHED = 100  # characters

SourceRange = Mapping[str, Any]


def parse_markdown(raw: str) -> "MarkdownParser":
    """Parse an answer, with the line breaks that it has lost. The places of its pieces are those of `raw`."""
    text, added = restore_line_breaks(raw)
    parser = MarkdownParser(text)
    parser.feed(pyromark.events_with_range(text, options=_OPTIONS))
    parser.close()
    if added:
        parser.pieces = [_move(piece, added) for piece in parser.pieces]
    return parser


def _move(piece: SourcePiece, added: list[tuple[int, int]]) -> SourcePiece:
    line = bisect_right(added, piece.source_start, key=lambda each: each[0]) - 1
    moved = added[line][1] if line >= 0 else 0
    return msgspec.structs.replace(piece, source_start=piece.source_start - moved, source_end=piece.source_end - moved)


class MarkdownParser:
    """Collects the prose and its structure from the parser's events."""

    def __init__(self, raw: str) -> None:
        self.parts: list[str] = []
        self.blocks: list[Block] = []
        self.bold: list[tuple[int, int]] = []
        self.links: list[Link] = []
        self.pieces: list[SourcePiece] = []
        self._source = raw.encode()
        self._reached = 0  # bytes of the source
        self._size = 0  # characters of prose
        self._open: Block | None = None
        self._lists: list[tuple[int, bool]] = []
        self._numbered: dict[int, tuple[int, int]] = {}  # depth → the last ordered list and its next number
        self._items: list[int] = []
        self._item_opens = False
        self._groups = 0
        self._entries = 0
        self._table = (0, 0, 0)  # group, row, column
        self._bold_starts: list[int] = []
        self._link: tuple[str, int, int] | None = None
        self._hidden = 0  # inside an image, a code block or a footnote

    def feed(self, events: Iterable[tuple[Any, SourceRange]]) -> None:
        # An answer has a hundred events. Nobody else uses them, and popping an item is cheaper than reading it.
        parts, pieces = self.parts, self.pieces
        ascii_alone = self._source.isascii()
        for event, place in events:
            if event.__class__ is str:
                if event != "Rule":
                    self._write("\n", place["start"], place["end"], whole=True)
                continue
            kind, value = event.popitem()
            if kind == "Text":
                start, end = place["start"], place["end"]
                if (
                    not self._hidden
                    and start >= self._reached
                    and value.isascii()  # an entity may stand for any character
                    and (ascii_alone or len(value) == end - start)
                    and value.isprintable()
                    and "  " not in value
                    and "`" not in value
                    and (self._open is not None or not value.isspace())
                    and value
                ):  # as in `_text`, for the most frequent case: every character stands for itself
                    if self._open is None:
                        self._begin("paragraph")
                    self._reached = end
                    size = self._size
                    pieces.append(SourcePiece(size, start, end, None, len(value) != end - start))
                    parts.append(value)
                    self._size = size + len(value)
                else:
                    self._text(value, place)
            elif kind == "Start":
                tag, detail = (value, None) if value.__class__ is str else value.popitem()
                _STARTS.get(tag, _ignore)(self, detail)
            elif kind == "End":
                tag = value if value.__class__ is str else next(iter(value))
                _ENDS.get(tag, _ignore)(self)
            else:
                self._other(kind, value, place)

    def _other(self, kind: str, value: str, place: SourceRange) -> None:
        if kind in {"InlineHtml", "Html"}:
            self._html(value, place)
        elif kind == "Code":
            self._write(" ", place["start"], place["end"], whole=True)

    def close(self) -> None:
        """Close the open block."""
        if self._open is not None and self._size > self._open.start:
            self._open.end = self._size
            self.blocks.append(self._open)
            self.parts.append(BLOCK_END)
            self._size += 1
        self._open = None

    def _text(self, text: str, place: SourceRange) -> None:
        if self._hidden:
            if self._hidden >= _FOOTNOTE:
                self.links.extend(Link(url, self._size, self._size) for url, _ in find_addresses(text))
            return
        start, end = place["start"], place["end"]
        if start < self._reached:
            return  # the parser emits a row of very wide tables twice
        self._reached = end
        # Text that is not as long as its source comes from an entity, and stands for all of it.
        whole = len(text) != end - start and len(self._source[start:end].decode()) != len(text)
        plain, places = normalize(text)
        self._write(plain, start, end, places, whole=whole)

    def _write(self, text: str, start: int, end: int, places: list[int] | None = None, *, whole: bool = False) -> None:
        if self._hidden or not text:
            return
        if self._open is None:
            if text.isspace():
                return
            self._begin("paragraph")
        self.pieces.append(SourcePiece(self._size, start, end, places, whole))
        self.parts.append(text)
        self._size += len(text)

    def _html(self, text: str, place: SourceRange) -> None:
        """Add the text between tags as prose. The tags are not prose, but a link in them is a link."""
        self.links.extend(Link(match[1], self._size, self._size) for match in _HREF.finditer(text))
        plain = _TAG.sub(lambda tag: " " * len(tag[0]), text)
        if plain.isspace():
            self._write("\n" if text[:3].lower() == "<br" else "", place["start"], place["end"], whole=True)
        else:
            self._text(plain, place)

    def _begin(self, kind: BlockKind, *, level: int = 0) -> None:
        self.close()
        group, ordered = self._lists[-1] if self._lists else (0, False)
        block = Block(kind, self._size, self._size, group, depth=len(self._lists), ordered=ordered, level=level)
        if self._items and kind == "paragraph":
            block.kind, block.entry = "item", self._items[-1]
            block.opens, self._item_opens = self._item_opens, False
        self._open = block

    def start_paragraph(self, _detail: Any) -> None:
        self._begin("paragraph")

    def start_heading(self, detail: Any) -> None:
        self._begin("heading", level=int(detail["level"][1]))

    def start_list(self, first: int | None) -> None:
        """Open a list. One that continues an earlier one ("3." after a paragraph) is the same list."""
        self.close()
        depth = len(self._lists)
        known, following = self._numbered.get(depth, (0, 0))
        if first is not None and first > 1 and first == following:
            group = known
        else:
            self._groups += 1
            group = self._groups
        if first is not None:
            self._numbered[depth] = (group, first)
        self._lists.append((group, first is not None))

    def end_list(self) -> None:
        self.close()
        self._lists.pop()

    def start_item(self, _detail: Any) -> None:
        self.close()
        self._entries += 1
        self._items.append(self._entries)
        self._item_opens = True
        depth = len(self._lists) - 1
        if depth >= 0 and self._lists[depth][1]:
            group, number = self._numbered[depth]
            self._numbered[depth] = (group, number + 1)

    def end_item(self) -> None:
        self.close()
        self._items.pop()
        self._item_opens = False

    def start_table(self, _detail: Any) -> None:
        self._groups += 1
        self._table = (self._groups, 0, 0)

    def start_cell(self, _detail: Any) -> None:
        self._begin("cell")
        assert self._open is not None
        self._open.group, self._open.entry, self._open.column = self._table
        self._table = (self._table[0], self._table[1], self._table[2] + 1)

    def end_row(self) -> None:
        self._table = (self._table[0], self._table[1] + 1, 0)

    def start_bold(self, _detail: Any) -> None:
        self._bold_starts.append(self._size)

    def end_bold(self) -> None:
        start = self._bold_starts.pop()
        if not self._hidden and self._size > start:
            self.bold.append((start, self._size))

    def start_link(self, detail: Any) -> None:
        self._link = (detail["dest_url"], self._size, len(self.parts))

    def end_link(self) -> None:
        """Add a link. Of one whose anchor is only a citation mark, no prose remains."""
        if self._link is None:
            return
        url, start, index = self._link
        self._link = None
        anchor = "".join(self.parts[index:]).strip()
        if _is_mark(anchor) if len(anchor) <= _LONGEST_CACHED else _is_mark.__wrapped__(anchor):
            self.parts[index:] = [" " * len(part) for part in self.parts[index:]]
        self.links.append(Link(url, start, self._size))

    def start_image(self, _detail: Any) -> None:
        self._hidden += 1

    def end_image(self) -> None:
        self._hidden -= 1

    def start_code(self, _detail: Any) -> None:
        self.close()
        self._hidden += 1

    def end_code(self) -> None:
        self.close()
        self._hidden -= 1

    def start_footnote(self, _detail: Any) -> None:
        self.close()
        self._hidden += _FOOTNOTE

    def end_footnote(self) -> None:
        self._hidden -= _FOOTNOTE


@lru_cache(maxsize=4_096)  # the anchors of an answer recur: "site", "source", the names of sites
def _is_mark(anchor: str) -> bool:
    """Return whether an anchor is only a citation mark: a digit, "source" or a host."""
    return (_MARK_ANCHOR.fullmatch(anchor) or _HOST_ANCHOR.fullmatch(anchor)) is not None


def _ignore(*_: Any) -> None:
    """Ignore what neither is prose nor has a structure that matters, such as emphasis."""


_STARTS: dict[str, Callable[[MarkdownParser, Any], None]] = {
    "Paragraph": MarkdownParser.start_paragraph,
    "Heading": MarkdownParser.start_heading,
    "List": MarkdownParser.start_list,
    "Item": MarkdownParser.start_item,
    "Table": MarkdownParser.start_table,
    "TableCell": MarkdownParser.start_cell,
    "Strong": MarkdownParser.start_bold,
    "Link": MarkdownParser.start_link,
    "Image": MarkdownParser.start_image,
    "CodeBlock": MarkdownParser.start_code,
    "FootnoteDefinition": MarkdownParser.start_footnote,
}
_ENDS: dict[str, Callable[[MarkdownParser], None]] = {
    "Paragraph": MarkdownParser.close,
    "Heading": MarkdownParser.close,
    "TableCell": MarkdownParser.close,
    "HtmlBlock": MarkdownParser.close,
    "List": MarkdownParser.end_list,
    "Item": MarkdownParser.end_item,
    "TableRow": MarkdownParser.end_row,
    "TableHead": MarkdownParser.end_row,
    "Strong": MarkdownParser.end_bold,
    "Link": MarkdownParser.end_link,
    "Image": MarkdownParser.end_image,
    "CodeBlock": MarkdownParser.end_code,
    "FootnoteDefinition": MarkdownParser.end_footnote,
}
