"""The charts of the Overview, and the finding of each in a sentence."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec
from markupsafe import Markup

from sightline.insights.alerts.schemas import Alert
from sightline.kit.clock import Timestamp, to_iso
from sightline.metrics.figure import Number
from sightline.reports.bars import chart_platforms, say_platforms, say_value
from sightline.reports.course import HEIGHT, Course, Mark, Moment, Rival, chart_course, say_date
from sightline.reports.weekly.sayings import NAMES, say_country, say_verdict
from sightline.reports.words import platform_name
from sightline.scans.schemas.results import CompetitorResult
from sightline.scoreboard.history.trend import PastFullCheck
from sightline.scoreboard.schemas import Board, TrendPoint
from sightline.web.drawings import DRAWINGS
from sightline.web.pages.dashboard.overview_view import View

_MOST_LINES = 5
_RANK = "market_position"  # of a part of the prompts it jumps by chance, so Daily Checks are left out
_FEWEST = 2  # one point is no course
_SIZES = ((900, HEIGHT), (340, 220))


class Shown(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All that the charts are made of."""

    brand: str
    view: View
    board: Board
    points: Sequence[TrendPoint]
    past: Sequence[PastFullCheck]
    places: Mapping[str, int]
    """Each competitor's place among those that are measured."""
    alerts: Sequence[Alert]

    @cached_property
    def course(self) -> Course:
        metric = self.view.metric
        return Course(
            brand=self.brand,
            unit=" %" if metric.endswith("_pct") else "",
            is_rank=metric == _RANK,
            full=self._full(metric),
            daily=[] if self.view.is_filtered or metric == _RANK else self._points(metric, daily=True),
            rivals=[] if self.view.is_filtered else self._rivals(metric),
            marks=self._marks(),
        )

    def _points(self, metric: str, *, daily: bool) -> list[Moment]:
        wanted = [point for point in self.points if (point.scope == "daily_check") is daily]
        return [Moment(point.completed_at, getattr(point, metric)) for point in wanted]

    def _full(self, metric: str) -> list[Moment]:
        """Of one platform or country the Full Checks alone are kept."""
        if not self.view.is_filtered:
            return self._points(metric, daily=False)
        rows = [(check.completed_at, self.view.find(check.board)) for check in self.past]
        return [Moment(to_iso(at), getattr(row, metric)) for at, row in rows if row is not None]

    def _rivals(self, metric: str) -> list[Rival]:
        first = [row.name for row in self.board.competitors if not row.is_own][:_MOST_LINES]
        return [Rival(name, self.places.get(name, 1), tuple(self._values(name, metric))) for name in first]

    def _values(self, name: str, metric: str) -> list[tuple[Timestamp, Number]]:
        values = []
        for check in self.past:
            row = next((row for row in check.board.competitors if row.name == name), None)
            value = None if row is None else _value_of(row, metric)
            if value is not None:
                values.append((to_iso(check.completed_at), value))
        return values

    def _marks(self) -> list[Mark]:
        first = min((point.completed_at for point in self.points), default="")
        alerts = [
            Mark(alert.watched_at, f"Alert, {alert.state}\n{alert.summary}", is_alert=True)
            for alert in self.alerts
            if alert.state != "lapsed" and first and alert.watched_at >= first
        ]
        others = [
            Mark(
                to_iso(check.completed_at),
                f"{say_date(to_iso(check.completed_at))}\nAnother model answers on a platform",
            )
            for check in self.past
            if check.has_model_change
        ]
        return alerts + others


def _value_of(row: CompetitorResult, metric: str) -> Number | None:
    """Coverage is measured for the brand alone."""
    known: dict[str, Number | None] = {
        "visibility_score": row.score.value,
        "ai_mentions": row.mentions,
        "share_of_voice_pct": row.share_of_voice_pct,
        "market_position": row.position,
    }
    return known.get(metric)


def draw_charts(shown: Shown) -> dict[str, Markup]:
    """By name; what has nothing to show is not there. Draws, so it belongs into a thread of its own."""
    drawn: dict[str, Markup] = {}
    course, metric = shown.course, shown.view.metric
    if _count_measured(course) >= _FEWEST:
        title = f"{NAMES[metric]} of {shown.brand} over time{_where(shown.view)}"
        drawn["course"] = DRAWINGS.draw(chart_course(course), "course", title, say_course(shown), sizes=_SIZES)
    by = "visibility_score" if metric == _RANK else metric
    rows = [(row.platform, getattr(row, by)) for row in shown.board.platforms]
    if any(figure.value is not None for _, figure in rows):
        height = 30 * len(rows) + 30
        drawn["platforms"] = DRAWINGS.draw(
            chart_platforms(rows, course.unit if by == metric else ""),
            "platforms",
            f"{NAMES[by]} of {shown.brand} by platform",
            say_platforms(rows),
            sizes=((440, height),),
        )
    return drawn


def say_course(shown: Shown) -> str:
    """The finding: where it is, where it was, and whether that is a change."""
    measured = [each for each in (shown.course.full or shown.course.daily) if each.figure.value is not None]
    if not measured:
        return "Nothing was measured in this period."
    first, last = measured[0], measured[-1]
    said = f"{say_value(last.figure, shown.course.unit)} in the check of {say_date(last.at)}"
    if first is not last:
        said += f", {say_value(first.figure, shown.course.unit)} in the first one shown, of {say_date(first.at)}"
    change = getattr(getattr(shown.board.headline, shown.view.metric), "comparison", None)
    if change is not None and not shown.view.is_filtered:
        said += f". {say_verdict(change)} since the Full Check before"
    return f"{said}."


def say_gap(shown: Shown) -> str:
    """What the chart leaves out, and why."""
    if shown.view.is_filtered:
        return "Full Checks alone: Daily Checks and competitors are kept for all platforms and countries together."
    if shown.view.metric == _RANK:
        return "Full Checks alone: with a part of the prompts, places change by chance."
    if shown.view.metric == "brand_coverage_pct":
        return "Brand Coverage is measured for your brand alone."
    return ""


def _where(view: View) -> str:
    if view.platform:
        return f", on {platform_name(view.platform)}"
    return f", {say_country(view.country_code)}" if view.country else ""


def _count_measured(course: Course) -> int:
    return sum(each.figure.value is not None for each in (*course.full, *course.daily))
