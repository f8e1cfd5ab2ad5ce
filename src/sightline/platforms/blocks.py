"""A page of blocks (headings, lists, tables) as markdown, and which part of it rests on which source."""

from collections.abc import Iterable, Sequence
from itertools import islice

from sightline.platforms.models import Span

# Every row is filled up to the widest: two long lists, one of cells and one of rows, would multiply.
_MOST_COLUMNS = 40


class Page:
    """Written from top to bottom; every piece of it has a span."""

    def __init__(self) -> None:
        # Pieces, not one text that grows: a long page would be copied once for every piece of it.
        self._pieces: list[str] = []
        self._length = 0

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def mark(self) -> int:
        """A place to remember, for `since`."""
        return len(self._pieces)

    def since(self, mark: int) -> tuple[str, Span] | None:
        """What was written after the mark, and where it stands."""
        pieces = self._pieces[mark + (1 if mark else 0) :]  # without the gap before it
        text = "".join(pieces)
        return (text, Span(self._length - len(text), self._length)) if text else None

    def paragraph(self, text: str) -> Span:
        return self._write(text, "\n\n")

    def heading(self, text: str) -> Span:
        return self._write(f"### {text.strip()}", "\n\n")

    def item(self, text: str, *, indent: int, first: bool) -> Span:
        """`first` starts a list of its own; an item below another one never does."""
        return self._write(f"{'  ' * indent}- {text.strip()}", "\n\n" if first else "\n")

    def table(self, rows: Sequence[Sequence[str]]) -> Span:
        """The first row is the header. Columns that no reader would look at are left out."""
        width = min(max(len(row) for row in rows), _MOST_COLUMNS)
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
    # A line break or a bar inside of a cell would end it.
    written = [" ".join(cell.split()).replace("|", "\\|") for cell in islice(cells, width)]
    return f"| {' | '.join([*written, *[''] * (width - len(written))])} |"
