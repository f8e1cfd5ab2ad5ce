"""Settling: the one place that turns money into credits.

The provider's events, the return page, the recover operation and the reconciler all call this, in any order and at
once. None of them is trusted: the provider is asked, and its answer is compared with the order. The lock of the attempt
and the ledger's one entry per cause make sure that a payment is credited once.
"""

from datetime import datetime

import structlog

from sightline.credits.checkout import queries
from sightline.credits.checkout.attempts import move_attempt
from sightline.credits.checkout.reversals import apply_reversals
from sightline.credits.checkout.states import IN_REVIEW, AttemptRow, AttemptStatus
from sightline.credits.ledger import CreditAccount, CreditRules, NewEntry, post_entry
from sightline.credits.packs import find_pack
from sightline.credits.providers.models import Order, Provider, ProviderUnavailable
from sightline.credits.providers.payments import Payments
from sightline.credits.sandbox_money import has_sandbox_ended
from sightline.db.engine import Database, Transaction
from sightline.kit.counting import count
from sightline.kit.crash import crash_point
from sightline.presentation.numbers import format_money

log = structlog.get_logger()

_S = AttemptStatus


async def settle_attempt(
    db: Database,
    payments: Payments,
    reference: str,
    *,
    session: str | None = None,
    rules: CreditRules,
    now: datetime,
) -> AttemptRow | None:
    """Move the attempt to the state of its payment, and return it. Return None when it does not exist.

    `session` is the provider's order that an event names; by default, the one that the attempt was started with.
    Raises `ProviderUnavailable` when the provider cannot be asked. No transaction is open meanwhile.
    """
    attempt = await queries.find_attempt_any_workspace(db, reference)
    if attempt is None:
        return None
    asked = session or attempt.provider_session
    order = await _find_order(payments.find_provider(attempt.provider), attempt, asked, now=now)
    async with db.transaction() as tx:
        locked = await queries.lock_attempt(tx, attempt.workspace_id, attempt.id)
        if locked.provider_session is None and order is not None:
            await queries.adopt_session(tx, attempt.workspace_id, attempt.id, order.session)
        settled = await _apply(tx, locked, order, rules=rules, now=now)
        crash_point("before_settle_commit")
    crash_point("after_settle_commit")
    if settled.status is not attempt.status:
        log.info("checkout_settled", attempt_id=str(settled.id), was=attempt.status, status=settled.status)
        if settled.status in IN_REVIEW:
            log.warning(
                "payment_in_review",
                workspace_id=str(settled.workspace_id),
                attempt_id=str(settled.id),
                status=settled.status,
                reason=settled.reason,
            )
    return settled


async def _find_order(
    provider: Provider | None, attempt: AttemptRow, session: str | None, *, now: datetime
) -> Order | None:
    """Return the provider's order. It is closed first if the attempt was cancelled or has expired."""
    if provider is None:
        raise ProviderUnavailable(f"{attempt.provider} is no longer set up")
    if session is None:
        return None
    order = await provider.find_order(session, now=now)
    has_ended = attempt.cancelled_at is not None or now >= attempt.expires_at
    if order is not None and order.stage == "open" and attempt.is_open and has_ended:
        await provider.close_order(session, now=now)
        order = await provider.find_order(session, now=now)
    return order


async def _apply(
    tx: Transaction, attempt: AttemptRow, order: Order | None, *, rules: CreditRules, now: datetime
) -> AttemptRow:
    if order is not None and order.stage == "paid":
        attempt = await _apply_payment(tx, attempt, order, rules=rules, now=now)
        if order.order_id is not None and order.order_id == attempt.payment_reference:
            attempt = await apply_reversals(tx, attempt, order, rules=rules, now=now)
        return attempt
    if not attempt.is_open or (order is not None and order.session != (attempt.provider_session or order.session)):
        return attempt
    stage = "open" if order is None else order.stage
    if stage == "processing" and order is not None:
        if attempt.status is _S.UNPAID:
            attempt = await move_attempt(tx, attempt, _S.PENDING, payment_reference=order.order_id, now=now)
    elif stage == "failed":
        attempt = await move_attempt(tx, attempt, _S.EXPIRED, reason="The payment failed.", now=now)
    elif stage == "closed" or (order is None and (attempt.cancelled_at is not None or now >= attempt.expires_at)):
        reason = "It was not paid in time." if attempt.cancelled_at is None else "The buyer left or replaced it unpaid."
        attempt = await move_attempt(tx, attempt, _S.EXPIRED, reason=reason, now=now)
    return attempt


