"""A provider's message: which attempt it speaks of, and then the same as everybody else does."""

from datetime import datetime
from typing import TYPE_CHECKING

from sightline.credits.checkout.settle import settle_attempt
from sightline.credits.checkout.states import Attempt
from sightline.credits.ledger import CreditRules
from sightline.credits.providers.models import Signal
from sightline.credits.providers.payments import Payments
from sightline.db.engine import Database

if TYPE_CHECKING:
    from sightline.credits.providers.stripe import StripePayments


async def settle_signal(
    db: Database, payments: Payments, stripe: "StripePayments", signal: Signal, *, rules: CreditRules, now: datetime
) -> Attempt | None:
    """None when the payment is not one of ours: a Stripe account may sell other things too."""
    if signal.payment is not None:
        found = await stripe.find_session(signal.payment)
        if found is None:
            return None
        signal = found
    if signal.reference is None:
        return None
    return await settle_attempt(db, payments, signal.reference, session=signal.session, rules=rules, now=now)
