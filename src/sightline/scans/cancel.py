"""Cancelling a scan. Its credits are refunded if it has not started yet, and not afterwards."""

import uuid
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.credits.ledger import CreditRules
from sightline.db.engine import Transaction
from sightline.errors import Problem
from sightline.events import record_event
from sightline.scans import queries
from sightline.scans.console_scans import require_console_scan
from sightline.scans.refunds import refund_whole_scan
from sightline.scans.schemas.scan_events import to_scan_event
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow


async def cancel_scan(
    tx: Transaction, actor: Actor, scan_id: uuid.UUID | None, *, rules: CreditRules, now: datetime
) -> ScanRow:
    """Cancel a pending or running scan. Refuse one that has ended, with its status.

    Answers that a running scan has already received stay stored. The scan's row is locked from the beginning, so a
    start, an end or a second cancellation happens entirely before or after this one.
    """
    found = scan_id and await queries.lock_scan(tx, actor.workspace_id, scan_id)
    scan = require_console_scan(found or None, actor)
    if not scan.status.is_active:
        raise Problem("scan_not_cancellable", scan_status=scan.status)
    moved = await queries.move_scan(
        tx, actor.workspace_id, scan.id, from_=scan.status, to=ScanStatus.CANCELLED, now=now
    )
    assert moved is not None  # we hold the row
    if scan.status is ScanStatus.PENDING:
        moved = await refund_whole_scan(
            tx, moved, description=f"Scan of {scan.domain} cancelled before it started", rules=rules, now=now
        )
    await queries.drop_lanes(tx, actor.workspace_id, scan.id)
    await record_event(tx, "scan.cancelled", to_scan_event(moved), cause=str(moved.id), now=now)
    return moved
