"""The market of a brand: competitors, overall or on one platform, and the sites that answers cite."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from sightline.answers.models import SITE_TYPE_MEANING
from sightline.kit.rounding import round_half_away
from sightline.mcp.source import CurrentSource, Source
from sightline.mcp.tables import Cell, Column, Table, build_whole_table, name_column
from sightline.mcp.toolbox import Cursor, DomainId, ToolOutput, tool
from sightline.mcp.tools.visibility import describe_prompts, describe_valid, list_cautions
from sightline.metrics.intervals import wilson_interval

_MAX_PAGES = 10
_RANKING: tuple[Column, ...] = (
    name_column("brand"),
    name_column("is_own", "True for the measured brand."),
    name_column("place", "Rank by Visibility Score.", metric="market_position"),
    name_column("best_place", "Best place in the 95% range.", metric="market_position"),
    name_column("worst_place", "Worst place in the 95% range.", metric="market_position"),
    name_column("visibility_score", metric="visibility_score"),
    name_column("low", "Lower end of its 95% range.", metric="visibility_score"),
    name_column("high", "Upper end of its 95% range.", metric="visibility_score"),
    name_column("mentions", "Answers that name the brand.", metric="ai_mentions"),
    name_column("n", "Valid answers.", unit="answers"),
    name_column("share_of_voice_pct", metric="share_of_voice_pct"),
    name_column("null_reason"),
)
_ON_PLATFORM: tuple[Column, ...] = (
    name_column("brand"),
    name_column("is_own", "True for the measured brand."),
    name_column("coverage_pct", "Share of answers that name the brand.", metric="brand_coverage_pct"),
    name_column("low", "Lower end of its 95% range.", metric="brand_coverage_pct"),
    name_column("high", "Upper end of its 95% range.", metric="brand_coverage_pct"),
    name_column("mentions", "Answers that name the brand.", metric="ai_mentions"),
    name_column("n", "Valid answers of the platform.", unit="answers"),
)
_SOURCES: tuple[Column, ...] = (
    name_column("site"),
    name_column("type", SITE_TYPE_MEANING),
    name_column("answers", "Answers that cite it.", unit="answers"),
    name_column("share_pct", "Share of all valid answers.", unit="percent"),
    name_column("pages", "Number of different pages that are cited.", unit="count"),
    name_column("is_own", "Whether it belongs to the brand."),
    name_column("is_competitor", "Whether it belongs to a competitor."),
)


class Competitors(ToolOutput):
    platform: Annotated[str | None, Field(description="Null for all platforms together.")]
    over: str
    ranking: Table


class Sources(ToolOutput):
    over: str
    sources: Table


@tool("List competitors", "read_analytics")
async def list_competitors(
    source: CurrentSource,
    domain_id: DomainId,
    platform: Annotated[
        str | None, Field(description="Key of a platform, such as perplexity, to rank by its answers alone.")
    ] = None,
) -> Competitors:
    """Rank a tracked brand and its competitors: by Visibility Score over all platforms, or by coverage on one.

    Use it for "who leads?", "who leads on Perplexity?" and "how far behind are we?". If the ranges of two brands
    overlap, say that they are not clearly apart. For changes, call compare_periods instead.
    """
    reply = await source.call("read_analytics", path={"domain_id": domain_id})
    board = reply.data
    notes = [*reply.notes, *list_cautions(board)]
    if platform is None:
        rows = [_to_rank(row) for row in board["competitors"]]
        over = f"the answers of the latest Full Check on all platforms to {describe_prompts(board)}"
        return Competitors(platform=None, over=over, ranking=build_whole_table(_RANKING, rows), notes=notes)
    known = [row["platform"] for row in board["platforms"]]
    if platform not in known:
        notes.append(f"The checks do not ask {platform}. They ask: {', '.join(known) or 'nothing yet'}.")
    counts, valid, complete = await _count_on_platform(source, domain_id, platform)
    if not complete:
        notes.append(f"Only the newest {valid} answers of the platform were counted.")
    brands = [(row["name"], row["is_own"]) for row in board["competitors"]]
    rows = [_to_count(name, counts[""] if is_own else counts[name], valid, is_own=is_own) for name, is_own in brands]
    rows.sort(key=lambda row: -(row[5] if isinstance(row[5], int) else 0))
    over = f"the latest valid answers of {platform} to {describe_prompts(board)}: {valid} answers"
    return Competitors(platform=platform, over=over, ranking=build_whole_table(_ON_PLATFORM, rows), notes=notes)


async def _count_on_platform(source: Source, domain_id: str, platform: str) -> tuple[Counter[str], int, bool]:
    """Return how many answers name each competitor, the brand itself under "", out of how many, and whether of all."""
    counts: Counter[str] = Counter()
    valid, cursor = 0, None
    for _ in range(_MAX_PAGES):
        query = {"platform": platform, "counted": "headline", "cursor": cursor}
        reply = await source.call("list_answers", path={"domain_id": domain_id}, query=query)
        for answer in reply.data:
            valid += 1
            counts.update(set(answer["competitors"]))
            counts[""] += bool(answer["mentioned"])
        cursor = reply.next_cursor
        if cursor is None:
            return counts, valid, True
    return counts, valid, False


def _to_count(name: str, named: int, valid: int, *, is_own: bool) -> list[Cell]:
    if not valid:
        return [name, is_own, None, None, None, None, 0]
    interval = wilson_interval(named, valid)
    ends = (_to_percent(interval.low), _to_percent(interval.high)) if interval else (None, None)
    return [name, is_own, _to_percent(named / valid), *ends, named, valid]


def _to_percent(share: float) -> float:
    return round_half_away(round(100 * share, 9))


def _to_rank(row: Mapping[str, Any]) -> list[Cell]:
    score = row["score"]
    ranked = row["position"] is not None
    return [
        *(row["name"], row["is_own"], row["position"]),
        *((row["position_low"], row["position_high"]) if ranked else (None, None)),
        *(score["value"], score["low"], score["high"], row["mentions"], score["n"], row["share_of_voice_pct"]),
        None if ranked else "Neither named nor cited.",
    ]


@tool("List sources", "read_analytics")
async def list_sources(source: CurrentSource, domain_id: DomainId, cursor: Cursor = None) -> Sources:
    """List the sites that answers about the market of a tracked brand cite, most cited first.

    Use it for "which sites shape the answers?" and "are our own pages cited?". It is not a to-do list: for the page to
    work on first, call list_recommendations.
    """
    reply = await source.call("read_analytics", path={"domain_id": domain_id})
    valid = reply.data["valid"]
    rows: list[list[Cell]] = [
        [
            *(row["domain"], row["type"], row["answers"]),
            _to_percent(row["answers"] / valid) if valid else None,
            *(row["urls"], row["is_own"], row["is_competitor"]),
        ]
        for row in reply.data["sources"]
    ]
    return Sources(
        over=f"the latest valid answers on all platforms. {describe_valid(reply.data)}",
        sources=build_whole_table(_SOURCES, rows, cursor),
        notes=[*reply.notes, *list_cautions(reply.data)],
    )
