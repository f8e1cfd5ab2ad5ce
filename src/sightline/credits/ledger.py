"""The ledger: every change of credits is one entry, and the balance of an account is their sum.

The row of the account is the lock. Changing the balance holds it until the transaction ends, so two scans cannot spend
the same credit. Every entry has a cause, and a cause has one entry, so repeating an action moves credits once.
"""

import uuid
from datetime import datetime

import msgspec

from sightline.audit.record import record_audit
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


class CreditAccount(msgspec.Struct, frozen=True):
    """The live or test credits of a workspace, with the rules that hold for them."""

    workspace_id: uuid.UUID
    livemode: bool
    rules: CreditRules


class NewEntry(msgspec.Struct, frozen=True):
    """An entry to be appended. A cause has one entry."""

    delta: int
    reason: Reason
    cause: str
    description: str
    scan_id: uuid.UUID | None = None
    payment_reference: str | None = None


async def open_account(db: Reader, account: CreditAccount, *, now: datetime) -> None:
    """Create the account if it is missing. Test mode starts with test credits, live mode with none."""
    grant = 0 if account.livemode else account.rules.test_credits
    first = LedgerEntry(new_id(), grant, "promotional_grant", None, None, "Test credits to start with", now)
    await queries.insert_account(db, account.workspace_id, first, livemode=account.livemode, cause=_TEST_GRANT)


async def lock_balance(tx: Transaction, account: CreditAccount, *, now: datetime) -> int:
    """Return the balance, which nobody else can change until the transaction ends."""
    return await _read(tx, account, now=now, lock=True)


async def read_balance(db: Reader, account: CreditAccount, *, now: datetime) -> int:
    return await _read(db, account, now=now, lock=False)


async def _read(db: Reader, account: CreditAccount, *, now: datetime, lock: bool) -> int:
    balance = await queries.find_balance(db, account.workspace_id, livemode=account.livemode, lock=lock)
    if balance is None:
        await open_account(db, account, now=now)
        balance = await queries.find_balance(db, account.workspace_id, livemode=account.livemode, lock=lock)
    assert balance is not None  # accounts are never deleted
    return balance


async def post_entry(tx: Transaction, account: CreditAccount, entry: NewEntry, *, now: datetime) -> bool:
    """Append one entry and move the balance. Return False, without a change, when the cause has an entry.

    A balance below zero is not refused here: a reversed payment leads to one.
    """
    await lock_balance(tx, account, now=now)
    row = LedgerEntry(
        new_id(), entry.delta, entry.reason, entry.scan_id, entry.payment_reference, entry.description, now
    )
    return await queries.insert_entry(tx, account.workspace_id, row, livemode=account.livemode, cause=entry.cause)


async def charge_scan(
    tx: Transaction,
    account: CreditAccount,
    scan_id: uuid.UUID,
    credits: int,  # noqa: A002 - the product's term
    *,
    description: str,
    now: datetime,
) -> None:
    """Charge a scan, or refuse it with 402 `insufficient_credits` and charge nothing.

    With a balance below zero even a free scan is refused. A scan is charged once, however often this is called. The
    charge that takes the balance below the operator's threshold records the event `credits.low`.
    """
    balance = await lock_balance(tx, account, now=now)
    if balance < credits:
        raise Problem("insufficient_credits", required_credits=credits, balance=balance)
    if credits == 0:
        return
    entry = NewEntry(-credits, "scan_consumption", _scan_cause(scan_id), description, scan_id)
    charged = await post_entry(tx, account, entry, now=now)
    left, threshold = balance - credits, account.rules.low_threshold
    if charged and left < threshold <= balance:
        low = CreditsLowData(left, threshold, account.workspace_id, account.livemode)
        await record_event(tx, "credits.low", low, cause=str(scan_id), now=now)


async def refund_scan(
    tx: Transaction, account: CreditAccount, scan_id: uuid.UUID, *, description: str, now: datetime
) -> int:
    """Refund what the scan was charged, once. Return 0 when it was charged nothing or is refunded already."""
    taken = await queries.find_delta(tx, account.workspace_id, _scan_cause(scan_id), livemode=account.livemode)
    if taken is None:
        return 0
    entry = NewEntry(-taken, "refund", f"scan-refund:{scan_id}", description, scan_id)
    return -taken if await post_entry(tx, account, entry, now=now) else 0


def build_platform_refund(scan_id: uuid.UUID, platform: str, credits: int, description: str) -> NewEntry:  # noqa: A002 - the product's term
    """Return the entry that refunds one platform of a scan. It can be posted once."""
    return NewEntry(credits, "refund", f"scan-refund:{scan_id}:{platform}", description, scan_id)


async def grant_credits(tx: Transaction, account: CreditAccount, amount: int, *, note: str, now: datetime) -> int:
    """Grant credits as the operator, and return the balance. Each call is a grant of its own."""
    if amount <= 0:
        raise invalid_field("amount", "must be above 0", "range")
    return await _post_by_operator(tx, account, amount, "promotional_grant", note, now)


async def adjust_credits(tx: Transaction, account: CreditAccount, delta: int, *, note: str, now: datetime) -> int:
    """Correct the balance as the operator, and return it. Refused: taking more than there is (402)."""
    if delta == 0:
        raise invalid_field("delta", "must not be 0", "range")
    balance = await lock_balance(tx, account, now=now)
    if delta < 0 and balance + delta < 0:
        detail = f"The balance is {balance}: {-delta} cannot be taken from it."
        raise Problem("insufficient_credits", detail, required_credits=-delta, balance=balance)
    return await _post_by_operator(tx, account, delta, "manual_adjustment", note, now)


async def _post_by_operator(
    tx: Transaction, account: CreditAccount, delta: int, reason: Reason, note: str, now: datetime
) -> int:
    await post_entry(tx, account, NewEntry(delta, reason, f"operator:{new_id()}", note), now=now)
    await record_audit(
        tx, account.workspace_id, "credits_granted", delta=delta, reason=reason, livemode=account.livemode
    )
    return await lock_balance(tx, account, now=now)


def _scan_cause(scan_id: uuid.UUID) -> str:
    return f"scan:{scan_id}"


async def list_entries(
    db: Reader,
    account: CreditAccount,
    *,
    reason: str | None,
    after: queries.SortKey | None,
    page_size: int,
    now: datetime,
) -> Slice[LedgerEntry]:
    """List entries, newest first. An unused test account already shows the credits it starts with."""
    if after is None:
        await read_balance(db, account, now=now)
    rows = await queries.list_entries(
        db, account.workspace_id, livemode=account.livemode, reason=reason, after=after, limit=page_size + 1
    )
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))
