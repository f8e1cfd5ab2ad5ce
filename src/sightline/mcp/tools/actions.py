"""What to do next: opportunities and recommendations of a tracked domain."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from sightline.mcp.source import CurrentSource
from sightline.mcp.tables import Cell, Column, Table, build_table, cut_text, name_column, read_page
from sightline.mcp.toolbox import Cursor, DomainId, ToolOutput, tool
from sightline.mcp.tools.visibility import read_cautions

_OPPORTUNITIES: tuple[Column, ...] = (
    name_column("prompt_id"),
    name_column("prompt"),
    name_column("country", "Null if none is set."),
    name_column("opportunity_score", metric="opportunity_score"),
    name_column("gap_answers", "Answers that name other brands but not yours.", unit="answers"),
    name_column("n", "Valid answers. Null in old rows.", unit="answers"),
    name_column("winnability", "How easily a brand can enter the answer.", unit="share from 0 to 1"),
    name_column("demand", "Null if no search volume is known.", unit="share from 0 to 1"),
    name_column("low_evidence", "Fewer than three valid answers."),
    name_column("best_rival", "Other brand that is named in the most answers."),
    name_column("deciding_page", "Page that is cited in the most answers and where a brand can get listed."),
)
_RECOMMENDATIONS: tuple[Column, ...] = (
    name_column("rank", "1 is the most important.", unit="place, 1 is best"),
    name_column("action"),
    name_column("why"),
    name_column("page", "Page that the action is about. Null if it is about a site or a topic."),
    name_column("site"),
    name_column("expected_answers", "Answers of one Full Check that could change.", unit="answers"),
    name_column("low", "Lower end of its 95% range.", unit="answers"),
    name_column("high", "Upper end of its 95% range.", unit="answers"),
    name_column("effort", "low, medium or high."),
    name_column("state", "open or done."),
    name_column("effect", "What the action has changed since it was done, in words. Null if open."),
    name_column("steps"),
)


_SITE_FINDINGS: tuple[Column, ...] = (
    name_column("group", "broken, access, readable or missing."),
    name_column("state", "open, mended or ignored."),
    name_column("summary"),
    name_column("remedy"),
    name_column("page", "Null if it is about the whole site."),
    name_column("answers", "Answers of the Full Check that cite the page.", unit="answers"),
    name_column("prompts", "Prompts that it touches."),
)


class SiteFindings(ToolOutput):
    findings: Annotated[Table, Field(description="Open ones first, most important first.")]


class Opportunities(ToolOutput):
    opportunities: Table


class Recommendations(ToolOutput):
    recommendations: Annotated[Table, Field(description="Most important first.")]


@tool("List opportunities", "list_opportunities")
async def list_opportunities(source: CurrentSource, domain_id: DomainId, cursor: Cursor = None) -> Opportunities:
    """List prompts where answers name other brands but not yours, best first.

    Use it for "which questions should we go after?". For the page to work on, call list_recommendations instead.
    """
    page = await read_page(source, "list_opportunities", cursor, path={"domain_id": domain_id})
    notes = [*page.reply.notes, *await read_cautions(source, domain_id)]
    return Opportunities(opportunities=build_table(_OPPORTUNITIES, page, _to_opportunity), notes=notes)


def _to_opportunity(row: Mapping[str, Any]) -> list[Cell]:
    rival = row["best_rival"]
    pages = [page["url"] for page in row["pages"] if page["winnable"]]
    return [
        *(row["prompt_id"], cut_text(row["prompt"], 200), row["country_iso_2"], row["opportunity_score"]),
        *(row["gap_answers"], row["valid_answers"], row["winnability"], row["demand"], row["low_evidence"]),
        rival and rival["name"],
        cut_text(pages[0], 200) if pages else None,
    ]


@tool("List recommendations", "list_recommendations")
async def list_recommendations(source: CurrentSource, domain_id: DomainId, cursor: Cursor = None) -> Recommendations:
    """List what to do after the latest Full Check, most important first, with page, reason and steps.

    Use it for "what should we do?" and "which page first?". Quote the range of the expected effect, not only the best
    estimate. If a row says that nothing is significant, say so, and do not invent advice.
    """
    page = await read_page(source, "list_recommendations", cursor, path={"domain_id": domain_id})
    notes = [*page.reply.notes, *await read_cautions(source, domain_id)]
    return Recommendations(recommendations=build_table(_RECOMMENDATIONS, page, _to_recommendation), notes=notes)


def _to_recommendation(row: Mapping[str, Any]) -> list[Cell]:
    expected = row["expected"] or {"answers": None, "low": None, "high": None}
    return [
        *(row["rank"], cut_text(row["action"], 300), cut_text(row["why"], 400), row["page"], row["site"]),
        *(expected["answers"], expected["low"], expected["high"], row["effort"], row["state"]),
        row["effect"] and cut_text(row["effect"]["summary"], 300),
        [cut_text(step, 250) for step in row["steps"]],
    ]


@tool("List site findings", "list_site_findings")
async def list_site_findings(source: CurrentSource, domain_id: DomainId, cursor: Cursor = None) -> SiteFindings:
    """List what keeps answers from reading or citing the brand's own site: broken cited pages, agents kept out.

    Use it for "can AI read our site?" and "which of our cited pages are broken?". An empty list is no proof that all is
    well: the site may not have been reviewed.
    """
    page = await read_page(source, "list_site_findings", cursor, path={"domain_id": domain_id})
    return SiteFindings(findings=build_table(_SITE_FINDINGS, page, _to_site_finding), notes=list(page.reply.notes))


def _to_site_finding(row: Mapping[str, Any]) -> list[Cell]:
    return [
        *(row["group"], row["state"], cut_text(row["summary"], 300), cut_text(row["remedy"], 300)),
        *(row["page"], row["answers"], cut_text("; ".join(prompt["text"] for prompt in row["prompts"]), 300)),
    ]
