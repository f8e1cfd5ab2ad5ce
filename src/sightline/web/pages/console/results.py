"""The stored results of a scan, made ready for its page: figures in words, and charts beside their tables."""

from typing import Any

import msgspec
from markupsafe import Markup

from sightline.kit.counting import count
from sightline.metrics.figure import Figure
from sightline.reports.bars import chart_platforms, say_platforms
from sightline.reports.charts import chart_share_of_voice
from sightline.reports.notices import EARLY_READING, ONLY_BRANDED, say_standing, say_where
from sightline.reports.weekly.cards import make_card
from sightline.reports.weekly.models import HeadlineLine
from sightline.reports.words import (
    FAULTS,
    STATES,
    mark_of,
    platform_name,
    say_interval,
    say_number,
    short_platform_name,
    state_of,
)
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.stored import ScanRow, StoredResults, decode_measured
from sightline.scoreboard.schemas import ComparedFigure
from sightline.web.drawings import DRAWINGS

_read = msgspec.json.Decoder(ScanMeasurements).decode
_CARDS = (
    "visibility_score",
    "brand_coverage_pct",
    "ai_mentions",
    "citation_count",
    "share_of_voice_pct",
    "market_position",
)


def show_results(scan: ScanRow, stored: StoredResults) -> dict[str, Any]:
    """Draws charts, so it belongs into a thread of its own."""
    results = _read(stored.results)
    brand = decode_measured(scan.brand).brand.name
    return {
        "found": results,
        "standing": say_standing(brand, results.headline, ranked=bool(results.competitors)),
        "notices": _list_notices(results),
        "cards": [_card(key, getattr(results.headline, key)) for key in _CARDS],
        "charts": _draw(results, brand),
        "versions": (stored.metrics_version, stored.extractor_version),
        "state_of": state_of,
        "mark_of": mark_of,
        "states": STATES,
        "faults": FAULTS,
        "short_name": short_platform_name,
        "platform_name": platform_name,
        "number": say_number,
        "interval": say_interval,
    }


def _card(key: str, figure: Figure) -> dict[str, Any]:
    compared = ComparedFigure(**msgspec.structs.asdict(figure))
    return make_card(HeadlineLine(key=key, figure=compared, before=None), is_first=True)  # type: ignore[arg-type]


def _list_notices(results: ScanMeasurements) -> list[tuple[str, str]]:
    found = []
    if results.incomplete:
        missing = results.failed + results.unanswered
        said = f"{count(missing, 'answer')} of {results.planned:,} could not be taken. {say_where(results.platforms)}"
        found.append(("Incomplete", said.strip()))
    if results.early_reading and results.valid:
        found.append(EARLY_READING)
    if results.only_branded and results.valid:
        found.append(ONLY_BRANDED)
    return found


def _draw(results: ScanMeasurements, brand: str) -> dict[str, Markup]:
    """By name; what has nothing to show is not there."""
    drawn: dict[str, Markup] = {}
    if any(row.visibility_score.value is not None for row in results.platforms):
        rows = [(row.platform, row.visibility_score) for row in results.platforms]
        drawn["platforms"] = DRAWINGS.draw(
            chart_platforms(rows, ""),
            "platforms",
            f"Visibility Score of {brand} by platform",
            say_platforms(rows),
            sizes=((440, 30 * len(rows) + 30),),
        )
    if any(row.share_of_voice_pct is not None for row in results.competitors):
        drawn["share"] = DRAWINGS.draw(
            chart_share_of_voice(results),
            "share",
            f"Share of Voice of {brand} and its competitors",
            "A bar for each brand. The table of competitors holds the same numbers.",
        )
    return drawn
