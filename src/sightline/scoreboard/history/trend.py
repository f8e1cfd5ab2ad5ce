"""The course of a domain over its Full Checks: platforms, countries and competitors, check by check."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.scans.models import AnswersSource
from sightline.scans.schemas.results import CompetitorResult, PlatformResult
from sightline.scoreboard.history.queries import list_trend_boards
from sightline.scoreboard.schemas import ComparedHeadline, CountryResult


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
    def has_other_model(self) -> bool:
        """Whether a platform answered by another model than in the check before."""
        change = self.board.headline.visibility_score.comparison
        return change is not None and "model" in change.reasons


_read = msgspec.json.Decoder(TrendBoard).decode


async def read_trend(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource, *, since: datetime
) -> list[PastFullCheck]:
    """Old to new. Made-up answers and real ones never stand together."""
    rows = await list_trend_boards(db, workspace_id, domain_id, source, since=since)
    return [PastFullCheck(completed_at, _read(board)) for completed_at, board in rows]
