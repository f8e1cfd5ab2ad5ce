"""Resuming checks: a domain without a next check gets one again when its plan allows it, or when a clock was wrong."""

from datetime import datetime

import structlog

from sightline.db.engine import Database
from sightline.domains.tracking.queries import set_next_check, unschedule_too_late_any_workspace
from sightline.plans.table import PlanTable, runs_scheduled_checks
from sightline.scans.scheduling import queries
from sightline.scans.scheduling.due import CLOCK_SKEW, DAY, next_due

log = structlog.get_logger()

_BATCH = 500


async def resume_checks_any_workspace(db: Database, plans: PlanTable, *, now: datetime) -> int:
    """Schedule the next check of such domains, and return how many there were.

    A next check more than a day away was set by a clock that was ahead: it is removed first and then set correctly. The
    next check is at the next time of the domain's own schedule: a new plan does not start a check at once. Domains are
    found by a query instead of by an event of the plan change, so that no way of changing a plan can forget them.
    """
    allowed = {plan: grants.tracked_domains for plan, grants in plans.items() if runs_scheduled_checks(plan)}
    resumed = 0
    while True:
        async with db.transaction() as tx:
            if not await queries.claim_resuming_any_workspace(tx):
                return resumed
            if too_late := await unschedule_too_late_any_workspace(tx, after=now + DAY + CLOCK_SKEW, now=now):
                log.warning("next_checks_reset", domains=too_late)
            domains = await queries.list_unscheduled_any_workspace(tx, domains_by_plan=allowed, limit=_BATCH)
            for domain in domains:
                due = next_due(domain.anchor_at, now)
                await set_next_check(tx, domain.workspace_id, domain.id, due)
        resumed += len(domains)
        if len(domains) < _BATCH:
            return resumed
