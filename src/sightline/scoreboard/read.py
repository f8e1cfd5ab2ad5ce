"""Reading the stored board of a tracked domain, or of one of its checks. The cost does not grow with the history."""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

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
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.history.queries import list_trend_points
from sightline.scoreboard.market import drop_market_figures
from sightline.scoreboard.models import BoardRow
from sightline.scoreboard.schemas import Board, decode_board

# A longer trend would say little about today, and would grow without end.
_TREND_PERIOD = timedelta(days=366)


class StoredBoard(msgspec.Struct, frozen=True):
    """A board as JSON, and the check that it belongs to."""

    json: bytes
    scan: ScanRow | None = None
    """The requested check; for the domain's board, the Full Check that it is based on."""
    as_of: datetime | None = None
    row: BoardRow | None = None
    """The row of the domain's board; None for the board of a check, and before the first check."""

    def decode(self) -> Board:
        return decode_board(self.json)


async def read_scoreboard(db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow) -> StoredBoard:
    """Return the board of a domain; before its first check, an empty one."""
    row = await queries.find_board(db, workspace_id, domain.id)
    scan = row and row.plan_scan_id and await find_scan(db, workspace_id, row.plan_scan_id)
    if row is None or row.board is None or not scan:
        return StoredBoard(msgspec.json.encode(empty_board(domain)))
    return StoredBoard(row.board, scan, row.as_of, row)


def empty_board(domain: TrackedDomainRow) -> Board:
    brand = Brand(domain.brand_name, tuple(domain.aliases), (domain.domain, *domain.owned_domains))
    return build_empty_board(domain.domain, brand)


async def read_past_scan(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID | None
) -> StoredBoard:
    """Return the board of one check.

    Refused: a check of another domain (404), and one that has not completed (409).
    """
    scan = scan_id and await find_scan(db, workspace_id, scan_id)
    if not scan or scan.domain_id != domain_id or scan.measurement_scope not in TRACKED_SCOPES:
        raise Problem("scan_not_found")
    board = await queries.find_scan_board(db, workspace_id, scan.id)
    if scan.status is not ScanStatus.COMPLETED or board is None:
        raise Problem("results_not_ready", scan_status=scan.status)
    if scan.measurement_scope == "daily_check":
        board = msgspec.json.encode(drop_market_figures(decode_board(board)))
    return StoredBoard(board, scan, scan.completed_at)


async def find_check_board(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> Board | None:
    """Return the board of a check as it is stored; None before the check is summarized."""
    stored = await queries.find_scan_board(db, workspace_id, scan_id)
    return None if stored is None else decode_board(stored)


async def read_stored_trend(db: Reader, scan: ScanRow, now: datetime) -> list[bytes]:
    """Return the trend points of the last year as JSON, of checks with the same source as this one."""
    return await list_trend_points(
        db, scan.workspace_id, scan.domain_id, scan.answers_source, since=now - _TREND_PERIOD
    )


_decode = msgspec.json.Decoder(CheckChanges).decode


async def read_check_changes(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> CheckChanges | None:
    """Return the changes of a Full Check; None if it was the first, or from before changes were stored."""
    return (await list_check_changes(db, workspace_id, [scan_id])).get(scan_id)


async def list_check_changes(
    db: Reader, workspace_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, CheckChanges]:
    """Return the changes of these Full Checks; a scan without any is missing."""
    stored = await queries.list_check_changes(db, workspace_id, scan_ids)
    return {scan_id: _decode(changes) for scan_id, changes in stored.items()}
