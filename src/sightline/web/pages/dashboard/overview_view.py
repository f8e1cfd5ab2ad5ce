"""The view of the Overview that an address asks for: metric, period, and one platform or country."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from sightline.scans.schemas.results import Headline
from sightline.scoreboard.history.trend import TrendBoard
from sightline.scoreboard.schemas import Board, ComparedHeadline, TrendPoint

METRICS = ("visibility_score", "brand_coverage_pct", "ai_mentions", "share_of_voice_pct", "market_position")
PERIODS = {"4w": "4 weeks", "12w": "12 weeks", "26w": "6 months", "52w": "1 year"}
_DEFAULT_PERIOD = "12w"
AnyHeadline = Headline | ComparedHeadline
AnyBoard = Board | TrendBoard


class OverviewView(NamedTuple):
    """The chosen view. An empty platform or country means all of them.

    Only one of the two is set: a board has no figures of one platform in one country.
    """

    metric: str
    period: str
    platform: str = ""
    country: str = ""

    def query(self, **changes: str) -> str:
        """Return the query string of this view with some changes. A platform replaces a country, and vice versa."""
        if changes.get("platform"):
            changes["country"] = ""
        if changes.get("country"):
            changes["platform"] = ""
        values = self._replace(**changes)._asdict()
        defaults = OverviewView(METRICS[0], _DEFAULT_PERIOD)._asdict()
        return "?" + urlencode({name: value for name, value in values.items() if value != defaults[name]})

    @property
    def is_filtered(self) -> bool:
        return bool(self.platform or self.country)

    @property
    def country_code(self) -> str | None:
        return None if self.country == "global" else self.country

    def since(self, now: datetime) -> datetime:
        return now - timedelta(weeks=int(self.period.removesuffix("w")))

    def filter_points(self, points: list[TrendPoint], now: datetime) -> list[TrendPoint]:
        first = self.since(now)
        return [point for point in points if datetime.fromisoformat(point.completed_at) >= first]

    def find_headline_or_total(self, board: AnyBoard) -> AnyHeadline:
        """Return the figures of the view, or those of the whole board where it has none."""
        return self.find_headline(board) or board.headline

    def find_headline(self, board: AnyBoard) -> AnyHeadline | None:
        """Return the figures of the view; None where the board has no answers for it."""
        if self.platform:
            return next((row for row in board.platforms if row.platform == self.platform), None)
        if self.country:
            return next((row for row in board.countries if row.country == self.country_code), None)
        return board.headline


def parse_view(params: Mapping[str, str], board: Board) -> OverviewView:
    """Parse the query parameters. Unknown values, and those that the board does not have, get their defaults."""
    metric, period = params.get("metric", ""), params.get("period", "")
    platform, country = params.get("platform", ""), params.get("country", "")
    if platform not in {row.platform for row in board.platforms}:
        platform = ""
    if platform or country not in {row.country or "global" for row in board.countries}:
        country = ""
    return OverviewView(
        metric if metric in METRICS else METRICS[0], period if period in PERIODS else _DEFAULT_PERIOD, platform, country
    )
