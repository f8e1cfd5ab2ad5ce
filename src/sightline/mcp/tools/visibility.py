"""How visible a brand is: the headline figures, overall and by platform."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from sightline.mcp.figures import (
    HEADLINE,
    ChangedFigure,
    ToolFigure,
    build_changed_figure,
    build_figure,
    explain_silence,
)
from sightline.mcp.source import CurrentSource, Source
from sightline.mcp.tables import Cell, Column, Table, build_whole_table, name_column
from sightline.mcp.toolbox import DomainId, ToolOutput, tool
from sightline.metrics.registry import REGISTRY

PLATFORM_COLUMNS: tuple[Column, ...] = (
    name_column("platform"),
    name_column("n", "Valid answers that the figures are based on.", unit="count"),
    name_column("visibility_score", metric="visibility_score"),
    name_column("visibility_low", "Lower end of its 95% range.", metric="visibility_score"),
    name_column("visibility_high", "Upper end of its 95% range.", metric="visibility_score"),
    name_column("brand_coverage_pct", "Share of answers that name the brand.", metric="brand_coverage_pct"),
    name_column("coverage_low", "Lower end of its 95% range.", metric="brand_coverage_pct"),
    name_column("coverage_high", "Upper end of its 95% range.", metric="brand_coverage_pct"),
    name_column("citation_count", "Cited pages of the brand.", metric="citation_count"),
    name_column("market_position", "Rank among tracked competitors on this platform.", metric="market_position"),
    name_column("share_of_voice_pct", metric="share_of_voice_pct"),
    name_column("null_reason", "Why a platform has no figures. No figures does not mean 0."),
)


class Visibility(ToolOutput):
    """The headline figures of a brand."""

    domain_id: str
    as_of: Annotated[str | None, Field(description="When the latest check in these figures completed.")]
    scan_id: Annotated[
        str | None, Field(description="Full Check that the figures are based on, or the requested check.")
    ]
    source: Annotated[str, Field(description="scoreboard: latest valid answers. scan: one check alone.")]
    headline: dict[str, ChangedFigure]
    net_sentiment: Annotated[
        ToolFigure | None, Field(description="Positive minus negative answers. Null if not measured.")
    ]
    platforms: Table


@tool("Get visibility", "read_analytics")
async def get_visibility(
    source: CurrentSource,
    domain_id: DomainId,
    scan_id: Annotated[
        str | None, Field(description="A past check, from compare_periods. Leave it out for the current scoreboard.")
    ] = None,
) -> Visibility:
    """Read how visible a tracked brand is now: six headline figures with ranges and changes, and every platform.

    Use it for "how visible are we?", "is the change real?" and "where are we weakest?". A change is real only if its
    verdict is up or down. If the ranges of two platforms overlap, neither is clearly better. For other brands, call
    list_competitors; for two dates, call compare_periods.
    """
    reply = await source.call("read_analytics", path={"domain_id": domain_id}, query={"scan_id": scan_id})
    board = reply.data
    return Visibility(
        domain_id=board["domain_id"],
        as_of=board["as_of"],
        scan_id=board["scan"] and board["scan"]["id"],
        source=board["source"],
        headline={
            key: build_changed_figure(key, board["headline"][key], describe_board(board, key)) for key in HEADLINE
        },
        net_sentiment=_build_sentiment(board["sentiment"]),
        platforms=build_whole_table(PLATFORM_COLUMNS, [build_platform_row(row) for row in board["platforms"]]),
        notes=[*reply.notes, *list_cautions(board)],
    )


def describe_board(board: Mapping[str, Any], metric: str) -> str:
    """Say what a headline figure is over."""
    everything = REGISTRY[metric].segment == "all"
    prompts = "all prompts, including those that name the brand" if everything else describe_prompts(board)
    answers = "answers of this check" if board.get("source") == "scan" else "latest valid answers"
    return f"the {answers} on all platforms to {prompts}. {describe_valid(board)}"


def describe_prompts(board: Mapping[str, Any]) -> str:
    """Say which prompts count in figures that leave out prompts that name the brand, if there are others."""
    return (
        "all prompts, which all name the brand"
        if board["only_branded"]
        else "the prompts whose text does not name the brand"
    )


def describe_valid(board: Mapping[str, Any]) -> str:
    """Say how many answers of a board are valid, over all prompts, and why that may be fewer than were planned."""
    valid, planned = board["valid"], board["planned"]
    rest = "" if valid == planned else " The others failed, are missing or showed no AI answer."
    return f"Of {planned} planned answers to all prompts, {valid} are valid.{rest}"


async def read_cautions(source: Source, domain_id: str) -> list[str]:
    """Return what to keep in mind about everything that the checks of a domain found."""
    if not await source.allows("read_analytics"):
        return []
    return list_cautions((await source.call("read_analytics", path={"domain_id": domain_id})).data)


def list_cautions(board: Mapping[str, Any]) -> list[str]:
    cautions = []
    if board["planned"] == 0:
        cautions.append("No check has completed yet.")
    elif board["early_reading"]:
        cautions.append("Early reading: fewer than ten prompts, so the figures are uncertain.")
    if board["incomplete"]:
        cautions.append("Incomplete: too many answers failed, overall or on one platform.")
    return cautions + warn_of_sandbox(board.get("scan"))


def warn_of_sandbox(scan: Mapping[str, Any] | None) -> list[str]:
    is_sandbox = scan is not None and scan["answers_source"] == "sandbox"
    return ["Sandbox: the answers are made up, not from real platforms."] if is_sandbox else []


def build_platform_row(row: Mapping[str, Any]) -> list[Cell]:
    score, coverage = row["visibility_score"], row["brand_coverage_pct"]
    return [
        *(row["platform"], row["valid"]),
        *(score["value"], score["low"], score["high"]),
        *(coverage["value"], coverage["low"], coverage["high"]),
        *(row["citation_count"]["value"], row["market_position"]["value"], row["share_of_voice_pct"]["value"]),
        explain_silence(row),
    ]


def _build_sentiment(sentiment: Mapping[str, Any] | None) -> ToolFigure | None:
    if sentiment is None:
        return None
    over = f"answers that name the brand and were scored; {sentiment['unscored']} were not scored"
    return build_figure("net_sentiment", sentiment["net"], over)
