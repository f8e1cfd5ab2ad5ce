"""Reversals: a refund or dispute removes its share of the credits. If the money comes back, so do the credits.

Every refund and dispute counts once, by the provider's id, however often and in any order it is reported.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.credits.checkout import queries
from sightline.credits.checkout.attempts import move_attempt
from sightline.credits.checkout.queries import RecordedReversal
from sightline.credits.checkout.states import AttemptRow, AttemptStatus
from sightline.credits.ledger import CreditAccount, CreditRules, NewEntry, post_entry
from sightline.credits.providers.models import Order, Reversal
from sightline.db.engine import Transaction

_TAKEN = {"refund": "Payment refunded", "dispute": "Payment disputed, funds withdrawn"}
_UNDONE = {"refund": "Refund failed, payment kept", "dispute": "Dispute won, funds reinstated"}

_REFUND_FAILED = "The refund failed."


async def apply_reversals(
    tx: Transaction, attempt: AttemptRow, order: Order, *, rules: CreditRules, now: datetime
) -> AttemptRow:
    """Apply the reversals of a locked attempt. An attempt that was never credited has no credits to take."""
    recorded = {row.id: row for row in await queries.list_reversals(tx, attempt.workspace_id, attempt.id)}
    changed = False
    for reversal in order.reversals:
        known = recorded.get(reversal.id)
        if known is None:
            taken = _count_credits(attempt, order, reversal, list(recorded.values()))
            recorded[reversal.id] = await _record_reversal(tx, attempt, reversal, taken, rules, now)
        elif reversal.undone and not known.undone:
            recorded[reversal.id] = await _record_undone(tx, attempt, reversal, known, rules, now)
        else:
            continue
        changed = True
    if not changed:
        return attempt
    return await _update_totals(tx, attempt, order, [row for row in recorded.values() if not row.undone], now=now)


def returned_share(whole: int, returned_cents: int, total_cents: int) -> int:
    """Return the share of `whole` that goes back with the money: rounded down, and all of it after a full refund."""
    return whole if returned_cents >= total_cents else whole * returned_cents // total_cents


def _count_credits(attempt: AttemptRow, order: Order, reversal: Reversal, before: Sequence[RecordedReversal]) -> int:
    """Return the credits that a reversal takes, after those that were recorded before it."""
    if attempt.credited_at is None or reversal.undone:
        return 0
    counting = [row for row in before if not row.undone]
    cents = reversal.cents + sum(row.cents for row in counting)
    return max(returned_share(attempt.credits, cents, order.total_cents) - sum(row.credits for row in counting), 0)


async def _record_reversal(
    tx: Transaction, attempt: AttemptRow, reversal: Reversal, taken: int, rules: CreditRules, now: datetime
) -> RecordedReversal:
    row = RecordedReversal(reversal.id, reversal.cents, taken, reversal.undone)
    await queries.insert_reversal(tx, attempt.workspace_id, attempt.id, row, reversal.kind, now=now)
    if taken:
        entry = NewEntry(-taken, "refund", f"{reversal.kind}:{reversal.id}", _TAKEN[reversal.kind])
        await _post(tx, attempt, entry, rules, now)
    return row


async def _record_undone(
    tx: Transaction, attempt: AttemptRow, reversal: Reversal, known: RecordedReversal, rules: CreditRules, now: datetime
) -> RecordedReversal:
    await queries.mark_reversal_undone(tx, attempt.workspace_id, attempt.id, known.id)
    if known.credits:
        entry = NewEntry(known.credits, "refund", f"{reversal.kind}-undone:{known.id}", _UNDONE[reversal.kind])
        await _post(tx, attempt, entry, rules, now)
    return RecordedReversal(known.id, known.cents, known.credits, undone=True)


async def _post(tx: Transaction, attempt: AttemptRow, entry: NewEntry, rules: CreditRules, now: datetime) -> None:
    account = CreditAccount(attempt.workspace_id, attempt.livemode, rules)
    paid = msgspec.structs.replace(entry, payment_reference=attempt.payment_reference)
    await post_entry(tx, account, paid, now=now)


async def _update_totals(
    tx: Transaction, attempt: AttemptRow, order: Order, counting: list[RecordedReversal], *, now: datetime
) -> AttemptRow:
    """Store the totals, and move the attempt to the state of its money. Stored cents exclude tax, like the price."""
    returned = sum(row.cents for row in counting)
    attempt = await queries.save_refunded(
        tx,
        attempt.workspace_id,
        attempt.id,
        cents=returned_share(attempt.amount_cents, returned, order.total_cents),
        credits=sum(row.credits for row in counting),
        now=now,
    )
    paid_twice = attempt.credited_at is not None and attempt.status is AttemptStatus.REFUND_REQUIRED
    if paid_twice:  # the other payment still has to be refunded
        return attempt
    if returned >= order.total_cents and attempt.status is not AttemptStatus.REFUNDED:
        return await move_attempt(tx, attempt, AttemptStatus.REFUNDED, reason=attempt.reason, now=now)
    if returned < order.total_cents and attempt.status is AttemptStatus.REFUNDED:
        if attempt.credited_at is not None:
            return await move_attempt(tx, attempt, AttemptStatus.CREDITED, now=now)
        first_reason = (attempt.reason or "").removesuffix(_REFUND_FAILED)
        reason = f"{first_reason.strip()} {_REFUND_FAILED}".strip()
        return await move_attempt(tx, attempt, AttemptStatus.REFUND_REQUIRED, reason=reason, now=now)
    return attempt
