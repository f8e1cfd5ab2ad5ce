"""The ledger: every change of credits is one entry, and the balance of an account is their sum.

The row of the account is the lock. Changing the balance holds it until the transaction ends, so two scans cannot spend
the same credit. Every entry has a cause, and a cause has one entry, so repeating an action moves credits once.
"""

import uuid
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.credits import queries
from sightline.credits.models import LedgerEntry, Reason
from sightline.credits.schemas import CreditsLowData
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.errors import Problem, invalid_field
from sightline.events import record_event
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id
from sightline.settings import Settings

_TEST_GRANT = "test-grant"


class CreditRules(msgspec.Struct, frozen=True):
    """The operator's rules: the credits that test mode starts with, and the balance that counts as low."""

    test_credits: int
    low_threshold: int


def build_credit_rules(settings: Settings) -> CreditRules:
    return CreditRules(test_credits=settings.test_credits, low_threshold=settings.credits_low)


async def open_account(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, rules: CreditRules, now: datetime
) -> None:
    """Create the account if it is missing. Test mode starts with test credits, live mode with none."""
    await queries.insert_account(
        db,
        workspace_id,
        new_id(),
        livemode=livemode,
        grant=0 if livemode else rules.test_credits,
        cause=_TEST_GRANT,
        description="Test credits to start with",
        now=now,
    )


async def lock_balance(
    tx: Transaction, workspace_id: uuid.UUID, *, livemode: bool, rules: CreditRules, now: datetime
) -> int:
    """Return the balance, which nobody else can change until the transaction ends."""
    return await _read(tx, workspace_id, livemode=livemode, rules=rules, now=now, lock=True)


async def read_balance(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, rules: CreditRules, now: datetime
) -> int:
    return await _read(db, workspace_id, livemode=livemode, rules=rules, now=now, lock=False)


async def _read(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, rules: CreditRules, now: datetime, lock: bool
) -> int:
    balance = await queries.find_balance(db, workspace_id, livemode=livemode, lock=lock)
    if balance is None:
        await open_account(db, workspace_id, livemode=livemode, rules=rules, now=now)
        balance = await queries.find_balance(db, workspace_id, livemode=livemode, lock=lock)
    assert balance is not None  # accounts are never deleted
    return balance


async def post_entry(
    tx: Transaction,
    workspace_id: uuid.UUID,
    *,
    livemode: bool,
    delta: int,
    reason: Reason,
    cause: str,
    description: str,
    scan_id: uuid.UUID | None = None,
    payment_reference: str | None = None,
    rules: CreditRules,
    now: datetime,
) -> bool:
    """Append one entry and move the balance. Return False, without a change, when the cause has an entry.

    A balance below zero is not refused here: a reversed payment leads to one.
    """
    await lock_balance(tx, workspace_id, livemode=livemode, rules=rules, now=now)
    entry = LedgerEntry(new_id(), delta, reason, scan_id, payment_reference, description, now)
    return await queries.insert_entry(tx, workspace_id, entry, livemode=livemode, cause=cause)


async def charge_scan(
    tx: Transaction,
    workspace_id: uuid.UUID,
    scan_id: uuid.UUID,
    credits: int,  # noqa: A002 - the product's term
    *,
    livemode: bool,
    description: str,
    rules: CreditRules,
    now: datetime,
) -> None:
    """Charge a scan, or refuse it with 402 `insufficient_credits` and charge nothing.

    With a balance below zero even a free scan is refused. A scan is charged once, however often this is called. The
    charge that takes the balance below the operator's threshold records the event `credits.low`.
    """
    balance = await lock_balance(tx, workspace_id, livemode=livemode, rules=rules, now=now)
    if balance < credits:
        raise Problem("insufficient_credits", required_credits=credits, balance=balance)
    if credits == 0:
        return
    charged = await post_entry(
        tx,
        workspace_id,
        livemode=livemode,
        delta=-credits,
        reason="scan_consumption",
        cause=_scan_cause(scan_id),
        description=description,
        scan_id=scan_id,
        rules=rules,
        now=now,
    )
    left = balance - credits
    if charged and left < rules.low_threshold <= balance:
        low = CreditsLowData(left, rules.low_threshold, workspace_id, livemode)
        await record_event(tx, "credits.low", low, cause=str(scan_id), now=now)


