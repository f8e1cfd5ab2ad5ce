"""The one chart of a weekly report: the Visibility Score over time, with pins where something was done."""

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec
from markupsafe import Markup

from sightline.insights.findings.chips import find_movers
from sightline.insights.recommendations.actions import describe_action
from sightline.metrics.figure import Figure
from sightline.platforms.names import describe_surface_change, platform_name
from sightline.presentation.charts.spec import drop_touch_layers
from sightline.presentation.charts.svg import render_svg
from sightline.presentation.charts.trend_chart import (
    CompetitorLine,
    DatedFigure,
    Trend,
    TrendLayout,
    TrendMark,
    build_trend_chart,
)
from sightline.presentation.language import gettext
from sightline.presentation.phrases import cut_words
from sightline.reports.weekly.models import ReportDocument
from sightline.reports.weekly.translate import list_stored_findings
from sightline.scoreboard.history.trend import list_surface_breaks

_MIN_FULL_CHECKS = 2  # one point is not a trend
_MAX_PINS = 4
_PIN_WORDS = 3
Width = Literal["wide", "narrow"]
_LAYOUTS: Mapping[Width, TrendLayout] = {
    "wide": TrendLayout(width=560, height=152, max_ticks=6, percent_title=""),
    "narrow": TrendLayout(width=210, height=160, max_ticks=3, percent_title=""),
}


def render_trend(document: ReportDocument, *widths: Width) -> dict[Width, Markup]:
    """Return the chart in these widths; none before there are two Full Checks."""
    trend = build_trend(document)
    if len(trend.full) < _MIN_FULL_CHECKS:
        return {}
    title = gettext("Visibility Score of %(brand)s over time", brand=document.brand)
    about = gettext("Points are Full Checks, the band is the range of %(brand)s.", brand=document.brand)
    return {
        name: render_svg(drop_touch_layers(build_trend_chart(trend, _LAYOUTS[name])), f"trend-{name}", title, about)
        for name in widths
    }


def build_trend(document: ReportDocument) -> Trend:
    """Return what the chart shows: Full Checks alone, because Daily Checks may ask less."""
    points = [point for point in document.trend if point.scope == "full_check"]
    movers = find_movers(list_stored_findings(document))
    ranked = all(row.score.market is not None for row in document.competitors)  # as the league has it
    return Trend(
        brand=document.brand,
        full=[
            DatedFigure(point.completed_at, _choose_range(point.visibility_score, for_market=ranked))
            for point in points
            if point.visibility_score.value is not None
        ],
        competitors=[
            CompetitorLine(each.name, 0 if each.name in movers else None, each.scores) for each in document.rivals
        ],
        marks=list_pins(document),
        breaks=[each.at for each in list_surface_breaks(document.trend)],
    )


def _choose_range(figure: Figure, *, for_market: bool) -> Figure:
    """Return the figure with the kind of range that the league shows, too."""
    market = figure.market
    if market is None or not for_market:
        return figure
    return msgspec.structs.replace(figure, low=market.low, high=market.high)


def list_pins(document: ReportDocument) -> list[TrendMark]:
    """Return the actions whose effect this check adds to, and the changes of models within the trend."""
    first = min((point.completed_at for point in document.trend if point.scope == "full_check"), default="")
    return [mark for mark in _list_marks(document) if first and mark.at >= first][:_MAX_PINS]


def _list_marks(document: ReportDocument) -> Iterator[TrendMark]:
    for found in reversed(list_surface_breaks(document.trend)):
        words = describe_surface_change(found.platform, found.before, found.now)
        yield TrendMark(
            found.at, words, label=gettext("New surface: %(platforms)s", platforms=platform_name(found.platform))
        )
    for line in document.effects:
        if line.facts is not None:
            action = describe_action(line.facts.action, line.facts.answers, document.brand).action
            yield TrendMark(line.done_at, action, label=cut_words(action, _PIN_WORDS))
    models = document.changes.models if document.changes is not None else ()
    for at in reversed(document.model_changes):
        if at == document.period_end and models:
            label = ", ".join(platform_name(each.platform) for each in models)
            yield TrendMark(at, label, label=gettext("New model: %(platforms)s", platforms=label))
        else:
            yield TrendMark(at, gettext("A platform changed its model"), label=gettext("New model"))
