"""Writes a page of blocks (headings, lists, tables) as markdown, with the span of each block."""

from collections.abc import Iterable, Sequence
from itertools import islice

from sightline.platforms.models import Span

# Every row is padded to the widest: a limit keeps hostile tables from growing quadratically.
_MAX_COLUMNS = 40


class MarkdownPage:
    """A markdown text that is written from top to bottom. Every block has a span."""

    def __init__(self) -> None:
        # A list of pieces, because appending to one text would copy it for every piece.
        self._pieces: list[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def mark(self) -> int:
        """Return the current place, for `since`."""
        return len(self._pieces)

    def since(self, mark: int) -> tuple[str, Span] | None:
        """Return what was written after the mark, and its span."""
        pieces = self._pieces[mark + (1 if mark else 0) :]  # without the gap before it
        text = "".join(pieces)
        return (text, Span(self._length - len(text), self._length)) if text else None

    def paragraph(self, text: str) -> Span:
        return self._write(text, "\n\n")

    def heading(self, text: str) -> Span:
        return self._write(f"### {text.strip()}", "\n\n")

    def item(self, text: str, *, indent: int, first: bool) -> Span:
        """Add a list item. `first` starts a new list; an item below another one never does."""
        return self._write(f"{'  ' * indent}- {text.strip()}", "\n\n" if first else "\n")

    def table(self, rows: Sequence[Sequence[str]]) -> Span:
        """Add a table, whose first row is the header. Columns beyond a limit are left out."""
        width = min(max(len(row) for row in rows), _MAX_COLUMNS)
        lines = [_row(row, width) for row in rows]
        return self._write("\n".join([lines[0], _row(["---"] * width, width), *lines[1:]]), "\n\n")

    def code(self, text: str, language: str) -> Span:
        return self._write(f"```{language}\n{text}\n```", "\n\n")

    def _write(self, text: str, gap: str) -> Span:
        if self._pieces:
            self._pieces.append(gap)
            self._length += len(gap)
        self._pieces.append(text)
        self._length += len(text)
        return Span(self._length - len(text), self._length)


def _row(cells: Iterable[str], width: int) -> str:
    # A line break or a bar inside a cell would end it.
    written = [" ".join(cell.split()).replace("|", "\\|") for cell in islice(cells, width)]
    return f"| {' | '.join([*written, *[''] * (width - len(written))])} |"
