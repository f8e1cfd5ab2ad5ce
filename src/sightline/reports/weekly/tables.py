"""The tables of a report: by platform and country, the ranking, and the cited sites. Every cell is a text."""

from typing import Any

from sightline.reports.weekly import sayings
from sightline.reports.weekly.cards import say_percent, say_places
from sightline.reports.weekly.models import ReportDocument
from sightline.reports.words import say_interval, say_number, say_position, say_range
from sightline.scans.schemas.results import CompetitorResult, Headline, SourceResult

_KINDS = {
    "review": "reviews",
    "list": "list",
    "forum": "forum",
    "news": "news",
    "video": "video",
    "encyclopaedia": "encyclopaedia",
    "government": "government",
    "shop": "shop",
    "own": "yours",
    "competitor": "competitor",
    "other": "other",
}


def show_source(row: SourceResult) -> dict[str, Any]:
    return {"domain": row.domain, "kind": _KINDS[row.type], "answers": say_number(row.answers), "own": row.is_own}


def list_columns(row: Headline, valid: int, planned: int) -> list[list[str]]:
    """Pairs of value and range: answers, Visibility Score, Coverage, Mentions, Citations, Share of Voice, Position."""
    return [
        [f"{valid:,} of {planned:,}", ""],
        [say_number(row.visibility_score.value), say_interval(row.visibility_score)],
        [say_percent(row.brand_coverage_pct.value), say_interval(row.brand_coverage_pct)],
        [say_number(row.ai_mentions.value), ""],
        [say_number(row.citation_count.value), ""],
        [say_percent(row.share_of_voice_pct.value), say_interval(row.share_of_voice_pct)],
        [say_position(row.market_position), say_places(row.market_position)],
    ]


def list_countries(document: ReportDocument) -> list[list[Any]]:
    """One market is no comparison: it is left out when it is the only one and is nowhere in particular."""
    if [row.country for row in document.countries] == [None]:
        return []
    return [
        [sayings.say_country(row.country), *list_columns(row, row.valid, row.planned)] for row in document.countries
    ]


def show_competitor(row: CompetitorResult) -> dict[str, Any]:
    place = "Not ranked" if row.position is None else str(row.position)
    sure = row.position_low == row.position_high
    return {
        "name": row.name,
        "own": row.is_own,
        "tied": row.tied,
        "position": place,
        "positions": "" if row.position is None or sure else say_range(row.position_low, row.position_high),
        "score": say_number(row.score.value),
        "score_range": say_interval(row.score),
        "mentions": say_number(row.mentions),
        "share": say_percent(row.share_of_voice_pct),
    }


def say_sources(document: ReportDocument) -> str:
    if not document.sources:
        return "No answer cites a source."
    if document.sources_total > len(document.sources):
        return f"The {len(document.sources)} most cited of {document.sources_total:,} sites."
    return "Every cited site."