async def refund_scan(
    tx: Transaction,
    workspace_id: uuid.UUID,
    scan_id: uuid.UUID,
    *,
    livemode: bool,
    description: str,
    rules: CreditRules,
    now: datetime,
) -> int:
    """Refund what the scan was charged, once. Return 0 when it was charged nothing or is refunded already."""
    taken = await queries.find_delta(tx, workspace_id, _scan_cause(scan_id), livemode=livemode)
    if taken is None:
        return 0
    refunded = await post_entry(
        tx,
        workspace_id,
        livemode=livemode,
        delta=-taken,
        reason="refund",
        cause=f"scan-refund:{scan_id}",
        description=description,
        scan_id=scan_id,
        rules=rules,
        now=now,
    )
    return -taken if refunded else 0


async def refund_platform(
    tx: Transaction,
    workspace_id: uuid.UUID,
    scan_id: uuid.UUID,
    platform: str,
    credits: int,  # noqa: A002 - the product's term
    *,
    livemode: bool,
    description: str,
    rules: CreditRules,
    now: datetime,
) -> int:
    """Refund one platform of a scan, once. Return 0 when it cost nothing or is refunded already."""
    if credits == 0:
        return 0
    refunded = await post_entry(
        tx,
        workspace_id,
        livemode=livemode,
        delta=credits,
        reason="refund",
        cause=f"scan-refund:{scan_id}:{platform}",
        description=description,
        scan_id=scan_id,
        rules=rules,
        now=now,
    )
    return credits if refunded else 0


async def grant_credits(
    tx: Transaction,
    workspace_id: uuid.UUID,
    amount: int,
    *,
    livemode: bool,
    note: str,
    rules: CreditRules,
    now: datetime,
) -> int:
    """Grant credits as the operator, and return the balance. Each call is a grant of its own."""
    if amount <= 0:
        raise invalid_field("amount", "must be above 0", "range")
    return await _post_by_operator(tx, workspace_id, amount, "promotional_grant", livemode, note, rules, now)


async def adjust_credits(
    tx: Transaction,
    workspace_id: uuid.UUID,
    delta: int,
    *,
    livemode: bool,
    note: str,
    rules: CreditRules,
    now: datetime,
) -> int:
    """Correct the balance as the operator, and return it. Refused: taking more than there is (402)."""
    if delta == 0:
        raise invalid_field("delta", "must not be 0", "range")
    balance = await lock_balance(tx, workspace_id, livemode=livemode, rules=rules, now=now)
    if delta < 0 and balance + delta < 0:
        detail = f"The balance is {balance}: {-delta} cannot be taken from it."
        raise Problem("insufficient_credits", detail, required_credits=-delta, balance=balance)
    return await _post_by_operator(tx, workspace_id, delta, "manual_adjustment", livemode, note, rules, now)


async def _post_by_operator(
    tx: Transaction,
    workspace_id: uuid.UUID,
    delta: int,
    reason: Reason,
    livemode: bool,
    note: str,
    rules: CreditRules,
    now: datetime,
) -> int:
    await post_entry(
        tx,
        workspace_id,
        livemode=livemode,
        delta=delta,
        reason=reason,
        cause=f"operator:{new_id()}",
        description=note,
        rules=rules,
        now=now,
    )
    return await lock_balance(tx, workspace_id, livemode=livemode, rules=rules, now=now)


def _scan_cause(scan_id: uuid.UUID) -> str:
    return f"scan:{scan_id}"


async def list_entries(
    db: Reader,
    actor: Actor,
    *,
    reason: str | None,
    after: queries.SortKey | None,
    page_size: int,
    rules: CreditRules,
    now: datetime,
) -> Slice[LedgerEntry]:
    """List entries, newest first. An unused test account already shows the credits it starts with."""
    if after is None:
        await read_balance(db, actor.workspace_id, livemode=actor.livemode, rules=rules, now=now)
    rows = await queries.list_entries(
        db, actor.workspace_id, livemode=actor.livemode, reason=reason, after=after, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))
