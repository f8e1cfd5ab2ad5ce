"""The view of the Overview that an address asks for: the metric, the filter, and the day whose check is shown."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

import msgspec

from sightline.presentation.language import gettext
from sightline.scoreboard.history.trend import PastFullCheck
from sightline.scoreboard.models import ImportedWeek
from sightline.scoreboard.schemas import TrendPoint
from sightline.scoreboard.subsets.filter import MeasurementFilter, Period
from sightline.web.filter_bar import FilterBar
from sightline.web.pages.dashboard.page_league import DEFAULT_METRIC, METRICS, choose_metric


class OverviewView(NamedTuple):
    """The chosen metric, the filter bar, and the period that the chart shows.

    `day` is the last day that the league and the map may know of; the chart shows the whole period nevertheless.
    """

    metric: str
    bar: FilterBar
    period: Period
    day: str = ""

    def query(self, **changes: str) -> str:
        """Return the query string of this view with some changes."""
        if changes.get("metric") == DEFAULT_METRIC:
            changes["metric"] = ""
        return self.bar.query(**changes)

    @property
    def metric_name(self) -> str:
        return gettext(METRICS[self.metric])

    @property
    def filter(self) -> MeasurementFilter:
        return self.bar.filter

    @property
    def board_bar(self) -> FilterBar:
        """Return the bar of the board that is shown: the one of the chosen day."""
        if not self.day:
            return self.bar
        wanted = msgspec.structs.replace(self.filter, period="", since="", until=self.day)
        return msgspec.structs.replace(self.bar, filter=wanted)

    @property
    def is_filtered(self) -> bool:
        """Return whether the view shows a part of the answers."""
        return bool(self.filter.part)

    def filter_points(self, points: list[TrendPoint]) -> list[TrendPoint]:
        """Return the points of the period."""
        return [point for point in points if self._includes(datetime.fromisoformat(point.completed_at))]

    def filter_checks(self, checks: list[PastFullCheck]) -> list[PastFullCheck]:
        """Return the Full Checks of the period."""
        return [check for check in checks if self._includes(check.completed_at)]

    def filter_weeks(self, weeks: Sequence[ImportedWeek]) -> list[ImportedWeek]:
        """Return the imported weeks of the period."""
        return [week for week in weeks if self._includes(datetime.fromisoformat(week.at))]

    def _includes(self, moment: datetime) -> bool:
        return self.period.start <= moment <= self.period.end


def build_view(metric: str, day: str, bar: FilterBar, now: datetime) -> OverviewView:
    """Build the view. An unknown metric gets the default, and an unknown day the latest check."""
    return OverviewView(
        choose_metric(metric),
        bar,
        bar.filter.find_period(now),
        day if _is_day(day) else "",
    )


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text and text >= "2000"
    except ValueError:
        return False