async def _apply_payment(
    tx: Transaction, attempt: AttemptRow, order: Order, *, rules: CreditRules, now: datetime
) -> AttemptRow:
    if attempt.credited_at is not None:
        return await _apply_second_payment(tx, attempt, order, now=now)
    if not attempt.is_open and attempt.status is not _S.EXPIRED:
        return attempt  # a person decides about it, and this payment changes nothing
    if attempt.livemode and attempt.is_test_money and await has_sandbox_ended(tx, lock=True):
        reason = "Test money buys no live credits once a platform is connected."
        return await move_attempt(tx, attempt, _S.EXPIRED, reason=reason, now=now) if attempt.is_open else attempt
    if difference := compare_order(attempt, order):
        return await move_attempt(
            tx, attempt, _S.RECONCILIATION, reason=difference, payment_reference=order.order_id, now=now
        )
    if objection := await _find_objection(tx, attempt, order):
        return await move_attempt(
            tx, attempt, _S.REFUND_REQUIRED, reason=objection, payment_reference=order.order_id, now=now
        )
    return await credit_attempt(tx, attempt, payment_reference=order.order_id, rules=rules, now=now)


async def credit_attempt(
    tx: Transaction,
    attempt: AttemptRow,
    *,
    payment_reference: str | None,
    reason: str | None = None,
    rules: CreditRules,
    now: datetime,
) -> AttemptRow:
    """Add the credits of a locked attempt that was paid. The ledger's cause makes sure that this happens once."""
    credited = await move_attempt(tx, attempt, _S.CREDITED, reason=reason, payment_reference=payment_reference, now=now)
    await post_entry(
        tx,
        CreditAccount(attempt.workspace_id, attempt.livemode, rules),
        NewEntry(
            attempt.credits,
            "purchase",
            f"checkout:{attempt.id}",
            f"{count(attempt.credits, 'credit')} bought",
            payment_reference=payment_reference,
        ),
        now=now,
    )
    return credited


async def _apply_second_payment(tx: Transaction, attempt: AttemptRow, order: Order, *, now: datetime) -> AttemptRow:
    """Handle a second payment of a credited attempt: it has to be refunded and credits nothing."""
    if order.order_id == attempt.payment_reference:
        return attempt
    if not order.is_returned and attempt.status in {_S.CREDITED, _S.REFUNDED}:
        reason = f"Paid twice: {order.order_id} has to be refunded."
        return await move_attempt(tx, attempt, _S.REFUND_REQUIRED, reason=reason, now=now)
    if order.is_returned and attempt.status is _S.REFUND_REQUIRED:
        before = _S.REFUNDED if attempt.refunded_cents >= attempt.amount_cents else _S.CREDITED
        return await move_attempt(tx, attempt, before, now=now)
    return attempt


def compare_order(attempt: AttemptRow, order: Order) -> str | None:
    """Return the difference between the paid order and the attempt, or None when they agree.

    Prices exclude tax: tax is the only amount that the customer may be charged on top.
    """
    if order.reference != attempt.reference or order.workspace_id != str(attempt.workspace_id):
        return "The paid order belongs to another workspace or checkout."
    if order.livemode is not attempt.livemode:
        return "Paid in the payment provider's other mode: test money cannot buy live credits."
    if order.currency != attempt.currency:
        return f"Paid in {order.currency}, ordered in {attempt.currency}."
    if order.amount_cents != attempt.amount_cents or order.total_cents - order.tax_cents != attempt.amount_cents:
        paid = order.total_cents - order.tax_cents
        price = format_money(attempt.amount_cents, attempt.currency)
        return f"The customer paid {format_money(paid, order.currency)} before tax, but the order was for {price}."
    if order.order_id is None:
        return "The order counts as paid, but there is no payment."
    return None


async def _find_objection(tx: Transaction, attempt: AttemptRow, order: Order) -> str | None:
    """Return why a correct payment is too late, or None."""
    pack = await find_pack(tx, attempt.pricing_id)
    if pack is None or not pack.active:
        return "Paid after the pack was taken off sale."
    late = order.paid_at is None or order.paid_at > attempt.expires_at
    if attempt.status is _S.EXPIRED and late:
        return "Paid after the checkout had ended."
    return None
