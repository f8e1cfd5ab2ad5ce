"""The charts of the Overview, and the finding of each in a sentence."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
from markupsafe import Markup

from sightline.insights.alerts.models import DIRECTIONS
from sightline.insights.alerts.schemas import Alert
from sightline.kit.clock import Timestamp, to_iso
from sightline.metrics.figure import Number
from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.changes import format_verdict
from sightline.presentation.charts.bar_charts import PlatformFigure, build_platform_chart, describe_platforms
from sightline.presentation.charts.trend_chart import (
    PAGE_LAYOUT,
    CompetitorLine,
    DatedFigure,
    Trend,
    TrendMark,
    build_trend_chart,
)
from sightline.presentation.dates import format_date, to_utc_day
from sightline.presentation.language import gettext
from sightline.presentation.phrases import METRIC_NAMES
from sightline.presentation.ranges import format_figure
from sightline.scans.schemas.results import CompetitorResult, Headline
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scoreboard.history.trend import PastFullCheck, TrendBoard
from sightline.scoreboard.market import MARKET_FIGURES
from sightline.scoreboard.schemas import Board, TrendPoint
from sightline.scoreboard.subsets.filter import MeasurementFilter
from sightline.scoreboard.subsets.trend import PartPoint
from sightline.web.chart_cache import CHARTS
from sightline.web.filter_bar import describe_part
from sightline.web.pages.dashboard.overview_view import OverviewView

_MAX_COMPETITORS = 5
_POSITION = "market_position"
_MIN_POINTS = 2  # one point is not a trend
_TREND_SIZES = ((900, PAGE_LAYOUT.height), (340, 220))


class ChartedCheck(NamedTuple):
    """A check that the trend shows."""

    scan_id: str
    label: str


class OverviewData(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Everything that the charts are made of."""

    brand: str
    view: OverviewView
    board: Board
    points: Sequence[TrendPoint]
    past: Sequence[PastFullCheck]
    places: Mapping[str, int]
    """Each competitor's place among those that are measured."""
    alerts: Sequence[Alert]
    """Without those that have lapsed."""
    part: Sequence[PartPoint] = ()
    """The Full Checks of a filtered view, measured for its part."""

    @cached_property
    def trend(self) -> Trend:
        metric = self.view.metric
        return Trend(
            brand=self.brand,
            unit="%" if metric.endswith("_pct") else "",
            is_rank=metric == _POSITION,
            full=self._list_full_checks(metric),
            daily=[] if self.view.is_filtered or metric in MARKET_FIGURES else self._list_points(metric, is_daily=True),
            competitors=[] if self.view.is_filtered else self._list_competitors(metric),
            marks=self._list_marks(),
        )

    @cached_property
    def checks(self) -> Mapping[Timestamp, ChartedCheck]:
        """Return the check of each point of the trend, by its time."""
        return {
            point.completed_at: ChartedCheck(str(point.scan_id), gettext(SCOPE_LABELS[point.scope]))
            for point in self.points
        }

    def _list_points(self, metric: str, *, is_daily: bool) -> list[DatedFigure]:
        points = [point for point in self.points if (point.scope == "daily_check") is is_daily]
        return [DatedFigure(point.completed_at, getattr(point, metric)) for point in points]

    def _list_full_checks(self, metric: str) -> list[DatedFigure]:
        """Return the Full Checks. Of a part, its own figures; those against competitors if a board stores them."""
        if not self.view.is_filtered:
            return self._list_points(metric, is_daily=False)
        if metric in PartPoint.__struct_fields__:
            return [DatedFigure(to_iso(point.completed_at), getattr(point, metric)) for point in self.part]
        rows = [(check.completed_at, find_stored_headline(check.board, self.view.filter)) for check in self.past]
        return [DatedFigure(to_iso(at), getattr(row, metric)) for at, row in rows if row is not None]

    def _list_competitors(self, metric: str) -> list[CompetitorLine]:
        names = [row.name for row in self.board.competitors if not row.is_own][:_MAX_COMPETITORS]
        return [
            CompetitorLine(name, self.places.get(name, 1), tuple(self._list_values(name, metric))) for name in names
        ]

    def _list_values(self, name: str, metric: str) -> list[tuple[Timestamp, Number]]:
        values = []
        for check in self.past:
            row = next((row for row in check.board.competitors if row.name == name), None)
            value = None if row is None else _find_value(row, metric)
            if value is not None:
                values.append((to_iso(check.completed_at), value))
        return values

    def _list_marks(self) -> list[TrendMark]:
        first = min((point.completed_at for point in self.points), default="")
        alerts = [
            TrendMark(alert.watched_at, gettext("Alert") + "\n" + alert.summary, is_alert=True)
            for alert in self.alerts
            if DIRECTIONS[alert.type] == "down" and first and alert.watched_at >= first
        ]
        new_models = [
            TrendMark(
                to_iso(check.completed_at),
                format_date(to_utc_day(check.completed_at)) + "\n" + gettext("A platform changed its model"),
            )
            for check in self.past
            if check.has_model_change
        ]
        return alerts + new_models


