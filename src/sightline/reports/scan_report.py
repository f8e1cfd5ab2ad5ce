"""The report of one scan: a self-contained HTML file to read, print, mail and archive.

Every text in it is escaped; it has no script, no form and no address that a browser would load.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC
from functools import partial

import msgspec
from markupsafe import Markup

from sightline.insights.findings.league import build_league
from sightline.metrics.registry import REGISTRY
from sightline.platforms.names import short_platform_name
from sightline.presentation.charts.bar_charts import build_share_of_voice_chart
from sightline.presentation.charts.interval_charts import NamedFigure, build_coverage_chart, build_visibility_chart
from sightline.presentation.charts.position_map import build_position_map
from sightline.presentation.charts.spec import Spec
from sightline.presentation.charts.svg import render_svg
from sightline.presentation.direction_controls import show_direction_controls_in_html
from sightline.presentation.language import gettext, translatable
from sightline.presentation.metric_cards import build_metric_card
from sightline.presentation.palette import LIGHT, Palette, list_color_pairs
from sightline.presentation.phrases import METRIC_NAMES, SANDBOX, SANDBOX_WHY
from sightline.presentation.ranges import TWO_RANGES
from sightline.reports.environment import load_environment
from sightline.reports.notices import (
    describe_cell,
    describe_finding,
    format_period,
    format_repeats,
    list_faults,
    list_notices,
)
from sightline.reports.second_opinion import (
    READINGS,
    describe_comparison,
    describe_lead,
    describe_markets,
    describe_misread,
    describe_rest,
    list_changes,
    name_answer,
)
from sightline.scans.models import ScanAnswer
from sightline.scans.record import ScanRecord, summarize_provenance
from sightline.scans.schemas.results import PlatformResult, ScanMeasurements

MAX_PROMPTS_SHOWN = 100
MAX_TEXTS_SHOWN = 1_000
MAX_LEAGUE_ROWS = 12
_VISIBILITY = REGISTRY["visibility_score"].explanation
_BY_PLATFORM = translatable(
    "A point for each platform with its range for these prompts. The table by platform has the same numbers."
)
# The title and the description of each chart.
_CHART_TEXTS = {
    "visibility": (translatable("Visibility Score of %(brand)s by platform"), _BY_PLATFORM),
    "coverage": (translatable("Share of answers that name %(brand)s, by platform"), _BY_PLATFORM),
    "positions": (
        translatable("Where each answer names %(brand)s"),
        translatable("Rows are prompts, columns are platforms. The table of prompts has the same data."),
    ),
    "share": (
        translatable("Share of Voice of %(brand)s and its competitors"),
        translatable("A bar for each brand. The table of competitors has the same numbers."),
    ),
}


def render_scan_report(scan: ScanRecord) -> str:
    """Render the report. Of very many prompts it lists the first hundred; every figure counts all of them."""
    results, headline, brand = scan.results, scan.results.headline, scan.plan.brand.name
    answers = headline.brand_coverage_pct.n
    texts: dict[str, list[ScanAnswer]] = {}
    for answer in scan.answers[:MAX_TEXTS_SHOWN]:
        texts.setdefault(answer.prompt.id, []).append(answer)
    shown = {prompt.id: number for number, prompt in enumerate(scan.plan.prompts[:MAX_PROMPTS_SHOWN], 1)}
    context = {
        "check": scan,
        "results": results,
        "prompts": list(zip(scan.plan.prompts, results.prompts, strict=True))[:MAX_PROMPTS_SHOWN],
        "cards": [
            build_metric_card(key, getattr(headline, key), brand=brand, answers=answers, is_first=True)
            for key in METRIC_NAMES
        ],
        "two_ranges": gettext(TWO_RANGES),
        "finding": describe_finding(scan),
        "notices": list_notices(scan),
        "faults": list_faults(scan),
        "charts": _render_charts(scan),
        "period": format_period(scan),
        "repeats": partial(format_repeats, scan),
        "describe_cell": partial(describe_cell, scan),
        "spot_checks": [
            (shown[prompt_id], platform, figure)
            for (prompt_id, platform), figure in scan.spot_checks.items()
            if prompt_id in shown and figure.value is not None
        ],
        "provenance": summarize_provenance(scan),
        "asked_at": scan.started_at.astimezone(UTC),
        "texts": texts,
        "linked": {answer.id for answers in texts.values() for answer in answers},
        "sandbox": (gettext(SANDBOX), gettext(SANDBOX_WHY)) if scan.answers_source == "sandbox" else None,
        "several_markets": len({(prompt.country, prompt.language) for prompt in results.prompts}) > 1,
        "swaps": list_color_pairs(),
        "highlight": highlight,
        **_build_opinion(scan),
    }
    return show_direction_controls_in_html(load_environment().get_template("check.html").render(context))


def _build_opinion(scan: ScanRecord) -> dict[str, object]:
    """Return what only the report on a file shows, before everything else."""
    opinion = scan.opinion
    if opinion is None:
        return {"opinion": None}
    return {
        "opinion": opinion,
        "league": build_league(scan.results.competitors, "visibility_score", limit=MAX_LEAGUE_ROWS),
        "lead": describe_lead(scan.results.competitors),
        "markets": describe_markets(scan),
        "visibility": gettext(_VISIBILITY),
        "comparison": describe_comparison(scan),
        "changes": list_changes(scan),
        "unchanged": describe_rest(opinion.comparison) if opinion.comparison else "",
        "describe_misread": describe_misread,
        "name_answer": partial(name_answer, opinion.reading),
        "readings": READINGS,
    }


def highlight(answer: ScanAnswer) -> Iterator[tuple[str, str]]:
    """Split the text of an answer into pieces, each with the brand it names: `own`, `competitor` or empty."""
    end_of_last = 0
    for start, end, brand in _list_mentions(answer):
        if start < end_of_last:  # two brands in one place: the first one keeps it
            continue
        if start > end_of_last:
            yield answer.text[end_of_last:start], ""
        yield answer.text[start:end], brand
        end_of_last = end
    if end_of_last < len(answer.text):
        yield answer.text[end_of_last:], ""


def _list_mentions(answer: ScanAnswer) -> list[tuple[int, int, str]]:
    if answer.analysis is None:
        return []
    return sorted(
        (place.start, place.end, "competitor" if index else "own")
        for index, brand in enumerate(answer.analysis.brands)
        for place in brand.occurrences
        if place.start < place.end
    )


def _list_platform_figures(platforms: Sequence[PlatformResult], metric: str) -> list[NamedFigure]:
    """Return one metric by platform, with the names that a chart shows."""
    return [(short_platform_name(each.platform), getattr(each, metric)) for each in platforms]


def build_charts(results: ScanMeasurements, brand: str, palette: Palette = LIGHT) -> dict[str, Spec]:
    """Return the charts of a scan by name, without those that would be empty."""
    if not results.valid:
        return {}
    charts = {
        "visibility": build_visibility_chart(_list_platform_figures(results.platforms, "visibility_score"), palette),
        "coverage": build_coverage_chart(
            _list_platform_figures(results.platforms, "brand_coverage_pct"), brand, palette
        ),
        "positions": build_position_map(
            [short_platform_name(each.platform) for each in results.platforms],
            [[(short_platform_name(cell.platform), cell) for cell in prompt.platforms] for prompt in results.prompts],
            palette,
        ),
    }
    if any(row.share_of_voice_pct is not None for row in results.competitors):
        charts["share"] = build_share_of_voice_chart(results.competitors, palette)
    return charts


def _render_charts(scan: ScanRecord) -> dict[str, Markup]:
    brand = scan.plan.brand.name
    listed = msgspec.structs.replace(scan.results, prompts=scan.results.prompts[:MAX_PROMPTS_SHOWN])
    return {
        name: render_svg(spec, name, *(gettext(text, brand=brand) for text in _CHART_TEXTS[name]))
        for name, spec in build_charts(listed, brand).items()
    }
