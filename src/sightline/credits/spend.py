"""The monthly spend cap: what a workspace may spend on credits, and what it has spent."""

import uuid
from datetime import datetime

from sightline.audit.record import record_audit
from sightline.credits import queries
from sightline.credits.models import Spend
from sightline.db.engine import Reader, Transaction
from sightline.kit.clock import start_of_month, start_of_next_month


async def read_spend(db: Reader, workspace_id: uuid.UUID, *, livemode: bool, now: datetime, default_cap: int) -> Spend:
    """Return the cap, and the credited purchases of this calendar month (UTC) without their refunds."""
    cap, spent = await queries.find_cap_and_spend(
        db, workspace_id, livemode=livemode, since=start_of_month(now), before=start_of_next_month(now)
    )
    return Spend(default_cap if cap is None else cap, spent)


async def sum_open_attempts(tx: Transaction, workspace_id: uuid.UUID, *, livemode: bool, now: datetime) -> int:
    """Return the cents of checkouts that may still be paid. They count, or two at once could exceed the cap."""
    on_their_way, unpaid = await queries.sum_open_attempts(tx, workspace_id, livemode=livemode, now=now)
    return on_their_way + unpaid


async def read_cap_left(db: Reader, workspace_id: uuid.UUID, *, livemode: bool, now: datetime, default_cap: int) -> int:
    """Return the cents of this month's cap that a purchase may take.

    Payments on their way count. Unpaid checkouts do not: the next checkout cancels them.
    """
    spend = await read_spend(db, workspace_id, livemode=livemode, now=now, default_cap=default_cap)
    on_their_way, _ = await queries.sum_open_attempts(db, workspace_id, livemode=livemode, now=now)
    return max(spend.spend_cap_cents - spend.current_month_spend_cents - on_their_way, 0)


async def set_spend_cap(tx: Transaction, workspace_id: uuid.UUID, cents: int | None, *, now: datetime) -> None:
    """Set the cap of the workspace. None means the default of the installation, even after it changes."""
    await queries.set_spend_cap(tx, workspace_id, cents, now=now)
    await record_audit(tx, workspace_id, "spend_limit_set", cents=cents)
