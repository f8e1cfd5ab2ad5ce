"""Domains that had no next check get one again, when the plan of their workspace allows it again."""

from datetime import datetime

from sightline.db.engine import Database
from sightline.plans.table import PlanTable, runs_scheduled_checks
from sightline.scans.scheduling import queries
from sightline.scans.scheduling.due import next_due

_BATCH = 500


async def arm_domains_any_workspace(db: Database, plans: PlanTable, *, now: datetime) -> int:
    """How many there were. Their next check is at the next time of their own grid: a new plan starts none at once.

    It looks for such domains instead of being told of a change of plan: so no way of changing one can forget it.
    """
    allowed = {plan: grants.tracked_domains for plan, grants in plans.items() if runs_scheduled_checks(plan)}
    armed = 0
    while True:
        async with db.transaction() as tx:
            if not await queries.claim_arming_any_workspace(tx):
                return armed
            domains = await queries.list_unarmed_any_workspace(tx, domains_by_plan=allowed, limit=_BATCH)
            for domain in domains:
                due = next_due(domain.anchor_at, now)
                await queries.set_next_check(tx, domain.workspace_id, domain.id, due)
        armed += len(domains)
        if len(domains) < _BATCH:
            return armed
