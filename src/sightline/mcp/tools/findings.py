"""Findings, alerts and weekly reports of a tracked domain."""

from collections.abc import Mapping
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from sightline.mcp.source import CurrentSource
from sightline.mcp.tables import Cell, Column, Table, build_table, build_whole_table, cut_text, name_column, read_page
from sightline.mcp.toolbox import Cursor, DomainId, ToolOutput, tool
from sightline.mcp.tools.visibility import read_cautions

_ALERTS: tuple[Column, ...] = (
    name_column("alert_id"),
    name_column("type"),
    name_column(
        "state",
        "watch: not yet confirmed by a later check. confirmed: real and still open. lapsed: it "
        "was noise. resolved: it was real and is over.",
    ),
    name_column("summary"),
    name_column("platform", "Null if it is not about one platform."),
    name_column("prompt_id", "Null if it is not about one prompt."),
    name_column("competitor", "Only for competitor_rise."),
    name_column(
        "before_pct", "Share of answers that name the brand or competitor in the previous Daily Check.", unit="percent"
    ),
    name_column("now_pct", "The same share in the Daily Check that first showed the change.", unit="percent"),
    name_column("confirmed_pct", "The same share in the Daily Check that confirmed it. Null if none.", unit="percent"),
    name_column("delta", unit="percentage points"),
    name_column("n", "Answers that both checks have.", unit="answers"),
    name_column(
        "p", "Probability that chance alone causes a change at least this large. 0 means very small, after rounding."
    ),
    name_column("watched_at"),
    name_column("confirmed_at"),
)
_REPORTS: tuple[Column, ...] = (name_column("report_id"), name_column("title"), name_column("period_end"))


_FINDINGS: tuple[Column, ...] = (
    name_column("text"),
    name_column(
        "tier", "clear: a clear change. watch: about one in five of these is chance. rest: chance explains it."
    ),
    name_column("kind", "What it is about; a finding of the kind action is the measured effect of an action."),
    name_column("direction"),
    name_column("before", unit="answers"),
    name_column("before_answers", "Answers that before is a part of.", unit="answers"),
    name_column("now", unit="answers"),
    name_column("now_answers", "Answers that now is a part of.", unit="answers"),
    name_column("period"),
    name_column("since"),
    name_column("alert_id", "The alert about the same change, if there is one."),
)


class DomainFindings(ToolOutput):
    headline: str
    findings: Annotated[Table, Field(description="The most important first.")]


class Alerts(ToolOutput):
    alerts: Annotated[Table, Field(description="Newest first. Only confirmed ones are established.")]


class WeeklyReport(ToolOutput):
    report_id: str
    title: str
    period_start: str
    period_end: str
    summary: Annotated[
        str,
        Field(
            description="Sightline's own sentences. Their ranges are for all questions like these. They are "
            "wider than the ranges of figures, which are for the same questions."
        ),
    ]
    scan_id: str
    html_url: Annotated[str, Field(description="The whole report. Needs the Data key.")]
    pdf_url: str
    reports: Annotated[Table, Field(description="Other reports, newest first.")]


@tool("List findings", "read_findings")
async def list_findings(source: CurrentSource, domain_id: DomainId) -> DomainFindings:
    """List what is worth saying about a tracked domain now, the most important first.

    Use it first for "what changed?" and "what should I tell my boss?". Repeat the tier of each finding: only clear ones
    are certain. Do not name a cause, except for the effect of an action. For figures, call get_visibility.
    """
    reply = await source.call("read_findings", path={"domain_id": domain_id})
    rows: list[list[Cell]] = [
        [cut_text(row["text"], 300), *(row[column.name] for column in _FINDINGS[1:])] for row in reply.data["findings"]
    ]
    return DomainFindings(
        headline=reply.data["headline"],
        findings=build_whole_table(_FINDINGS, rows),
        notes=[*reply.notes, *await read_cautions(source, domain_id)],
    )


@tool("List alerts", "list_alerts")
async def list_alerts(source: CurrentSource, domain_id: DomainId, cursor: Cursor = None) -> Alerts:
    """List drops and gains between Daily Checks and rises of competitors, newest first.

    Use it for "did anything happen lately?". Only confirmed alerts are established. An alert in the state watch has
    been seen once and may be noise. For the change between two weeks, call compare_periods.
    """
    page = await read_page(source, "list_alerts", cursor, path={"domain_id": domain_id})
    notes = [*page.reply.notes, *await read_cautions(source, domain_id)]
    return Alerts(alerts=build_table(_ALERTS, page, _to_alert), notes=notes)


def _to_alert(row: Mapping[str, Any]) -> list[Cell]:
    return [
        *(row["id"], row["type"], row["state"], cut_text(row["summary"], 300), row["platform"]),
        *(row["prompt_id"], row["competitor"]),
        *(row["before"]["value"], row["now"]["value"]),
        row["confirmation"] and row["confirmation"]["now"]["value"],
        *(row["delta"], row["matched_cells"], row["p"]),
        *(row["watched_at"], row["confirmed_at"]),
    ]


@tool("Get a report", "list_reports")
async def get_report(
    source: CurrentSource,
    domain_id: DomainId,
    report_id: Annotated[str | None, Field(description="Id of a report. Leave it out for the latest report.")] = None,
) -> WeeklyReport:
    """Read the summary of a weekly report, and get the addresses of the full report.

    Use it for "what did the last report say?" and for links to share within the team. For single figures with their
    ranges, call get_visibility or compare_periods instead.
    """
    path = {"domain_id": domain_id}
    page = await source.call("list_reports", path=path)
    if report_id is None and not page.data:
        raise ToolError("There is no report yet. The first report is created after the first Full Check.")
    if report_id is None:
        report = page.data[0]
    else:
        report = (await source.call("read_report", path={**path, "report_id": report_id})).data
    members = ("title", "period_start", "period_end", "summary", "scan_id", "html_url", "pdf_url")
    return WeeklyReport(
        report_id=report["id"],
        **{name: report[name] for name in members},
        reports=build_whole_table(_REPORTS, [[row["id"], row["title"], row["period_end"]] for row in page.data]),
        notes=[*page.notes, *await read_cautions(source, domain_id)],
    )
