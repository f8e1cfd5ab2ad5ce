"""Payments that a person has to look at: the operator is notified of them, lists them and resolves them.

An attempt comes here when its payment differs from the order (`reconciliation`) or must be returned
(`refund_required`). Resolving records what the operator did with the money; it moves none at the provider.
"""

from datetime import datetime
from functools import partial
from typing import Literal

import structlog

from sightline.accounts.users import find_user
from sightline.credits.checkout import queries
from sightline.credits.checkout.attempts import move_attempt
from sightline.credits.checkout.settle import credit_attempt
from sightline.credits.checkout.states import IN_REVIEW, AttemptRow, AttemptStatus
from sightline.credits.ledger import CreditRules
from sightline.db.engine import Database, Transaction
from sightline.errors import Problem, invalid_field
from sightline.mail.emails import EmailText, Recipient, build_emails, enqueue_emails, join_paragraphs
from sightline.presentation.language import gettext, translatable
from sightline.presentation.numbers import format_money, format_number
from sightline.settings import Settings

log = structlog.get_logger()

Resolution = Literal["credited", "refunded"]

_STATUS_TEXTS = {
    AttemptStatus.RECONCILIATION: translatable("Status: in review"),
    AttemptStatus.REFUND_REQUIRED: translatable("Status: refund required"),
}


async def report_payments_any_workspace(db: Database, settings: Settings, *, now: datetime) -> int:
    """E-mail the operator once each time a payment enters review, and return the number of payments reported.

    Without an address nothing is marked as reported: an operator who sets one later is notified of all that still wait.
    """
    if not settings.operator_email:
        return 0
    async with db.transaction() as tx:
        attempts = await queries.claim_unreported_any_workspace(tx, now=now)
        operator = await find_user(tx, settings.operator_email)
        recipient = Recipient(settings.operator_email, None if operator is None else operator.language)
        for attempt in attempts:
            await enqueue_emails(tx, *build_emails([recipient], partial(_write_email, attempt)))
    return len(attempts)


async def resolve_payment(
    tx: Transaction, reference: str, resolution: Resolution, *, note: str, rules: CreditRules, now: datetime
) -> AttemptRow:
    """Record the operator's decision about a payment in review, and return the attempt.

    `credited` accepts the payment and adds the credits of the checkout; `refunded` says that the money was returned.
    Refused: an attempt that is not in review (404), and credits for test money or for a second payment (422).
    """
    found = await queries.find_attempt_any_workspace(tx, reference)
    attempt = found and await queries.lock_attempt(tx, found.workspace_id, found.id)
    if attempt is None or attempt.status not in IN_REVIEW:
        raise Problem("not_found", "No payment in review has this reference.")
    reason = f"Resolved by the operator: {note}"
    if resolution == "credited":
        _require_creditable(attempt)
        resolved = await credit_attempt(
            tx, attempt, payment_reference=attempt.payment_reference, reason=reason, rules=rules, now=now
        )
    else:
        resolved = await move_attempt(tx, attempt, _status_after_refund(attempt), reason=reason, now=now)
    log.info("payment_resolved", attempt_id=str(attempt.id), was=attempt.status, status=resolved.status)
    return resolved


def _require_creditable(attempt: AttemptRow) -> None:
    if attempt.credited_at is not None:
        message = "the checkout was paid twice and is credited; return the second payment, or use `credits grant`"
        raise invalid_field("resolution", message, "unsupported")
    if attempt.livemode and attempt.is_test_money:
        raise invalid_field("resolution", "test money cannot buy live credits", "unsupported")
    if attempt.payment_reference is None:
        raise invalid_field("resolution", "there is no payment", "unsupported")


def _status_after_refund(attempt: AttemptRow) -> AttemptStatus:
    """Return the status after the payment in review was refunded: an earlier payment may keep the attempt credited."""
    kept = attempt.credited_at is not None and attempt.refunded_cents < attempt.amount_cents
    return AttemptStatus.CREDITED if kept else AttemptStatus.REFUNDED


def _write_email(attempt: AttemptRow) -> EmailText:
    payment = attempt.payment_reference or gettext("unknown")
    price = format_money(attempt.amount_cents, attempt.currency)
    facts = [
        gettext(_STATUS_TEXTS[attempt.status]),
        gettext("Reason: %(reason)s", reason=attempt.reason or gettext("unknown")),
        gettext("Workspace: %(id)s", id=attempt.workspace_id),
        gettext("Reference: %(reference)s", reference=attempt.reference),
        gettext("Payment: %(payment)s (%(provider)s)", payment=payment, provider=attempt.provider),
        gettext("Ordered: %(credits)s credits for %(price)s", credits=format_number(attempt.credits), price=price),
    ]
    command = "sightline credits reconciliations"
    text = join_paragraphs(
        gettext("A payment for credits needs your review."),
        "\n".join(facts),
        gettext("List all payments in review:") + f"\n  {command}",
        gettext("If you want to keep the payment, add the credits:")
        + f'\n  {command} resolve {attempt.reference} credited --note "..."',
        gettext("If you have refunded the payment yourself, record that:")
        + f'\n  {command} resolve {attempt.reference} refunded --note "..."',
    )
    return EmailText(gettext("A payment needs review"), text)
