"""Reversals: a refund or dispute removes its share of the credits. If the money comes back, so do the credits.

Every refund and dispute counts once, by the provider's id, however often and in any order it is reported.
"""

from datetime import datetime

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
            recorded[reversal.id] = await _record_reversal(
                tx, attempt, order, reversal, list(recorded.values()), rules, now
            )
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


async def _record_reversal(
    tx: Transaction,
    attempt: AttemptRow,
    order: Order,
    reversal: Reversal,
    before: list[RecordedReversal],
    rules: CreditRules,
    now: datetime,
) -> RecordedReversal:
    counting = [row for row in before if not row.undone]
    taken = 0
    if attempt.credited_at is not None and not reversal.undone:
        cents = reversal.cents + sum(row.cents for row in counting)
        taken = max(returned_share(attempt.credits, cents, order.total_cents) - sum(row.credits for row in counting), 0)
    row = RecordedReversal(reversal.id, reversal.cents, taken, reversal.undone)
    await queries.insert_reversal(tx, attempt.workspace_id, attempt.id, row, reversal.kind, now=now)
    if taken:
        cause = f"{reversal.kind}:{reversal.id}"
        await _post(tx, attempt, -taken, cause, _TAKEN[reversal.kind], rules, now)
    return row


async def _record_undone(
    tx: Transaction, attempt: AttemptRow, reversal: Reversal, known: RecordedReversal, rules: CreditRules, now: datetime
) -> RecordedReversal:
    await queries.mark_reversal_undone(tx, attempt.workspace_id, attempt.id, known.id)
    if known.credits:
        cause = f"{reversal.kind}-undone:{known.id}"
        await _post(tx, attempt, known.credits, cause, _UNDONE[reversal.kind], rules, now)
    return RecordedReversal(known.id, known.cents, known.credits, undone=True)


async def _post(
    tx: Transaction, attempt: AttemptRow, delta: int, cause: str, description: str, rules: CreditRules, now: datetime
) -> None:
    await post_entry(
        tx,
        CreditAccount(attempt.workspace_id, attempt.livemode, rules),
        NewEntry(delta, "refund", cause, description, payment_reference=attempt.payment_reference),
        now=now,
    )


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
