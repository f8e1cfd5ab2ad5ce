"""Recovering a checkout: the state of its payment, verified with the provider."""

from datetime import datetime

from sightline.accounts.models import Actor
from sightline.credits.checkout.attempts import provider_unreachable, read_attempt
from sightline.credits.checkout.settle import settle_attempt
from sightline.credits.checkout.states import AttemptRow
from sightline.credits.ledger import CreditRules
from sightline.credits.providers.models import ProviderUnavailable
from sightline.credits.providers.payments import Payments
from sightline.db.engine import Database


async def recover_attempt(
    db: Database, actor: Actor, payments: Payments, reference: str, *, rules: CreditRules, now: datetime
) -> AttemptRow:
    """Credit what was paid, at most once. Works while new purchases are paused.

    Refused: an attempt of another workspace (404), and while the provider cannot be asked (503).
    """
    attempt = await read_attempt(db, actor, reference)
    try:
        settled = await settle_attempt(db, payments, attempt.reference, rules=rules, now=now)
    except ProviderUnavailable as failure:
        raise provider_unreachable() from failure
    assert settled is not None  # attempts are never deleted
    return settled
