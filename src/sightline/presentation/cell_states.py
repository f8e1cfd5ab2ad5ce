"""What one answer says about the brand, as a small mark, a few words and a color of the palette."""

from typing import Protocol

import msgspec

from sightline.presentation.language import pgettext, translatable


class MarkedCell(Protocol):
    """One prompt on one platform, as far as its mark depends on it."""

    @property
    def status(self) -> str: ...
    @property
    def mentioned(self) -> bool | None: ...
    @property
    def cited(self) -> bool | None: ...
    @property
    def position(self) -> int | None: ...


class CellStyle(msgspec.Struct, frozen=True):
    """How a state is shown: `mark` fits into a small square, `color` is a field of the palette."""

    mark: str
    words: str
    color: str


CELL_STATES: dict[str, CellStyle] = {
    "first": CellStyle("{position}", translatable("named first"), "first"),
    "second": CellStyle("{position}", translatable("named second"), "second"),
    "third": CellStyle("{position}", translatable("named third"), "third"),
    "later": CellStyle("{position}", translatable("named fourth or later"), "later"),
    "unranked": CellStyle("•", translatable("named without a position: only compared, or advised against"), "unranked"),
    "cited": CellStyle("c", translatable("cited only"), "cited"),
    "absent": CellStyle("·", translatable("not mentioned"), "absent"),
    "no_surface": CellStyle(" ", translatable("no AI answer shown"), "missing"),
    "failed": CellStyle("\u00d7", translatable("failed"), "missing"),
    "unanswered": CellStyle("?", translatable("no answer"), "missing"),
}
_RANKED = {1: "first", 2: "second", 3: "third"}


def classify_position(position: int | None) -> str:
    """Return the key in `CELL_STATES` of an answer that names the brand."""
    return "unranked" if position is None else _RANKED.get(position, "later")


def classify_cell(cell: MarkedCell) -> str:
    """Return the key of the cell in `CELL_STATES`."""
    if cell.status != "ok":
        return cell.status
    if cell.mentioned:
        return classify_position(cell.position)
    return "cited" if cell.cited else "absent"


def find_mark(key: str) -> str:
    """Return the mark of a state. The letter of a cited answer is the first of its word in the reader's language."""
    return pgettext("mark of a cited answer", "c") if key == "cited" else CELL_STATES[key].mark


def format_cell_mark(cell: MarkedCell) -> str:
    return find_mark(classify_cell(cell)).format(position=cell.position)
