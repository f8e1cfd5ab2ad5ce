"""The domains of a workspace."""

from typing import Annotated, Literal

from pydantic import Field

from sightline.mcp.source import CurrentSource
from sightline.mcp.tables import Column, Table, build_table, name_column, read_page
from sightline.mcp.toolbox import Cursor, ToolOutput, tool

_SCORE = name_column("visibility_score", "Null if not measured.", metric="visibility_score")
_COVERAGE = name_column("brand_coverage_pct", "Share of answers that name the brand.", metric="brand_coverage_pct")
_PLACE = name_column("market_position", "Rank among the tracked competitors.", metric="market_position")
_HEAD = (name_column("domain_id"), name_column("domain"), name_column("brand_name"), _SCORE, _COVERAGE, _PLACE)
_TRACKED: tuple[Column, ...] = (
    *_HEAD,
    name_column("platforms", "Platforms that its checks ask."),
    name_column("prompts", "Prompts that are asked.", unit="count"),
    name_column("last_full_check_at"),
    name_column("next_check_at"),
)
_CONSOLE: tuple[Column, ...] = (
    *_HEAD,
    name_column("scans", "Scans so far.", unit="count"),
    name_column("last_scan_at"),
)


class Domains(ToolOutput):
    kind: Literal["tracked", "console"]
    domains: Table


@tool("List domains", "list_tracked_domains", "list_domains")
async def list_domains(
    source: CurrentSource,
    kind: Annotated[
        Literal["tracked", "console"] | None,
        Field(
            description="tracked: domains that are checked on a schedule. console: domains that are scanned on "
            "request. Default: those that the key can read."
        ),
    ] = None,
    cursor: Cursor = None,
) -> Domains:
    """List the domains of the workspace with their ids.

    Use it first: most tools need a domain id. The list has no ranges, so do not judge figures or changes by it: call
    get_visibility for a tracked domain, or get_scan for a Console scan.
    """
    tracked = await source.allows("list_tracked_domains")
    chosen = kind or ("tracked" if tracked else "console")
    operation = "list_tracked_domains" if chosen == "tracked" else "list_domains"
    page = await read_page(source, operation, cursor)
    notes = page.reply.notes
    if kind is None and tracked and await source.allows("list_domains"):
        notes = [*notes, "These keys can also read Console domains: send kind=console."]
    if chosen == "tracked":
        table = build_table(
            _TRACKED,
            page,
            lambda row: [
                *(row["id"], row["domain"], row["brand_name"]),
                *(row["latest_visibility_score"], row["latest_brand_coverage_pct"], row["latest_market_position"]),
                *(row["platforms"], row["prompt_count"], row["last_full_check_at"], row["next_check_at"]),
            ],
        )
    else:
        table = build_table(
            _CONSOLE,
            page,
            lambda row: [
                *(row["id"], row["domain"], row["brand_name"]),
                *(row["latest_visibility_score"], row["latest_brand_coverage_pct"], row["latest_market_position"]),
                *(row["scan_count"], row["last_scan_at"]),
            ],
        )
    return Domains(kind=chosen, domains=table, notes=notes)
