"""The first check of a domain: at once when its setup is complete, and again when it failed and somebody says so."""

import uuid
from datetime import datetime

from sightline.accounts.queries import lock_workspace
from sightline.db.engine import Reader, Transaction
from sightline.domains.queries import find_active_scan
from sightline.errors import Problem, invalid_field
from sightline.plans.table import Plan, is_free, runs_scheduled_checks
from sightline.scans.scheduling import queries
from sightline.scans.scheduling.begin import begin_check, has_checks, order_check
from sightline.scans.scheduling.daily_set import choose_daily_prompts
from sightline.scans.scheduling.due import next_due
from sightline.scans.scheduling.models import CheckRules, ScheduledDomain, plan_platforms
from sightline.scans.states import Priority
from sightline.scans.stored import ScanRow, Scope


async def start_first_check(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, rules: CheckRules, now: datetime
) -> ScanRow | None:
    """A Full Check, and the domain is on its grid; on the Free plan, which has no grid, its audit.

    None where the workspace has had the audit, or the plan has no room for the domain. Refused: with 409 while a scan
    runs that was left from before the domain was removed, with 422 when no platform of the plan can be asked now.
    """
    plan, domain = await _lock(tx, workspace_id, domain_id)
    await _require_idle(tx, domain)
    if not await has_checks(tx, domain, plan, rules):
        return await start_free_audit(tx, domain, plan, rules=rules, now=now)
    await queries.set_next_check(tx, workspace_id, domain.id, next_due(domain.anchor_at, now))
    # Chosen anew when the check has completed. Should it fail, tomorrow's Daily Check has something to ask.
    await choose_daily_prompts(tx, workspace_id, domain.id, limit=rules.plans[plan].daily_prompts)
    return await _begin(tx, domain, plan, "full_check", rules, now=now)


async def start_free_audit(
    tx: Transaction, domain: ScheduledDomain, plan: Plan, *, rules: CheckRules, now: datetime
) -> ScanRow | None:
    """Once per workspace, ever; None afterwards. `domain` and its workspace are locked."""
    if not is_free(plan) or not await queries.claim_audit(tx, domain.workspace_id, now=now):
        return None
    return await _begin(tx, domain, plan, "free_audit", rules, now=now)


async def retry_first_check(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, rules: CheckRules, now: datetime
) -> ScanRow:
    """The Retry scan button: only while no check of the domain has completed, after the latest failed, one at a time.

    Otherwise 409. Free of charge. An audit that failed was none, so its retry is no second one.
    """
    plan, domain = await _lock(tx, workspace_id, domain_id)
    await _require_idle(tx, domain)
    latest = await queries.find_ended_check(tx, workspace_id, domain)
    if latest is None or latest.status != "failed":
        raise Problem("check_not_retryable")
    if await has_checks(tx, domain, plan, rules):
        started = await _begin(tx, domain, plan, "full_check", rules, now=now)
    elif is_free(plan) and latest.measurement_scope == "free_audit":
        started = await _begin(tx, domain, plan, "free_audit", rules, now=now)
    else:
        started = await start_free_audit(tx, domain, plan, rules=rules, now=now)
    if started is None:
        allowed = [each for each in rules.plans if runs_scheduled_checks(each)]
        raise Problem("plan_required", "The plan runs no checks of this domain.", required_plans=allowed)
    return started


async def may_retry(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, plan: Plan, *, rules: CheckRules
) -> bool:
    """Whether the Retry scan button is there at all. Whoever presses it is judged anew, behind the locks."""
    if not await queries.is_retryable(db, workspace_id, domain_id):
        return False
    domain = await queries.find_active_domain(db, workspace_id, domain_id)
    if domain is None:
        return False
    if await has_checks(db, domain, plan, rules):
        return True
    latest = await queries.find_ended_check(db, workspace_id, domain)
    was_audit = latest is not None and latest.measurement_scope == "free_audit"
    return is_free(plan) and (was_audit or not await queries.is_audited(db, workspace_id))


async def _lock(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> tuple[Plan, ScheduledDomain]:
    """The workspace before the domain, as everywhere: so no two can wait for each other."""
    workspace = await lock_workspace(tx, workspace_id)
    domain = await queries.lock_active_domain(tx, workspace_id, domain_id)
    if workspace is None or domain is None:
        raise Problem("domain_not_found")
    return workspace.plan, domain


async def _require_idle(tx: Transaction, domain: ScheduledDomain) -> None:
    if (active := await find_active_scan(tx, domain.workspace_id, domain.id)) is not None:
        raise Problem("scan_in_progress", active_scan_id=str(active))


async def _begin(
    tx: Transaction, domain: ScheduledDomain, plan: Plan, scope: Scope, rules: CheckRules, *, now: datetime
) -> ScanRow | None:
    order = await order_check(tx, domain, rules.plans[plan], scope, rules)
    if not order.platforms:
        raise Problem(
            "platform_unavailable",
            "Every platform of the plan is paused or not connected. Try later.",
            platforms=list(plan_platforms(rules.plans[plan])),
        )
    if not order.prompts:
        raise invalid_field("prompts", "a check needs at least one prompt", "required")
    return await begin_check(tx, domain, order, priority=Priority.FIRST, rules=rules, now=now)
