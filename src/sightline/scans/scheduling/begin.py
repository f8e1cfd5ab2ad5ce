"""One check of a tracked domain, put together from what is true now and put in the queue."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec
import structlog

from sightline.competitors.queries import list_confirmed
from sightline.db.engine import Reader, Transaction
from sightline.domains import queries as domain_queries
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.ids import new_id
from sightline.plans.table import Entitlements, Plan, runs_scheduled_checks
from sightline.platforms.pauses import read_enabled
from sightline.scans.brands import measure_tracked
from sightline.scans.jobs import START_JOB, ScanJob
from sightline.scans.queries import insert_scan
from sightline.scans.scheduling import queries
from sightline.scans.scheduling.daily_set import choose_daily_prompts
from sightline.scans.scheduling.models import AskedPrompt, CheckRules, ScheduledDomain, plan_platforms, to_prompts
from sightline.scans.states import Priority
from sightline.scans.stored import NewScan, ScanRow, Scope

log = structlog.get_logger()


class Order(msgspec.Struct, frozen=True):
    """What a check will ask. With no prompts or no platforms there is nothing to ask."""

    scope: Scope
    prompts: tuple[AskedPrompt, ...]
    platforms: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.prompts and self.platforms)


async def has_checks(db: Reader, domain: ScheduledDomain, plan: Plan, rules: CheckRules) -> bool:
    """Whether the plan runs checks of this domain. After a downgrade it runs those of the oldest domains."""
    if not runs_scheduled_checks(plan):
        return False
    return await queries.count_older_domains(db, domain.workspace_id, domain) < rules.plans[plan].tracked_domains


async def order_check(
    tx: Transaction, domain: ScheduledDomain, grants: Entitlements, scope: Scope, rules: CheckRules
) -> Order:
    """What the plan allows now: its platforms that are enabled and not paused, and its number of prompts.

    Also keeps the plan's platforms, paused ones included, in the domain's record.
    """
    platforms = plan_platforms(grants)
    await queries.set_platforms(tx, domain.workspace_id, domain.id, list(platforms))
    enabled = await read_enabled(tx, rules.enabled)
    prompts = await queries.list_asked_prompts(
        tx, domain.workspace_id, domain.id, domains=grants.tracked_domains, prompts=grants.tracked_prompts
    )
    if scope == "daily_check":
        prompts = await _choose_daily(tx, domain, prompts, limit=grants.daily_prompts)
    return Order(scope, tuple(prompts), tuple(key for key in platforms if key in enabled))


async def _choose_daily(
    tx: Transaction, domain: ScheduledDomain, prompts: Sequence[AskedPrompt], *, limit: int
) -> list[AskedPrompt]:
    """The set as it stands, pinned first, within the plan's number.

    A set that nobody has chosen yet (the plan ran no Daily Checks when the last Full Check ended) is chosen here.
    """
    chosen = [prompt for prompt in prompts if prompt.in_daily_set]
    if not chosen and limit:
        asked = {prompt.id for prompt in prompts}
        ids = await choose_daily_prompts(tx, domain.workspace_id, domain.id, limit=limit, among=asked)
        chosen = [prompt for prompt in prompts if prompt.id in ids]
    return chosen[:limit]


async def begin_check(
    tx: Transaction,
    domain: ScheduledDomain,
    order: Order,
    *,
    priority: Priority,
    rules: CheckRules,
    now: datetime,
) -> ScanRow | None:
    """Free of charge. None when the domain has an active scan.

    The domain is locked and had no active scan a moment ago; the unique index of active scans stands behind it.
    """
    record = await find_tracked_domain(tx, domain.workspace_id, domain.id)
    assert record is not None  # locked, and not removed
    competitors = await list_confirmed(tx, domain.workspace_id, domain.id)
    prompts = to_prompts(order.prompts)
    scan = NewScan(
        id=new_id(),
        domain_id=domain.id,
        domain=domain.domain,
        livemode=True,
        measurement_scope=order.scope,
        priority=priority,
        answers_source=rules.source,
        measured=measure_tracked(record, competitors),
        selected_platforms=order.platforms,
        prompts=prompts,
        credits_charged=0,
        answers_total=len(prompts) * len(order.platforms),
    )
    row = await insert_scan(tx, domain.workspace_id, scan, now=now)
    if row is not None:
        await domain_queries.count_scan(tx, domain.workspace_id, domain.id, now=now)
        await enqueue(tx, start_job(domain.workspace_id, scan.id, priority))
        log.info(
            "check_started", domain=domain.domain, scope=order.scope, scan=str(scan.id), answers=scan.answers_total
        )
    return row


def start_job(workspace_id: uuid.UUID, scan_id: uuid.UUID, priority: Priority) -> NewJob:
    return NewJob(kind=START_JOB, payload=ScanJob(workspace_id, scan_id), key=f"start:{scan_id}", priority=priority)
