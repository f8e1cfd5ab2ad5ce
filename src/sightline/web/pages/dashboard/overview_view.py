"""What of the Overview somebody wants to see, all of it in the address: metric, period, and one platform or country."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from sightline.scans.schemas.results import Headline
from sightline.scoreboard.history.trend import TrendBoard
from sightline.scoreboard.schemas import Board, ComparedHeadline, TrendPoint

METRICS = ("visibility_score", "brand_coverage_pct", "ai_mentions", "share_of_voice_pct", "market_position")
PERIODS = {"4w": "4 weeks", "12w": "12 weeks", "26w": "6 months", "52w": "1 year"}
_USUAL = "12w"
AnyHeadline = Headline | ComparedHeadline
AnyBoard = Board | TrendBoard


class OverviewView(NamedTuple):
    """`platform` and `country` are empty for all of them. A board has no figures of one platform in one country."""

    metric: str
    period: str
    platform: str = ""
    country: str = ""

    def query(self, **changes: str) -> str:
        """The same view but for these; a platform takes the place of a country, and the other way round."""
        if changes.get("platform"):
            changes["country"] = ""
        if changes.get("country"):
            changes["platform"] = ""
        given = self._replace(**changes)._asdict()
        usual = OverviewView(METRICS[0], _USUAL)._asdict()
        return "?" + urlencode({name: value for name, value in given.items() if value != usual[name]})

    @property
    def is_filtered(self) -> bool:
        return bool(self.platform or self.country)

    @property
    def country_code(self) -> str | None:
        return None if self.country == "global" else self.country

    def since(self, now: datetime) -> datetime:
        return now - timedelta(weeks=int(self.period.removesuffix("w")))

    def cut(self, points: list[TrendPoint], now: datetime) -> list[TrendPoint]:
        first = self.since(now)
        return [point for point in points if datetime.fromisoformat(point.completed_at) >= first]

    def choose(self, board: AnyBoard) -> AnyHeadline:
        """The figures of a board that the view is about."""
        return self.find(board) or board.headline

    def find(self, board: AnyBoard) -> AnyHeadline | None:
        """The same, or None where the board did not ask there."""
        if self.platform:
            return next((row for row in board.platforms if row.platform == self.platform), None)
        if self.country:
            return next((row for row in board.countries if row.country == self.country_code), None)
        return board.headline


def parse_view(params: Mapping[str, str], board: Board) -> OverviewView:
    """What the address does not know, or the board does not have, is left out."""
    metric, period = params.get("metric", ""), params.get("period", "")
    platform, country = params.get("platform", ""), params.get("country", "")
    if platform not in {row.platform for row in board.platforms}:
        platform = ""
    if platform or country not in {row.country or "global" for row in board.countries}:
        country = ""
    return OverviewView(
        metric if metric in METRICS else METRICS[0], period if period in PERIODS else _USUAL, platform, country
    )
