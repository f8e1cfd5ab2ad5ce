"""Answers that began to name the brand since the previous Full Check, and answers that stopped. Pure."""

from collections.abc import Sequence

from sightline.reports.weekly.models import MovedCell, Movement
from sightline.scoreboard.schemas import Board, BoardPrompt

_MAX_LISTED = 8
_VALID = frozenset({"named", "cited_only", "absent"})


def find_movement(previous: Board | None, board: Board) -> tuple[Movement, Movement]:
    """Return the cells that appeared and those that disappeared.

    They are the cells that a comparison counts as gained and lost: valid both times, in prompts that are not branded.
    """
    if previous is None:
        return Movement(0), Movement(0)
    before = {
        (prompt.prompt_id, cell.platform): cell.state == "named"
        for prompt in _list_counted_prompts(previous)
        for cell in prompt.cells
        if cell.state in _VALID
    }
    appeared: list[MovedCell] = []
    disappeared: list[MovedCell] = []
    for prompt in _list_counted_prompts(board):
        for cell in prompt.cells:
            was = before.get((prompt.prompt_id, cell.platform))
            if cell.state not in _VALID or was is None or was == (cell.state == "named"):
                continue
            moved = MovedCell(
                prompt=prompt.prompt,
                platform=cell.platform,
                country=prompt.country_iso_2,
                answer_id=cell.answer_id,
            )
            (disappeared if was else appeared).append(moved)
    return _build_movement(appeared), _build_movement(disappeared)


def _build_movement(moved: Sequence[MovedCell]) -> Movement:
    return Movement(len(moved), tuple(moved[:_MAX_LISTED]))


def _list_counted_prompts(board: Board) -> list[BoardPrompt]:
    return [prompt for prompt in board.prompts if board.only_branded or not prompt.branded]
