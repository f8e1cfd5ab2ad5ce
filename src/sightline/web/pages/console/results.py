"""The stored results of a scan as its page shows them: notices, figures and charts."""

from collections.abc import Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.cell_states import CELL_STATES, classify_cell, find_mark, format_cell_mark
from sightline.presentation.charts.bar_charts import (
    PlatformFigure,
    build_platform_chart,
    build_share_of_voice_chart,
    describe_platforms,
)
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.metric_cards import build_metric_card
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import EARLY_READING, FAULT_PHRASES, ONLY_BRANDED, describe_standing
from sightline.presentation.source_types import name_site_type
from sightline.reports.notices import describe_incomplete
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.stored import ScanRow, StoredResults, decode_measured
from sightline.web.chart_cache import CHARTS

_read = msgspec.json.Decoder(ScanMeasurements).decode
_CARD_METRICS = (
    "visibility_score",
    "brand_coverage_pct",
    "ai_mentions",
    "citation_count",
    "share_of_voice_pct",
    "market_position",
)
_LATEST_METRICS = ("visibility_score", "brand_coverage_pct", "market_position")


def present_results(scan: ScanRow, stored: StoredResults) -> dict[str, Any]:
    """Return the template variables of a scan's results. Rendering charts is slow, so call it in a thread."""
    results = _read(stored.results)
    measured = decode_measured(scan.brand)
    brand = measured.brand.name
    return {
        "found": results,
        "has_competitors": bool(measured.competitors),
        "standing": describe_standing(brand, results.headline, has_ranking=bool(results.competitors)),
        "notices": _list_notices(results, brand),
        "cards": _build_cards(results, _CARD_METRICS, brand),
        "charts": _build_charts(results, brand),
        "versions": (stored.metrics_version, stored.extractor_version),
        "cell_state": classify_cell,
        "cell_mark": format_cell_mark,
        "states": CELL_STATES,
        "find_mark": find_mark,
        "faults": FAULT_PHRASES,
        "short_name": short_platform_name,
        "source_type": name_site_type,
    }


def present_latest_figures(stored: StoredResults, brand: str) -> list[dict[str, Any]]:
    """Return the cards that the page of a domain shows of its latest scan."""
    return _build_cards(_read(stored.results), _LATEST_METRICS, brand)


def _build_cards(results: ScanMeasurements, metrics: Sequence[str], brand: str) -> list[dict[str, Any]]:
    headline, answers = results.headline, results.headline.brand_coverage_pct.n
    return [
        build_metric_card(key, getattr(headline, key), brand=brand, answers=answers, is_first=True) for key in metrics
    ]


def _list_notices(results: ScanMeasurements, brand: str) -> list[tuple[str, str]]:
    notices = []
    if results.incomplete:
        missing = results.failed + results.unanswered
        where = describe_incomplete(results.platforms)
        text = ngettext(
            "%(missing)s of %(planned)s answers is missing.",
            "%(missing)s of %(planned)s answers are missing.",
            missing,
            missing=format_number(missing),
            planned=format_number(results.planned),
        )
        notices.append((gettext("Incomplete"), f"{text} {where}".strip()))
    if results.early_reading and results.valid:
        notices.append((gettext(EARLY_READING[0]), gettext(EARLY_READING[1])))
    if results.only_branded and results.valid:
        notices.append((gettext(ONLY_BRANDED[0]), gettext(ONLY_BRANDED[1], brand=brand)))
    return notices


def _build_charts(results: ScanMeasurements, brand: str) -> dict[str, Markup]:
    """Return the charts by name, without those that have no data."""
    drawn: dict[str, Markup] = {}
    if any(row.visibility_score.value is not None for row in results.platforms):
        rows = [
            PlatformFigure(platform_name(row.platform), short_platform_name(row.platform), row.visibility_score)
            for row in results.platforms
        ]
        drawn["platforms"] = CHARTS.render(
            build_platform_chart(rows, ""),
            "platforms",
            gettext("Visibility Score of %(brand)s by platform", brand=brand),
            describe_platforms(rows),
            sizes=((440, 30 * len(rows) + 30),),
        )
    if any(row.share_of_voice_pct is not None for row in results.competitors):
        drawn["share"] = CHARTS.render(
            build_share_of_voice_chart(results.competitors),
            "share",
            gettext("Share of Voice of %(brand)s and its competitors", brand=brand),
            gettext("One bar per brand. The table of competitors has the same numbers."),
        )
    return drawn
