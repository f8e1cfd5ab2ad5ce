"""Starting due checks. Any number of processes may do it at once, and each of them may crash at any moment."""

import uuid
from datetime import datetime

import structlog

from sightline.accounts.queries import lock_workspace
from sightline.credits.sandbox_money import has_sandbox_ended
from sightline.db.engine import Database, Transaction
from sightline.db.failures import is_outage
from sightline.domains.queries import find_active_scan
from sightline.domains.tracking.queries import set_next_check
from sightline.kit.crash import crash_point
from sightline.plans.table import Plan, is_free
from sightline.scans.scheduling import queries
from sightline.scans.scheduling.due import choose_scope, next_due
from sightline.scans.scheduling.enqueue_check import enqueue_check, includes_domain, plan_check
from sightline.scans.scheduling.first_check import start_free_audit
from sightline.scans.scheduling.models import CheckRules, ScheduledDomain, build_check_rules
from sightline.scans.states import Priority
from sightline.settings import Settings

log = structlog.get_logger()

BATCH_SIZE = 200


async def start_due_checks_any_workspace(db: Database, settings: Settings, *, now: datetime) -> int:
    """Start all due checks, and return how many were started. Each is started once, whatever the number of processes.

    A domain whose check cannot be started, because of a bug, does not delay the others.
    """
    rules = build_check_rules(settings)
    started, after = 0, None
    while moments := await queries.list_due_any_workspace(db, now=now, after=after, limit=BATCH_SIZE):
        for after in moments:
            try:
                started += await start_due_check(db, after.workspace_id, after.domain_id, rules, now=now)
            except Exception as error:
                if is_outage(error):
                    raise
                log.exception("due_check_not_started", domain_id=str(after.domain_id))
    return started


async def start_due_check(
    db: Database, workspace_id: uuid.UUID, domain_id: uuid.UUID, rules: CheckRules, *, now: datetime
) -> bool:
    """Start a check, and return whether it was started.

    The scan, its job and the next time are written in one transaction: a crash leaves all of them or none.
    """
    async with db.transaction() as tx:
        if is_free(await queries.read_plan(tx, workspace_id)):
            await lock_workspace(tx, workspace_id)  # its audit may start; before the domain, to avoid deadlocks
        domain = await queries.lock_due_domain(tx, workspace_id, domain_id, now=now)
        if domain is None:
            return False
        started = await _start(tx, domain, rules, now=now)
        crash_point("before_due_commit")
    crash_point("after_due_commit")
    return started


async def _start(tx: Transaction, domain: ScheduledDomain, rules: CheckRules, *, now: datetime) -> bool:
    if await find_active_scan(tx, domain.workspace_id, domain.id) is not None:
        return False  # stays due, and runs once when that scan has ended
    if rules.source == "sandbox" and await has_sandbox_ended(tx):
        return False  # stays due until this process knows of the connected platform, in a few seconds
    plan = await queries.read_plan(tx, domain.workspace_id)
    if not await includes_domain(tx, domain, plan, rules):
        return await _stop_checks(tx, domain, plan, rules, now=now)
    assert domain.next_check_at is not None
    scope = choose_scope(domain.anchor_at, domain.next_check_at, now)
    order = await plan_check(tx, domain, rules.plans[plan], scope, rules)
    if not order.is_empty:
        priority = Priority.FULL if scope == "full_check" else Priority.DAILY
        if await enqueue_check(tx, domain, order, priority=priority, rules=rules, now=now) is None:
            return False
    else:
        log.warning(
            "check_skipped",
            domain=domain.domain,
            scope=scope,
            prompts=len(order.prompts),
            platforms=len(order.platforms),
        )
    await set_next_check(tx, domain.workspace_id, domain.id, next_due(domain.anchor_at, now))
    return not order.is_empty


async def _stop_checks(
    tx: Transaction, domain: ScheduledDomain, plan: Plan, rules: CheckRules, *, now: datetime
) -> bool:
    """Take the domain off the schedule. Return whether a live audit was started to replace one by the sandbox.

    While no platform of the plan can be asked, the domain stays due, so that the audit runs as soon as one can.
    """
    audit = None
    if is_free(plan) and rules.source == "live" and await queries.has_only_sandbox_audit(tx, domain.workspace_id):
        if not (await plan_check(tx, domain, rules.plans[plan], "free_audit", rules)).platforms:
            return False
        audit = await start_free_audit(tx, domain, plan, rules=rules, now=now)
    await set_next_check(tx, domain.workspace_id, domain.id, None)
    log.info("checks_stopped", domain=domain.domain, plan=plan)
    return audit is not None
