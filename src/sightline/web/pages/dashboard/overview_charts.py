"""The chart of the Overview, and its finding in a sentence."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
from markupsafe import Markup

from sightline.insights.alerts.models import DIRECTIONS
from sightline.insights.alerts.schemas import Alert
from sightline.insights.recommendations.actions import describe_action
from sightline.insights.recommendations.done_actions import DoneAction
from sightline.kit.clock import Timestamp, to_iso
from sightline.metrics.figure import Number
from sightline.platforms.names import describe_surface_change
from sightline.presentation.changes import format_verdict
from sightline.presentation.charts.trend_chart import (
    CompetitorLine,
    DatedFigure,
    Trend,
    TrendLayout,
    TrendMark,
    build_trend_chart,
)
from sightline.presentation.dates import format_date, to_utc_day
from sightline.presentation.language import gettext
from sightline.presentation.phrases import METRIC_NAMES, cut_words
from sightline.presentation.ranges import format_figure
from sightline.scans.schemas.results import CompetitorResult, Headline
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scoreboard.history.trend import PastFullCheck, SurfaceBreak, TrendBoard, list_surface_breaks
from sightline.scoreboard.models import ImportedWeek
from sightline.scoreboard.schemas import Board, TrendPoint
from sightline.scoreboard.subsets.filter import MeasurementFilter, Period
from sightline.scoreboard.subsets.trend import PartPoint
from sightline.web.chart_cache import CHARTS
from sightline.web.filter_bar import describe_part
from sightline.web.pages.dashboard.overview_view import OverviewView

_MAX_COMPETITORS = 5
_MIN_POINTS = 2  # one point is not a trend
_LAYOUT = TrendLayout(height=192, max_ticks=5, percent_title="")
_SIZES = ((560, _LAYOUT.height), (340, 220))
_PIN_WORDS = 3


class ChartedCheck(NamedTuple):
    """A check that the trend shows. `day` is what the address calls it."""

    scan_id: str
    label: str
    day: str


class OverviewData(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Everything that the chart is made of."""

    brand: str
    view: OverviewView
    board: Board
    points: Sequence[TrendPoint] = ()
    past: Sequence[PastFullCheck] = ()
    pins: Sequence[TrendMark] = ()
    imported: Sequence[ImportedWeek] = ()
    """The weeks of the imported history, which come before all checks."""
    part: Sequence[PartPoint] = ()
    """The Full Checks of a filtered view, measured for its part."""
    movers: frozenset[str] = frozenset()
    """Competitors with a clear change."""

    @cached_property
    def trend(self) -> Trend:
        metric = self.view.metric
        return Trend(
            brand=self.brand,
            unit="%" if metric.endswith("_pct") else "",
            full=[
                *(
                    DatedFigure(week.at, getattr(week.headline, metric), is_imported=True)
                    for week in self._list_imported()
                ),
                *(
                    msgspec.structs.replace(each, link=self.view.query(day=to_utc_day(each.at).isoformat()))
                    for each in self._list_full_checks(metric)
                ),
            ],
            competitors=[] if self.view.is_filtered else self._list_competitors(metric),
            marks=[
                *self.pins,
                *(TrendMark(at, self.describe_import(), label=gettext("First check")) for at in self.import_end),
                *(TrendMark(each.at, _describe_break(each), label=gettext("New surface")) for each in self.breaks),
            ],
            breaks=[*self.import_end, *(each.at for each in self.breaks)],
        )

    @cached_property
    def import_end(self) -> Sequence[Timestamp]:
        """Return the time of the first check after an imported history, where a new line starts."""
        first = next((point.completed_at for point in self.points if point.scope != "daily_check"), None)
        return [first] if first is not None and self._list_imported() else []

    def describe_import(self) -> str:
        """Say which weeks are imported, and that they are no checks; empty without an imported history."""
        weeks = self._list_imported()
        if not weeks:
            return ""
        return gettext(
            "The weeks from %(first)s to %(last)s are imported from %(file)s. They are no checks, and nothing is "
            "compared with them.",
            first=format_date(weeks[0].first_day),
            last=format_date(weeks[-1].last_day),
            file=weeks[0].file_name,
        )

    def list_line_notes(self) -> list[str]:
        """Say where and why new lines start."""
        return [note for note in (self.describe_import(), *map(_describe_break, self.breaks)) if note]

    def _list_imported(self) -> Sequence[ImportedWeek]:
        return self.imported if self.points and not self.view.is_filtered else ()

    @cached_property
    def breaks(self) -> Sequence[SurfaceBreak]:
        return list_surface_breaks(self.points, self.view.filter.platform)

    @cached_property
    def checks(self) -> Mapping[Timestamp, ChartedCheck]:
        """Return the check of each point of the trend, by its time."""
        return {
            point.completed_at: ChartedCheck(
                str(point.scan_id), gettext(SCOPE_LABELS[point.scope]), to_utc_day(point.completed_at).isoformat()
            )
            for point in self.points
            if point.scope != "daily_check"
        }

    def _list_full_checks(self, metric: str) -> list[DatedFigure]:
        """Return the Full Checks. Of a part, the figures that a board stores, or else those measured for it."""
        if not self.view.is_filtered:
            points = (point for point in self.points if point.scope != "daily_check")
            return [DatedFigure(point.completed_at, getattr(point, metric)) for point in points]
        if is_stored(self.view.filter):
            rows = [(check.completed_at, find_stored_headline(check.board, self.view.filter)) for check in self.past]
            return [DatedFigure(to_iso(at), getattr(row, metric)) for at, row in rows if row is not None]
        measured = self.part if metric in PartPoint.__struct_fields__ else ()
        return [DatedFigure(to_iso(point.completed_at), getattr(point, metric)) for point in measured]

    def _list_competitors(self, metric: str) -> list[CompetitorLine]:
        names = [row.name for row in self.board.competitors if not row.is_own][:_MAX_COMPETITORS]
        return [
            CompetitorLine(name, 0 if name in self.movers else None, tuple(self._list_values(name, metric)))
            for name in names
        ]

    def _list_values(self, name: str, metric: str) -> list[tuple[Timestamp, Number]]:
        values = []
        for check in self.past:
            row = next((row for row in check.board.competitors if row.name == name), None)
            value = None if row is None else _find_value(row, metric)
            if value is not None:
                values.append((to_iso(check.completed_at), value))
        return values


