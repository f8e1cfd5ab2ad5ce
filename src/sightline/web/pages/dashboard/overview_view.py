"""The view of the Overview that an address asks for: the chosen metric, and the filter."""

from datetime import datetime
from typing import NamedTuple

from sightline.scoreboard.history.trend import PastFullCheck
from sightline.scoreboard.schemas import TrendPoint
from sightline.scoreboard.subsets.filter import MeasurementFilter, Period
from sightline.web.filter_bar import FilterBar

METRICS = ("visibility_score", "brand_coverage_pct", "ai_mentions", "share_of_voice_pct", "market_position")


class OverviewView(NamedTuple):
    """The chosen metric, the filter bar, and the period that charts show."""

    metric: str
    bar: FilterBar
    period: Period

    def query(self, **changes: str) -> str:
        """Return the query string of this view with some changes."""
        if changes.get("metric") == METRICS[0]:
            changes["metric"] = ""
        return self.bar.query(**changes)

    @property
    def filter(self) -> MeasurementFilter:
        return self.bar.filter

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

    def _includes(self, moment: datetime) -> bool:
        return self.period.start <= moment <= self.period.end


def build_view(metric: str, bar: FilterBar, now: datetime) -> OverviewView:
    """Build the view. An unknown metric gets the default."""
    return OverviewView(metric if metric in METRICS else METRICS[0], bar, bar.filter.find_period(now))
