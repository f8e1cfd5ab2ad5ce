"""Cancelling checkouts that the buyer left or replaced: their payment pages are closed at once.

What is to be closed is recorded first. If the provider cannot be asked, or the process dies, the reconciler closes it.
Until then the checkout counts against the spend cap, because it can be paid. A payment that was faster is credited.
"""

from datetime import datetime, timedelta

import structlog

from sightline.accounts.models import Actor
from sightline.credits.checkout import queries
from sightline.credits.checkout.settle import settle_attempt
from sightline.credits.checkout.states import AttemptRow
from sightline.credits.ledger import CreditRules
from sightline.credits.providers.models import ProviderUnavailable
from sightline.credits.providers.payments import Payments
from sightline.db.engine import Database

log = structlog.get_logger()

_START_TIME = timedelta(minutes=2)  # a provider takes less than this to create a page, retries included


async def cancel_checkout(
    db: Database, payments: Payments, attempt: AttemptRow, *, rules: CreditRules, now: datetime
) -> AttemptRow | None:
    """Close the page of an unpaid checkout, and return the updated attempt.

    Raises `ProviderUnavailable` when the provider cannot be asked now.
    """
    async with db.transaction() as tx:
        await queries.mark_cancelled(tx, attempt.workspace_id, attempt.id, now=now)
    return await settle_attempt(db, payments, attempt.reference, rules=rules, now=now)


async def cancel_open_checkouts(
    db: Database, payments: Payments, actor: Actor, *, rules: CreditRules, now: datetime
) -> None:
    """Close the pages of all unpaid checkouts of the workspace and mode, as far as the provider answers."""
    async with db.transaction() as tx:
        references = await queries.mark_open_cancelled(
            tx, actor.workspace_id, livemode=actor.livemode, unstarted_before=now - _START_TIME, now=now
        )
    for reference in references:
        try:
            await settle_attempt(db, payments, reference, rules=rules, now=now)
        except ProviderUnavailable as failure:
            log.warning("checkout_not_closed", workspace_id=str(actor.workspace_id), reason=str(failure))
            return
