"""What changed between two Full Checks, and whether the change is real."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from sightline.mcp.figures import HEADLINE, ToolChange, ToolFigure, build_change, build_figure, compare_ranges
from sightline.mcp.source import CurrentSource, Refused, Source
from sightline.mcp.tables import Cell, Table, build_whole_table, cut_text, name_column, take_rows
from sightline.mcp.toolbox import DomainId, ToolOutput, tool
from sightline.mcp.tools.visibility import describe_board, list_cautions

_CHANGE_ROWS = 12
_COUNTED = (
    name_column(
        "kind", "coverage, platform, prompt, source and lead are about the brand; competitor is about that competitor."
    ),
    name_column("subject", "Platform, competitor, prompt or site. Null for coverage and lead."),
    name_column("before", unit="answers"),
    name_column("now", unit="answers"),
    name_column("n", "Answers that both checks have.", unit="answers"),
    name_column("delta", unit="percentage points"),
    name_column(
        "p", "Probability that chance alone causes a difference this large. 0 means very small, after rounding."
    ),
    name_column(
        "verdict",
        "up and down say whether the number rose or fell. For a competitor, up is bad news for "
        "the brand. Many changes are tested together, so each needs a smaller p than a headline "
        "figure.",
    ),
)
_CHECKS = (
    name_column("scan_id"),
    name_column("completed_at"),
    name_column("visibility_score", metric="visibility_score"),
    name_column("low", "Lower end of its 95% range.", metric="visibility_score"),
    name_column("high", "Upper end of its 95% range.", metric="visibility_score"),
    name_column("brand_coverage_pct", metric="brand_coverage_pct"),
)


class Check(BaseModel):
    scan_id: str
    completed_at: str


class FigureComparison(BaseModel):
    """A figure in both checks, and whether it changed."""

    before: ToolFigure
    now: ToolFigure
    change: Annotated[ToolChange | None, Field(description="Null if one of the two values is null.")]


class PeriodComparison(ToolOutput):
    domain_id: str
    before: Check
    now: Check
    summary: Annotated[list[str], Field(description="Sightline's own sentences, about established changes only.")]
    figures: dict[str, FigureComparison]
    details: Annotated[
        Table,
        Field(
            description="The largest changes of platforms, competitors, prompts and sources, at most 12, "
            "established ones first."
        ),
    ]
    full_checks: Annotated[Table, Field(description="Full Checks to compare, newest first.")]


@tool("Compare periods", "read_analytics")
async def compare_periods(
    source: CurrentSource,
    domain_id: DomainId,
    before: Annotated[
        date | None,
        Field(
            description="Compare with the last Full Check up to this day (UTC). Default: the Full Check before `now`."
        ),
    ] = None,
    now: Annotated[
        date | None, Field(description="Use the last Full Check up to this day (UTC). Default: the latest.")
    ] = None,
) -> PeriodComparison:
    """Compare two Full Checks of a tracked domain, and show for each figure whether it really changed.

    Use it for "did we improve since October?", "is the drop real?" and "what moved this week?". Without dates, it
    compares the two latest Full Checks. A difference whose verdict is no_clear_change is noise: say so. Do not subtract
    the figures of two get_visibility calls instead. For drops between Daily Checks, call list_alerts.
    """
    board = (await source.call("read_analytics", path={"domain_id": domain_id})).data
    checks = [point for point in reversed(board["trend"]) if point["scope"] == "full_check"]
    later, earlier = _choose(checks, before, now)
    reply = await source.call("read_analytics", path={"domain_id": domain_id}, query={"scan_id": later["scan_id"]})
    shown = reply.data
    against = _find_against(shown)
    adjacent = against in {None, earlier["scan_id"]}
    figures = {key: _compare(key, earlier, later, shown, adjacent=adjacent) for key in HEADLINE}
    summary, details = await _read_details(source, domain_id, earlier, later)
    notes = [*reply.notes, *list_cautions(shown)]
    if not adjacent:
        notes.append(
            "These checks are not consecutive, so their answers are not matched. A change is up or "
            "down only if the ranges do not overlap. Here, no_clear_change means that no change "
            "could be shown, not that there was none."
        )
    return PeriodComparison(
        domain_id=domain_id,
        before=Check(scan_id=earlier["scan_id"], completed_at=earlier["completed_at"]),
        now=Check(scan_id=later["scan_id"], completed_at=later["completed_at"]),
        summary=summary,
        figures=figures,
        details=details,
        full_checks=build_whole_table(_CHECKS, take_rows([_to_check(point) for point in checks[:_CHANGE_ROWS]])),
        notes=notes,
    )


def _choose(
    checks: Sequence[Mapping[str, Any]], before: date | None, now: date | None
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the later and the earlier check. `checks` is sorted, newest first."""
    until = [check for check in checks if now is None or check["completed_at"][:10] <= now.isoformat()]
    if not until:
        raise ToolError("No Full Check completed up to that day." if checks else "No Full Check has completed yet.")
    later = until[0]
    earlier = [check for check in until[1:] if before is None or check["completed_at"][:10] <= before.isoformat()]
    if not earlier:
        first = checks[-1]["completed_at"][:10]
        raise ToolError(f"There is no earlier Full Check to compare with. The first one completed on {first}.")
    return later, earlier[0]


def _find_against(board: Mapping[str, Any]) -> str | None:
    """Return the check that the figures of a board are compared with."""
    comparisons = (board["headline"][key]["comparison"] for key in HEADLINE)
    return next((comparison["against_scan_id"] for comparison in comparisons if comparison), None)


def _compare(
    key: str, earlier: Mapping[str, Any], later: Mapping[str, Any], board: Mapping[str, Any], *, adjacent: bool
) -> FigureComparison:
    comparison = board["headline"][key]["comparison"]
    if adjacent:
        change = build_change(key, comparison) if comparison else None
    else:
        change = compare_ranges(key, earlier[key], later[key], earlier["scan_id"])
    return FigureComparison(
        before=build_figure(key, earlier[key], "the answers of the earlier check"),
        now=build_figure(key, later[key], describe_board(board, key)),
        change=change,
    )


async def _read_details(
    source: Source, domain_id: str, earlier: Mapping[str, Any], later: Mapping[str, Any]
) -> tuple[list[str], Table]:
    """Return what Sightline found between the two checks, if these are the two latest."""
    rows: list[list[Cell]] = []
    summary: list[str] = []
    if await source.allows("read_changes"):
        try:
            found = (await source.call("read_changes", path={"domain_id": domain_id})).data
        except Refused:
            found = {"changes": None}
        changes = found["changes"]
        if changes and (changes["against_scan_id"], changes["scan_id"]) == (earlier["scan_id"], later["scan_id"]):
            summary = found["summary"]
            rows = [_to_count(change) for change in (*changes["established"], *changes["unclear"])][:_CHANGE_ROWS]
    return summary, build_whole_table(_COUNTED, take_rows(rows, 2_500))


def _to_count(change: Mapping[str, Any]) -> list[Cell]:
    subject = change["subject"] and cut_text(change["subject"], 120)
    figures = (change[name] for name in ("before", "now", "total", "delta", "p", "verdict"))
    return [change["kind"], subject, *figures]


def _to_check(point: Mapping[str, Any]) -> list[Cell]:
    score = point["visibility_score"]
    return [
        *(point["scan_id"], point["completed_at"]),
        *(score["value"], score["low"], score["high"], point["brand_coverage_pct"]["value"]),
    ]
