"""Heat strips: one small square per answer that says by mark, words and colour what the answer says of the brand."""

from typing import NamedTuple

from sightline.reports.words import STATES, platform_name
from sightline.scoreboard.models import CellFacts
from sightline.scoreboard.schemas import BoardCell

_PLACES = {1: "first", 2: "second", 3: "third"}
_NOT_ASKED = "not_asked"


class Square(NamedTuple):
    """`look` is a class of the style sheet; `path` is below the domain's address, None where there is no answer."""

    mark: str
    words: str
    look: str
    path: str | None


# What a reader needs to read a strip, in the order from best to nothing.
LEGEND: tuple[Square, ...] = (
    Square("1", "named first", "first", None),
    Square("2", "named second", "second", None),
    Square("3", "named third", "third", None),
    Square("4", "named fourth or later", "later", None),
    Square("•", "named without a place", "unranked", None),
    Square("c", "cited only", "cited", None),
    Square("·", "absent", "absent", None),
    Square("\u2013", "no AI answer shown", "missing", None),
    Square("\u00d7", "failed", "missing", None),
    Square("", "not asked", "unasked", None),
)


def draw_cell(cell: BoardCell) -> Square:
    """Of a board. A cell whose latest try failed shows the answer before, and says so."""
    key = _named(cell.position) if cell.state == "named" else cell.state.removesuffix("_only")
    path = f"answers/{cell.scan_id}/{cell.answer_id}" if cell.scan_id and cell.answer_id else None
    square = _draw(cell.platform, key, cell.position, path)
    return square._replace(words=f"{square.words} (asked again later, without an answer)") if cell.stale else square


def draw_facts(facts: CellFacts, scan_id: object) -> Square:
    """Of a past check."""
    return _draw(facts.platform, key_of(facts), facts.rank, f"answers/{scan_id}/{facts.answer_id}")


def draw_nothing(platform: str) -> Square:
    return _draw(platform, _NOT_ASKED, None, None)


def key_of(facts: CellFacts) -> str:
    if facts.status != "ok":
        return facts.status
    if facts.mentioned:
        return _named(facts.rank)
    return "cited" if facts.cited else "absent"


def say_state(key: str, position: int | None) -> str:
    if key == _NOT_ASKED:
        return "not asked"
    return f"named at place {position}" if key == "later" else STATES[key].words


def _named(position: int | None) -> str:
    return "unranked" if position is None else _PLACES.get(position, "later")


def _draw(platform: str, key: str, position: int | None, path: str | None) -> Square:
    words = f"{platform_name(platform)}: {say_state(key, position)}"
    if key == _NOT_ASKED:
        return Square("", words, "unasked", None)
    mark = "\u2013" if key == "no_surface" else STATES[key].mark.format(position=position)
    return Square(mark, words, STATES[key].color, path)
