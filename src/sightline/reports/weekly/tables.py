"""The tables of a weekly report: by platform and country, the ranking, and the cited sites. Every cell is a text."""

from typing import Any

from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number, format_percent
from sightline.presentation.phrases import country_name
from sightline.presentation.ranges import format_interval, format_position, format_position_range, format_range
from sightline.presentation.source_types import name_site_type
from sightline.reports.weekly.models import ReportDocument
from sightline.scans.schemas.results import CompetitorResult, Headline, SourceResult


def build_source_row(row: SourceResult) -> dict[str, Any]:
    return {
        "domain": row.domain,
        "kind": name_site_type(row.type),
        "answers": format_number(row.answers),
        "counted": row.answers,
        "own": row.is_own,
    }


def build_metric_columns(row: Headline, valid: int, planned: int) -> list[list[str]]:
    """Return pairs of value and range, in the order of the columns: answers, then the metrics of the headline."""
    return [
        [gettext("%(valid)s of %(planned)s", valid=format_number(valid), planned=format_number(planned)), ""],
        [format_number(row.visibility_score.value), format_interval(row.visibility_score)],
        [format_percent(row.brand_coverage_pct.value), format_interval(row.brand_coverage_pct, "%")],
        [format_number(row.ai_mentions.value), ""],
        [format_number(row.citation_count.value), ""],
        [format_percent(row.share_of_voice_pct.value), format_interval(row.share_of_voice_pct, "%")],
        [format_position(row.market_position), format_position_range(row.market_position)],
    ]


def build_country_rows(document: ReportDocument) -> list[list[Any]]:
    """Return a row for each country; none where every prompt was asked without a market."""
    if [row.country for row in document.countries] == [None]:
        return []
    return [
        [country_name(row.country), *build_metric_columns(row, row.valid, row.planned)] for row in document.countries
    ]


def build_competitor_row(row: CompetitorResult) -> dict[str, Any]:
    position = gettext("Not ranked") if row.position is None else format_number(row.position)
    is_certain = row.position_low == row.position_high
    return {
        "name": row.name,
        "full_name": row.name,
        "own": row.is_own,
        "tied": row.tied,
        "position": position,
        "positions": "" if row.position is None or is_certain else format_range(row.position_low, row.position_high),
        "score": format_number(row.score.value),
        "score_range": format_interval(row.score),
        "mentions": format_number(row.mentions),
        "counted": row.mentions,
        "share": format_percent(row.share_of_voice_pct),
    }


def describe_sources(document: ReportDocument) -> str:
    if not document.sources:
        return gettext("No answer cites a source.")
    if document.sources_total > len(document.sources):
        return gettext(
            "The %(shown)s most cited of %(total)s sites.",
            shown=len(document.sources),
            total=format_number(document.sources_total),
        )
    return gettext("All cited sites.")
