"""Reading the board of a tracked domain, or of one of its past scans. The cost does not grow with the history."""

import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts.models import Actor
from sightline.answers.models import Brand
from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.errors import Problem
from sightline.scans.queries import find_scan
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow
from sightline.scoreboard import queries
from sightline.scoreboard.board import build_empty_board
from sightline.scoreboard.cells import TRACKED_SCOPES
from sightline.scoreboard.history.queries import list_trend_points
from sightline.scoreboard.market import drop_market_figures
from sightline.scoreboard.schemas import Board

# A longer trend would say little about today, and would grow without end.
_TREND_PERIOD = timedelta(days=366)
_decode_board = msgspec.json.Decoder(Board).decode


class BoardAnalytics(msgspec.Struct, frozen=True):
    """A stored board and trend as JSON, and the scan that they belong to."""

    scan: ScanRow | None
    """The requested scan; for the domain's board, the Full Check that it is based on."""
    as_of: datetime | None
    board: bytes
    trend: list[bytes]
    latest_scan_id: uuid.UUID | None = None
    """For the domain's board, the latest scan, which its comparisons are of."""


async def read_scoreboard(db: Reader, actor: Actor, domain: TrackedDomainRow, *, now: datetime) -> BoardAnalytics:
    row = await queries.find_board(db, actor.workspace_id, domain.id)
    if row is None or row.board is None:
        brand = Brand(domain.brand_name, tuple(domain.aliases), (domain.domain, *domain.owned_domains))
        return BoardAnalytics(None, None, msgspec.json.encode(build_empty_board(domain.domain, brand)), [])
    base_id = row.base_scan_id or row.latest_scan_id
    scan = base_id and await find_scan(db, actor.workspace_id, base_id)
    assert scan
    return BoardAnalytics(scan, row.as_of, row.board, await _read_trend(db, scan, now), row.latest_scan_id)


async def read_past_scan(
    db: Reader, actor: Actor, domain: TrackedDomainRow, scan_id: uuid.UUID | None, *, now: datetime
) -> BoardAnalytics:
    """Return the board of one scan.

    Refused: a scan of another domain (404), and one that has not completed (409).
    """
    scan = scan_id and await find_scan(db, actor.workspace_id, scan_id)
    if not scan or scan.domain_id != domain.id or scan.measurement_scope not in TRACKED_SCOPES:
        raise Problem("scan_not_found")
    board = await queries.find_scan_board(db, actor.workspace_id, scan.id)
    if scan.status is not ScanStatus.COMPLETED or board is None:
        raise Problem("results_not_ready", f"The check is {scan.status}.", scan_status=scan.status)
    if scan.measurement_scope == "daily_check":
        board = msgspec.json.encode(drop_market_figures(_decode_board(board)))
    return BoardAnalytics(scan, scan.completed_at, board, await _read_trend(db, scan, now))


async def _read_trend(db: Reader, scan: ScanRow, now: datetime) -> list[bytes]:
    return await list_trend_points(
        db, scan.workspace_id, scan.domain_id, scan.answers_source, since=now - _TREND_PERIOD
    )
