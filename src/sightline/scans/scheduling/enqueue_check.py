"""Enqueueing one check of a tracked domain, planned from the current plan, prompts and platforms."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec
import structlog

from sightline.db.engine import Reader, Transaction
from sightline.domains import queries as domain_queries
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.jobs.queue import enqueue
from sightline.kit.ids import new_id
from sightline.plans.table import Entitlements, Plan, runs_scheduled_checks
from sightline.platforms.pauses import read_enabled
from sightline.scans.jobs import ScanJob, build_start_job
from sightline.scans.queries import insert_scan
from sightline.scans.scheduling import queries
from sightline.scans.scheduling.daily_prompts import choose_daily_prompts
from sightline.scans.scheduling.models import CheckRules, ScheduledDomain, ScheduledPrompt, to_prompts
from sightline.scans.scheduling.platform_choice import select_platforms
from sightline.scans.states import Priority
from sightline.scans.stored import NewScan, ScanRow, Scope
from sightline.scans.tracked_brands import read_tracked_brands

log = structlog.get_logger()


class CheckPlan(msgspec.Struct, frozen=True):
    """What a check will ask. Without prompts or platforms there is nothing to ask."""

    scope: Scope
    prompts: tuple[ScheduledPrompt, ...]
    platforms: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.prompts and self.platforms)


async def includes_domain(db: Reader, domain: ScheduledDomain, plan: Plan, rules: CheckRules) -> bool:
    """Return whether the plan runs checks of this domain. After a downgrade it runs those of the oldest domains."""
    return runs_scheduled_checks(plan) and await is_within_plan(db, domain, plan, rules)


async def is_within_plan(db: Reader, domain: ScheduledDomain, plan: Plan, rules: CheckRules) -> bool:
    """Return whether the domain is one of the oldest, as many as the plan allows."""
    return await queries.count_older_domains(db, domain.workspace_id, domain) < rules.plans[plan].tracked_domains


async def preview_full_check(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, plan: Plan, rules: CheckRules
) -> CheckPlan | None:
    """Return what the next Full Check asks if nothing changes; None if the plan runs none."""
    domain = await queries.find_active_domain(db, workspace_id, domain_id)
    if domain is None or not await includes_domain(db, domain, plan, rules):
        return None
    grants = rules.plans[plan]
    enabled = await read_enabled(db, rules.enabled)
    platforms = tuple(key for key in select_platforms(grants, domain.chosen_platforms) if key in enabled)
    return CheckPlan("full_check", tuple(await _list_prompts(db, domain, grants)), platforms)


async def _list_prompts(db: Reader, domain: ScheduledDomain, grants: Entitlements) -> list[ScheduledPrompt]:
    return await queries.list_prompts_within_plan(
        db, domain.workspace_id, domain.id, domains=grants.tracked_domains, prompts=grants.tracked_prompts
    )


async def plan_check(
    tx: Transaction, domain: ScheduledDomain, grants: Entitlements, scope: Scope, rules: CheckRules
) -> CheckPlan:
    """Plan a check within the plan's limits: the chosen platforms that are enabled and not paused, and its prompts.

    Also stores the chosen platforms, including paused ones, in the domain's row. A free audit asks all platforms of its
    plan.
    """
    platforms = select_platforms(grants, None if scope == "free_audit" else domain.chosen_platforms)
    await domain_queries.update_domain(tx, domain.workspace_id, domain.id, platforms=list(platforms))
    enabled = await read_enabled(tx, rules.enabled)
    prompts = await _list_prompts(tx, domain, grants)
    if scope == "daily_check":
        prompts = await _choose_daily(tx, domain, prompts, limit=grants.daily_prompts)
    return CheckPlan(scope, tuple(prompts), tuple(key for key in platforms if key in enabled))


async def _choose_daily(
    tx: Transaction, domain: ScheduledDomain, prompts: Sequence[ScheduledPrompt], *, limit: int
) -> list[ScheduledPrompt]:
    """Return the daily prompts, pinned first, up to the plan's limit.

    If none were chosen yet, because the plan ran no Daily Checks when the last Full Check ended, they are chosen here.
    """
    chosen = [prompt for prompt in prompts if prompt.in_daily_set]
    if not chosen and limit:
        asked = {prompt.id for prompt in prompts}
        ids = await choose_daily_prompts(tx, domain.workspace_id, domain.id, limit=limit, among=asked)
        chosen = [prompt for prompt in prompts if prompt.id in ids]
    return chosen[:limit]


async def enqueue_check(
    tx: Transaction,
    domain: ScheduledDomain,
    order: CheckPlan,
    *,
    priority: Priority,
    rules: CheckRules,
    now: datetime,
) -> ScanRow | None:
    """Insert the scan and enqueue its start, free of charge. Return None when the domain has an active scan.

    The caller has locked the domain and found no active scan; the unique index of active scans is the second safeguard.
    """
    record = await find_tracked_domain(tx, domain.workspace_id, domain.id)
    assert record is not None  # locked, and not removed
    prompts = to_prompts(order.prompts)
    scan = NewScan(
        id=new_id(),
        domain_id=domain.id,
        domain=domain.domain,
        livemode=True,
        measurement_scope=order.scope,
        priority=priority,
        answers_source=rules.source,
        measured=await read_tracked_brands(tx, domain.workspace_id, record),
        selected_platforms=order.platforms,
        prompts=prompts,
        credits_charged=0,
        answers_total=len(prompts) * len(order.platforms),
        surfaces=rules.surfaces,
    )
    row = await insert_scan(tx, domain.workspace_id, scan, now=now)
    if row is not None:
        await domain_queries.count_scan(tx, domain.workspace_id, domain.id, now=now)
        await enqueue(tx, build_start_job(ScanJob(domain.workspace_id, scan.id), priority))
        log.info(
            "check_started", domain=domain.domain, scope=order.scope, scan_id=str(scan.id), answers=scan.answers_total
        )
    return row
