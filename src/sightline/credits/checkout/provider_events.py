"""Handling a provider's event: find the attempt that it names, and settle it."""

from datetime import datetime
from typing import TYPE_CHECKING

from sightline.credits.checkout.settle import settle_attempt
from sightline.credits.checkout.states import AttemptRow
from sightline.credits.ledger import CreditRules
from sightline.credits.providers.models import ProviderEvent
from sightline.credits.providers.payments import Payments
from sightline.db.engine import Database

if TYPE_CHECKING:
    from sightline.credits.providers.stripe import StripePayments


async def settle_provider_event(
    db: Database,
    payments: Payments,
    stripe: "StripePayments",
    event: ProviderEvent,
    *,
    rules: CreditRules,
    now: datetime,
) -> AttemptRow | None:
    """Settle the attempt. Return None when the payment is not ours: a Stripe account may sell other things."""
    if event.payment is not None:
        found = await stripe.find_session(event.payment)
        if found is None:
            return None
        event = found
    if event.reference is None:
        return None
    return await settle_attempt(db, payments, event.reference, session=event.session, rules=rules, now=now)
