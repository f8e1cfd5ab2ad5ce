"""The trend of a domain over its Full Checks, by platform, country and competitor."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.scans.models import AnswersSource
from sightline.scans.schemas.results import CompetitorResult, PlatformResult
from sightline.scoreboard.history.queries import list_trend_boards, list_trend_points
from sightline.scoreboard.schemas import ComparedHeadline, CountryResult, TrendPoint


class TrendBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A board without its prompts and sources."""

    headline: ComparedHeadline
    platforms: tuple[PlatformResult, ...]
    countries: tuple[CountryResult, ...]
    competitors: tuple[CompetitorResult, ...]


class PastFullCheck(msgspec.Struct, frozen=True):
    completed_at: datetime
    board: TrendBoard

    @property
    def has_model_change(self) -> bool:
        """Return whether a platform answered with another model than in the previous Full Check."""
        change = self.board.headline.visibility_score.comparison
        return change is not None and "model" in change.reasons


_decode_point = msgspec.json.Decoder(TrendPoint).decode
_decode = msgspec.json.Decoder(TrendBoard).decode


async def read_trend(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource, *, since: datetime
) -> list[PastFullCheck]:
    """Return the Full Checks of one source since a time, oldest first."""
    rows = await list_trend_boards(db, workspace_id, domain_id, source, since=since)
    return [PastFullCheck(completed_at, _decode(board)) for completed_at, board in rows]


async def read_trend_points(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource, *, since: datetime
) -> list[TrendPoint]:
    """Return the points of all checks of one source since a time, oldest first."""
    rows = await list_trend_points(db, workspace_id, domain_id, source, since=since)
    return [_decode_point(row) for row in rows]
