"""The reconciler: asks how open checkouts ended. Provider events get lost, and customers close tabs."""

from datetime import datetime, timedelta

import structlog

from sightline.credits.checkout import queries
from sightline.credits.checkout.settle import settle_attempt
from sightline.credits.ledger import CreditRules
from sightline.credits.providers.models import ProviderUnavailable
from sightline.credits.providers.payments import Payments
from sightline.db.engine import Database

log = structlog.get_logger()

_MIN_AGE = timedelta(minutes=1)
_MAX_INTERVAL = timedelta(minutes=10)
_BATCH = 50
_MAX_FAILURES = 3


async def reconcile_attempts_any_workspace(
    db: Database, payments: Payments, *, rules: CreditRules, now: datetime
) -> int:
    """Settle or expire open attempts that are due, and return how many have ended.

    Any number of processes may run this at once: each attempt is claimed by one. After repeated failures of the
    provider the round ends; the remaining attempts are due again later.
    """
    claimed = await queries.claim_due_attempts_any_workspace(
        db, now=now, min_age=_MIN_AGE, max_interval=_MAX_INTERVAL, limit=_BATCH
    )
    ended = failures = 0
    for reference in claimed:
        try:
            settled = await settle_attempt(db, payments, reference, rules=rules, now=now)
        except ProviderUnavailable as failure:
            failures += 1
            if failures == _MAX_FAILURES:
                log.warning("reconciler_stopped", reason=str(failure), left=len(claimed))
                break
            continue
        ended += settled is not None and not settled.is_open
    return ended