def list_pins(
    past: Sequence[PastFullCheck], alerts: Sequence[Alert], actions: Sequence[DoneAction], period: Period, *, brand: str
) -> list[TrendMark]:
    """Return what happened in the period: drops that an alert reports, completed actions and changes of models.

    A drop of one prompt on one platform is none of the whole figure.
    """
    first = to_iso(max(period.start, past[0].completed_at)) if past else ""
    pins = [
        TrendMark(alert.watched_at, gettext("Alert") + "\n" + alert.summary, is_alert=True)
        for alert in alerts
        if alert.type != "cell_lost" and DIRECTIONS[alert.type] == "down" and first and alert.watched_at >= first
    ]
    for action in actions:
        at = to_iso(action.mark.done_at)
        words = describe_action(action.found, len(action.found.proofs), brand).action
        if first and at >= first:
            pins.append(TrendMark(at, gettext("Done") + "\n" + words, label=cut_words(words, _PIN_WORDS)))
    pins += [
        TrendMark(
            to_iso(check.completed_at),
            format_date(to_utc_day(check.completed_at)) + "\n" + gettext("A platform changed its model"),
            label=gettext("New model"),
        )
        for check in past
        if check.has_model_change
    ]
    return pins


def is_stored(wanted: MeasurementFilter) -> bool:
    """Return whether boards store the figures of a part: those of one platform or of one country."""
    return len(wanted.part) == 1 and bool(wanted.platform or wanted.country)


def find_stored_headline(board: TrendBoard, wanted: MeasurementFilter) -> Headline | None:
    """Return the figures of a part that a board stores; None if the check did not ask it."""
    if wanted.platform:
        return next((row for row in board.platforms if row.platform == wanted.platform), None)
    return next((row for row in board.countries if (row.country or "global") == wanted.country), None)


def _find_value(row: CompetitorResult, metric: str) -> Number | None:
    if metric == "brand_coverage_pct":
        return None if row.mentions is None or not row.score.n else round(100 * row.mentions / row.score.n, 1)
    return row.share_of_voice_pct if metric == "share_of_voice_pct" else row.score.value


def render_trend(data: OverviewData) -> Markup | None:
    """Return the chart; None with fewer than two points. Rendering is slow: call it in a thread."""
    if sum(each.figure.value is not None for each in data.trend.full) < _MIN_POINTS:
        return None
    part = f", {describe_part(data.view.filter)}" if data.view.is_filtered else ""
    name = gettext(METRIC_NAMES[data.view.metric])
    title = gettext("%(metric)s of %(brand)s over time", metric=name, brand=data.brand) + part
    return CHARTS.render(build_trend_chart(data.trend, _LAYOUT), "trend", title, describe_trend(data), sizes=_SIZES)


def describe_trend(data: OverviewData) -> str:
    """Describe the finding of the chart: the latest value, the first one shown, and whether that is a change."""
    trend = data.trend
    measured = [each for each in trend.full if each.figure.value is not None]
    last_break = trend.breaks[-1] if trend.breaks else ""
    first, last = next((each for each in measured if each.at >= last_break), measured[-1]), measured[-1]
    text = gettext(
        "%(value)s in the check of %(day)s, %(first)s in the first one shown, of %(first_day)s.",
        value=format_figure(last.figure, trend.unit),
        day=format_date(to_utc_day(last.at)),
        first=format_figure(first.figure, trend.unit),
        first_day=format_date(to_utc_day(first.at)),
    )
    if imported := data.describe_import():
        text = f"{imported} {text}"
    if data.breaks:
        text = _describe_break(data.breaks[-1]) + " " + text
    change = getattr(getattr(data.board.headline, data.view.metric), "comparison", None)
    if change is not None and not data.view.is_filtered:
        text += " " + gettext("%(verdict)s since the previous Full Check.", verdict=format_verdict(change))
    return text


def _describe_break(found: SurfaceBreak) -> str:
    return gettext(
        "A new line starts on %(day)s, because a platform was asked on another surface (%(change)s).",
        day=format_date(to_utc_day(found.at)),
        change=describe_surface_change(found.platform, found.before, found.now),
    )


def explain_missing_trend(data: OverviewData) -> str:
    """Say why there is no chart."""
    view, metric = data.view, gettext(METRIC_NAMES[data.view.metric])
    if view.is_filtered and view.metric not in PartPoint.__struct_fields__:
        if len(view.filter.part) > 1:
            return gettext(
                "%(metric)s over time is available for one platform or one country, not for both.", metric=metric
            )
        if view.filter.language or view.filter.tag:
            return gettext("%(metric)s over time is not available for a language or a tag.", metric=metric)
    return gettext("Not enough data for a trend yet: this period has fewer than two checks.")
