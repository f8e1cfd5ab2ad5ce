"""A part of a domain's cells, and its boards: one platform, country or language, or the prompts of a tag. Pure.

A part is measured like the whole: its plan and its answers are the input of the same functions.
"""

from collections.abc import Sequence

import msgspec

from sightline.scans.models import ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.results import build_results
from sightline.scoreboard.board import BoardInput, build_scan_board
from sightline.scoreboard.cells import assemble_cells
from sightline.scoreboard.compare import Comparisons, compare_scans
from sightline.scoreboard.completed_scans import CompletedScan
from sightline.scoreboard.prompt_scans import build_prompt_scans
from sightline.scoreboard.refresh import BoardSources, build_board
from sightline.scoreboard.schemas import Board


class CellPart(msgspec.Struct, frozen=True):
    """Which cells belong to the part. Empty fields select every cell."""

    platform: str = ""
    country: str = ""
    """A code, or `global`."""
    language: str = ""
    tagged: frozenset[str] | None = None
    """The ids of the prompts that have the chosen tag; None without a tag."""

    @property
    def is_whole(self) -> bool:
        return self == _WHOLE

    def includes_platform(self, platform: str) -> bool:
        return self.platform in ("", platform)

    def includes_prompt(self, prompt: ScanPrompt) -> bool:
        return (
            self.country in ("", prompt.country or "global")
            and self.language in ("", prompt.language)
            and (self.tagged is None or prompt.id in self.tagged)
        )

    def includes(self, prompt: ScanPrompt, platform: str) -> bool:
        return self.includes_platform(platform) and self.includes_prompt(prompt)

    def narrow_plan(self, plan: ScanPlan) -> ScanPlan:
        return msgspec.structs.replace(
            plan,
            prompts=tuple(prompt for prompt in plan.prompts if self.includes_prompt(prompt)),
            platforms=tuple(platform for platform in plan.platforms if self.includes_platform(platform)),
        )

    def narrow_answers(self, answers: Sequence[ScanAnswer]) -> list[ScanAnswer]:
        return [answer for answer in answers if self.includes(answer.prompt, answer.platform)]


_WHOLE = CellPart()


def narrow_scan(part: CellPart, completed: CompletedScan) -> CompletedScan:
    """Return the scan as if it had asked this part alone."""
    return msgspec.structs.replace(
        completed, plan=part.narrow_plan(completed.plan), answers=part.narrow_answers(completed.answers)
    )


def narrow_sources(part: CellPart, sources: BoardSources) -> BoardSources:
    """Return what the board of this part is built from. The boards of whole scans are left out."""
    prompts = {prompt.id: prompt for plan in sources.plans.values() for prompt in plan.prompts}
    cells = [cell for cell in sources.cells if part.includes(prompts[str(cell.prompt_id)], cell.platform)]
    shown = {(cell.scan_id, cell.answer_id) for cell in cells}
    return msgspec.structs.replace(
        sources,
        plan=part.narrow_plan(sources.plan),
        cells=cells,
        answers=[row for row in sources.answers if (row.scan_id, row.id) in shown],
    )


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
