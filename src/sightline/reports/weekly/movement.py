"""Which answers began to name the brand since the Full Check before, and which no longer do. Pure."""

from collections.abc import Sequence

from sightline.reports.weekly.models import Moved, Movement
from sightline.scoreboard.schemas import Board, BoardPrompt

_MOST_MOVED = 8
_VALID = frozenset({"named", "cited_only", "absent"})


def find_movement(previous: Board | None, board: Board) -> tuple[Movement, Movement]:
    """The cells behind "gained" and "lost": valid both times, outside of branded prompts."""
    if previous is None:
        return Movement(0), Movement(0)
    before = {
        (prompt.prompt_id, cell.platform): cell.state == "named"
        for prompt in _counted(previous)
        for cell in prompt.cells
        if cell.state in _VALID
    }
    appeared: list[Moved] = []
    disappeared: list[Moved] = []
    for prompt in _counted(board):
        for cell in prompt.cells:
            was = before.get((prompt.prompt_id, cell.platform))
            if cell.state not in _VALID or was is None or was == (cell.state == "named"):
                continue
            moved = Moved(
                prompt=prompt.prompt,
                platform=cell.platform,
                country=prompt.country_iso_2,
                answer_id=cell.answer_id,
            )
            (disappeared if was else appeared).append(moved)
    return _movement(appeared), _movement(disappeared)


def _movement(moved: Sequence[Moved]) -> Movement:
    return Movement(len(moved), tuple(moved[:_MOST_MOVED]))


def _counted(board: Board) -> list[BoardPrompt]:
    return [prompt for prompt in board.prompts if board.only_branded or not prompt.branded]
