"""The board of a part of a check's cells, and of a part of the scoreboard. Pure."""

import msgspec

from sightline.scans.results import build_results
from sightline.scoreboard.board import BoardInput, build_scan_board
from sightline.scoreboard.cells import assemble_cells
from sightline.scoreboard.compare import Comparisons, compare_scans
from sightline.scoreboard.completed_scans import CompletedScan
from sightline.scoreboard.prompt_scans import build_prompt_scans
from sightline.scoreboard.refresh import BoardSources, build_board
from sightline.scoreboard.schemas import Board
from sightline.scoreboard.subsets.part import CellPart, narrow_scan, narrow_sources


def build_check_part(part: CellPart, completed: CompletedScan, comparisons: Comparisons) -> Board:
    """Build the board of a part of one check."""
    narrowed = narrow_scan(part, completed)
    scan = completed.scan
    assert scan.completed_at is not None
    prompt_scans = build_prompt_scans(
        narrowed.answers,
        scan_id=scan.id,
        scope=scan.measurement_scope,
        answers_source=scan.answers_source,
        completed_at=scan.completed_at,
    )
    return build_scan_board(
        BoardInput(narrowed.plan, narrowed.answers),
        build_results(narrowed.plan, narrowed.answers, rivals=()),
        {cell.key: cell for cell in assemble_cells(prompt_scans)},
        scored=scan.measurement_scope == "full_check",
        comparisons=comparisons,
    )


def build_scoreboard_part(
    part: CellPart, sources: BoardSources, base: CompletedScan | None, comparisons: Comparisons
) -> Board:
    """Build the board of a part of the scoreboard. `base` is the check that it is based on, None before the first."""
    full = None if base is None else build_check_part(part, base, Comparisons())
    return build_board(msgspec.structs.replace(narrow_sources(part, sources), full=full), comparisons)


def set_site_types(part: Board, whole: Board) -> Board:
    """Return the board of a part with the types that sites have on the whole board.

    The type of an unknown site depends on all its cited pages. A part has fewer, and would call a site something else.
    """
    types = {source.domain: source.type for source in whole.sources}
    sources = (msgspec.structs.replace(each, type=types.get(each.domain, each.type)) for each in part.sources)
    return msgspec.structs.replace(part, sources=tuple(sources))


def compare_parts(part: CellPart, before: CompletedScan, now: CompletedScan) -> Comparisons:
    """Compare the same part of two checks."""
    return compare_scans(narrow_scan(part, before).to_comparable_scan(), narrow_scan(part, now).to_comparable_scan())
