"""Heat strips: one small square for each answer, with a mark, words and a color for what it says about the brand."""

from typing import NamedTuple

from sightline.platforms.names import platform_name
from sightline.presentation.cell_states import CELL_STATES, classify_position, find_mark
from sightline.presentation.language import gettext, translatable
from sightline.presentation.numbers import format_ordinal
from sightline.scoreboard.answer_list.schemas import ListedAnswer
from sightline.scoreboard.models import CellFacts
from sightline.scoreboard.schemas import BoardCell

_NOT_ASKED = "not_asked"


class Square(NamedTuple):
    """One answer. `look` is a CSS class; `path` is below the domain's address, None without an answer.

    `words` name the platform and the state; `state` is the state alone.
    """

    mark: str
    words: str
    look: str
    path: str | None
    state: str = ""
    outline: str = ""
    """`gained` or `lost` since the check before."""


# From the best state to none.
_LEGEND: tuple[Square, ...] = (
    Square("1", translatable("named first"), "first", None),
    Square("2", translatable("named second"), "second", None),
    Square("3", translatable("named third"), "third", None),
    Square("4", translatable("named fourth or later (4, 5, 6 …)"), "later", None),
    Square("•", translatable("named without a position: only compared, or advised against"), "unranked", None),
    Square("c", translatable("cited only"), "cited", None),
    Square("·", translatable("not mentioned"), "absent", None),
    Square("\u2013", translatable("no AI answer shown"), "missing", None),
    Square("\u00d7", translatable("failed"), "missing", None),
    Square("", translatable("not asked"), "unasked", None),
)


def build_legend() -> list[Square]:
    """Build the legend of the squares, with the letter of a cited answer in the reader's language."""
    return [each._replace(mark=find_mark("cited")) if each.look == "cited" else each for each in _LEGEND]


_OUTLINES = {
    "gained": translatable("%(words)s, newly named"),
    "lost": translatable("%(words)s, no longer named"),
}


def build_cell_square(cell: BoardCell, outline: str = "") -> Square:
    """Build the square of a board's cell. If the latest attempt failed, it shows the answer before, and says so."""
    key = classify_position(cell.position) if cell.state == "named" else cell.state.removesuffix("_only")
    path = f"answers/{cell.scan_id}/{cell.answer_id}" if cell.scan_id and cell.answer_id else None
    square = _build_square(cell.platform, key, cell.position, path, is_stale=cell.stale)
    if not outline:
        return square
    words = gettext(_OUTLINES[outline], words=square.words)
    return square._replace(outline=outline, words=words, look=f"{square.look} {outline}")


def build_facts_square(facts: CellFacts, scan_id: object) -> Square:
    """Build the square of an answer of a past scan."""
    return _build_square(facts.platform, classify_facts(facts), facts.rank, f"answers/{scan_id}/{facts.answer_id}")


def build_listed_square(row: ListedAnswer) -> Square:
    """Build the square of an answer in a list, whose row links to it. Outlined if the brand was gained or lost."""
    if row.status != "ok":
        key: str = row.status
    else:
        key = classify_position(row.position) if row.mentioned else "cited" if row.cited else "absent"
    square = _build_square(row.platform, key, row.position, None)
    return square._replace(look=f"{square.look} {row.change}") if row.change else square


def build_empty_square(platform: str) -> Square:
    return _build_square(platform, _NOT_ASKED, None, None)


def classify_facts(facts: CellFacts) -> str:
    """Return the key of the answer in `CELL_STATES`."""
    if facts.status != "ok":
        return facts.status
    if facts.mentioned:
        return classify_position(facts.rank)
    return "cited" if facts.cited else "absent"


def describe_state(key: str, position: int | None) -> str:
    if key == _NOT_ASKED:
        return gettext("not asked")
    if key in {"second", "third", "later"} and position is not None:
        return gettext("named %(position)s", position=format_ordinal(position))
    return gettext(CELL_STATES[key].words)


def _build_square(platform: str, key: str, position: int | None, path: str | None, *, is_stale: bool = False) -> Square:
    state = describe_state(key, position)
    if is_stale:
        state = gettext("%(state)s (asked again later, without an answer)", state=state)
    words = gettext("%(platform)s: %(state)s", platform=platform_name(platform), state=state)
    if key == _NOT_ASKED:
        return Square("", words, "unasked", None, state)
    mark = "\u2013" if key == "no_surface" else find_mark(key).format(position=position)
    return Square(mark, words, CELL_STATES[key].color, path, state)