def find_stored_headline(board: TrendBoard, wanted: MeasurementFilter) -> Headline | None:
    """Return the figures of a part that a board stores: one platform, or one country. Else None."""
    if wanted.part.keys() == {"platform"}:
        return next((row for row in board.platforms if row.platform == wanted.platform), None)
    if wanted.part.keys() == {"country"}:
        return next((row for row in board.countries if (row.country or "global") == wanted.country), None)
    return None


def _find_value(row: CompetitorResult, metric: str) -> Number | None:
    """Return the value of a competitor; None for coverage, which is measured for the brand alone."""
    values: dict[str, Number | None] = {
        "visibility_score": row.score.value,
        "ai_mentions": row.mentions,
        "share_of_voice_pct": row.share_of_voice_pct,
        "market_position": row.position,
    }
    return values.get(metric)


def render_charts(data: OverviewData) -> dict[str, Markup]:
    """Return the charts by name, without those that would be empty. Rendering is slow: call it in a thread."""
    charts: dict[str, Markup] = {}
    trend, metric = data.trend, data.view.metric
    if _count_measured(trend) >= _MIN_POINTS:
        title = gettext("%(metric)s of %(brand)s over time", metric=gettext(METRIC_NAMES[metric]), brand=data.brand)
        title += _describe_filter(data.view)
        charts["trend"] = CHARTS.render(
            build_trend_chart(trend), "trend", title, describe_trend(data), sizes=_TREND_SIZES
        )
    by = "visibility_score" if metric == _POSITION else metric
    rows = [
        PlatformFigure(platform_name(row.platform), short_platform_name(row.platform), getattr(row, by))
        for row in data.board.platforms
    ]
    if any(row.figure.value is not None for row in rows):
        height = 30 * len(rows) + 30
        charts["platforms"] = CHARTS.render(
            build_platform_chart(rows, trend.unit if by == metric else ""),
            "platforms",
            gettext("%(metric)s of %(brand)s by platform", metric=gettext(METRIC_NAMES[by]), brand=data.brand),
            describe_platforms(rows),
            sizes=((440, height),),
        )
    return charts


def describe_trend(data: OverviewData) -> str:
    """Describe the finding of the chart: the latest value, the first one shown, and whether that is a change."""
    trend = data.trend
    measured = [each for each in (trend.full or trend.daily) if each.figure.value is not None]
    if not measured:
        return gettext("Nothing was measured in this period.")
    first, last = measured[0], measured[-1]
    value, day = format_figure(last.figure, trend.unit), format_date(to_utc_day(last.at))
    text = gettext("%(value)s in the check of %(day)s.", value=value, day=day)
    if first is not last:
        text = gettext(
            "%(value)s in the check of %(day)s, %(first)s in the first one shown, of %(first_day)s.",
            value=value,
            day=day,
            first=format_figure(first.figure, trend.unit),
            first_day=format_date(to_utc_day(first.at)),
        )
    change = getattr(getattr(data.board.headline, data.view.metric), "comparison", None)
    if change is not None and not data.view.is_filtered:
        text += " " + gettext("%(verdict)s since the previous Full Check.", verdict=format_verdict(change))
    return text


def describe_omissions(data: OverviewData) -> str:
    """Describe what the chart leaves out, and why; empty where it shows everything."""
    metric = gettext(METRIC_NAMES[data.view.metric])
    if data.view.is_filtered:
        if data.view.metric not in PartPoint.__struct_fields__ and len(data.view.filter.part) > 1:
            return gettext(
                "%(metric)s over time is available for one platform or one country, not for both.", metric=metric
            )
        if data.view.metric not in PartPoint.__struct_fields__ and not data.trend.full:
            return gettext("%(metric)s over time is not available for a language or a tag.", metric=metric)
        return gettext("With this filter, the chart shows only Full Checks, and only your brand.")
    if data.view.metric == _POSITION:
        return gettext(
            "This chart shows only Full Checks: Daily Checks may run fewer prompts, so positions change by chance."
        )
    if data.view.metric == "brand_coverage_pct":
        return gettext(
            "This chart shows your brand only. To see a competitor's coverage over time, open that competitor's page."
        )
    return ""


def _describe_filter(view: OverviewView) -> str:
    return f", {describe_part(view.filter)}" if view.is_filtered else ""


def _count_measured(trend: Trend) -> int:
    return sum(each.figure.value is not None for each in (*trend.full, *trend.daily))
