"""The trend of a domain over its Full Checks, by platform, country and competitor."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise

import msgspec

from sightline.db.engine import Reader
from sightline.kit.clock import Timestamp
from sightline.metrics.figure import Number
from sightline.metrics.observation import Surface
from sightline.metrics.trend import find_surface_changes
from sightline.scans.models import AnswersSource
from sightline.scans.schemas.results import CompetitorResult, PlatformResult
from sightline.scans.stored import ScanRow
from sightline.scoreboard.history.queries import list_full_check_points, list_trend_boards, list_trend_points
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
Scores = Mapping[uuid.UUID, Sequence[Number]]
"""By domain, the Visibility Scores of its checks, oldest first."""


async def read_scores(
    db: Reader, workspace_id: uuid.UUID, domains: Sequence[tuple[uuid.UUID, AnswersSource]], *, since: datetime
) -> Scores:
    """Return the scores that checks of these domains and sources measured since a time, without Daily Checks.

    They start with the last check in which a platform was asked on another surface.
    """
    points: dict[uuid.UUID, list[TrendPoint]] = {domain_id: [] for domain_id, _ in domains}
    for domain_id, point in await list_full_check_points(db, workspace_id, domains, since=since):
        points[domain_id].append(_decode_point(point))
    return {domain_id: _list_scores(found) for domain_id, found in points.items()}


def _list_scores(points: Sequence[TrendPoint]) -> list[Number]:
    breaks = list_surface_breaks(points)
    values = [point.visibility_score.value for point in points if not breaks or point.completed_at >= breaks[-1].at]
    return [value for value in values if value is not None]


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


class SurfaceBreak(msgspec.Struct, frozen=True):
    """A check in which a platform was asked on another surface than before. A new line of every trend starts here."""

    at: Timestamp
    platform: str
    before: Surface | None
    now: Surface


def list_surface_breaks(points: Sequence[TrendPoint], platform: str = "") -> list[SurfaceBreak]:
    """Return the breaks between Full Checks, oldest first, of one platform or of all."""
    full = [point for point in points if point.scope != "daily_check"]
    found = []
    for before, now in pairwise(full):
        known = before.surfaces or dict.fromkeys(now.surfaces)  # older checks do not have theirs
        changes = find_surface_changes(known, now.surfaces)
        found += [
            SurfaceBreak(now.completed_at, key, was, surface)
            for key, (was, surface) in changes.items()
            if platform in ("", key)
        ]
    return found


async def read_surface_breaks(
    db: Reader, scan: ScanRow | None, *, since: datetime, platform: str = ""
) -> list[SurfaceBreak]:
    """Return where new lines start in the trends of the domain and the source of a scan."""
    if scan is None:
        return []
    points = await read_trend_points(db, scan.workspace_id, scan.domain_id, scan.answers_source, since=since)
    return list_surface_breaks(points, platform)
