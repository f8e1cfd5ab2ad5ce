"""The first check of a domain: as soon as its setup is complete, and again on request when it failed."""

import uuid
from datetime import datetime

from sightline.accounts.queries import claim_audit, lock_workspace, update_workspace
from sightline.db.engine import Reader, Transaction
from sightline.domains.queries import find_active_scan
from sightline.domains.tracking.queries import set_next_check
from sightline.errors import Problem, invalid_field
from sightline.plans.table import Plan, is_free, runs_scheduled_checks
from sightline.scans.scheduling import queries
from sightline.scans.scheduling.daily_prompts import choose_daily_prompts
from sightline.scans.scheduling.due import next_due
from sightline.scans.scheduling.enqueue_check import enqueue_check, includes_domain, is_within_plan, plan_check
from sightline.scans.scheduling.models import CheckRules, ScheduledDomain
from sightline.scans.scheduling.platform_choice import select_platforms
from sightline.scans.states import Priority
from sightline.scans.stored import ScanRow, Scope


async def start_first_check(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, rules: CheckRules, now: datetime
) -> ScanRow | None:
    """Start a Full Check and schedule the next one; on the Free plan, which has no schedule, start the free audit.

    Return None where the workspace has had its audit, or the plan does not cover the domain. Refuse with 409 while a
    scan from before the domain was removed still runs, and with 422 when no platform of the plan can be asked now.
    """
    plan, domain = await _lock(tx, workspace_id, domain_id)
    await _require_idle(tx, domain)
    if not await includes_domain(tx, domain, plan, rules):
        return await start_free_audit(tx, domain, plan, rules=rules, now=now)
    await set_next_check(tx, workspace_id, domain.id, next_due(domain.anchor_at, now))
    # Chosen again when the check has completed. If it fails, tomorrow's Daily Check still has prompts to ask.
    await choose_daily_prompts(tx, workspace_id, domain.id, limit=rules.plans[plan].daily_prompts)
    return await _begin(tx, domain, plan, "full_check", rules, now=now)


async def start_free_audit(
    tx: Transaction, domain: ScheduledDomain, plan: Plan, *, rules: CheckRules, now: datetime
) -> ScanRow | None:
    """Start the free audit, once per workspace, ever; return None afterwards. `domain` and its workspace are locked.

    Also return None for a domain that the plan does not cover. An audit by the sandbox does not count once a platform
    is connected.
    """
    if not is_free(plan) or not await is_within_plan(tx, domain, plan, rules):
        return None
    if rules.source == "live" and await queries.has_only_sandbox_audit(tx, domain.workspace_id):
        await update_workspace(tx, domain.workspace_id, {"audited_at": None})
    if not await claim_audit(tx, domain.workspace_id, now=now):
        return None
    return await _begin(tx, domain, plan, "free_audit", rules, now=now)


async def retry_first_check(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, rules: CheckRules, now: datetime
) -> ScanRow:
    """Start the first check again, free of charge: the Retry scan button.

    Refuse with 409 unless the latest check failed, none has completed and none is active. A failed audit does not
    count, so its retry is not a second one.
    """
    plan, domain = await _lock(tx, workspace_id, domain_id)
    await _require_idle(tx, domain)
    latest = await queries.find_latest_check(tx, workspace_id, domain)
    if latest is None or latest.status != "failed":
        raise Problem("check_not_retryable")
    if await includes_domain(tx, domain, plan, rules):
        started = await _begin(tx, domain, plan, "full_check", rules, now=now)
    elif latest.measurement_scope == "free_audit" and is_free(plan) and await is_within_plan(tx, domain, plan, rules):
        started = await _begin(tx, domain, plan, "free_audit", rules, now=now)
    else:
        started = await start_free_audit(tx, domain, plan, rules=rules, now=now)
    if started is None:
        allowed = [each for each in rules.plans if runs_scheduled_checks(each)]
        raise Problem("plan_required", "The plan does not include checks of this domain.", required_plans=allowed)
    return started


async def may_retry(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, plan: Plan, *, rules: CheckRules
) -> bool:
    """Return whether to show the Retry scan button. Pressing it checks the same again, under locks."""
    if not await queries.is_retryable(db, workspace_id, domain_id):
        return False
    domain = await queries.find_active_domain(db, workspace_id, domain_id)
    if domain is None:
        return False
    if await includes_domain(db, domain, plan, rules):
        return True
    latest = await queries.find_latest_check(db, workspace_id, domain)
    if not is_free(plan) or not await is_within_plan(db, domain, plan, rules):
        return False
    was_audit = latest is not None and latest.measurement_scope == "free_audit"
    return was_audit or not await queries.is_audited(db, workspace_id)


async def _lock(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> tuple[Plan, ScheduledDomain]:
    """Lock the workspace and then the domain, in this order as everywhere, to avoid deadlocks."""
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
    order = await plan_check(tx, domain, rules.plans[plan], scope, rules)
    if not order.platforms:
        raise Problem(
            "platform_unavailable",
            "Every chosen platform is paused or not connected. Choose others in the settings of the domain, or ask an "
            "operator to connect one under Operator → Platforms.",
            platforms=list(select_platforms(rules.plans[plan], domain.chosen_platforms)),
        )
    if not order.prompts:
        raise invalid_field("prompts", "a check needs at least one prompt", "required")
    return await enqueue_check(tx, domain, order, priority=Priority.FIRST, rules=rules, now=now)
