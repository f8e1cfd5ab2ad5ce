"""Replaying weeks of history for a made-up domain: every scan that its schedule would have run, one after the other.

Each scan is run and processed by the functions that a worker uses, with a clock set to the time of the scan. Finished
scans are left alone, so an interrupted replay can be continued. Daily Checks of long ago are left out: hardly anybody
would open one, and they would be most of the work.
"""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Protocol

import msgspec

from sightline.db.engine import Database, Transaction
from sightline.domains.queries import update_domain
from sightline.domains.tracking.queries import set_next_check
from sightline.kit.clock import Clock
from sightline.metrics.observation import Surface
from sightline.onboarding.demo import queries
from sightline.onboarding.setup import SetupInput, complete_setup
from sightline.platforms import access
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.sandbox.stories import PlantedStory
from sightline.platforms.sandbox.transport import SandboxTransport, sandbox_connection, sandbox_connector
from sightline.scans.jobs import ScanJob
from sightline.scans.platform_clients import PlatformClients, build_subject
from sightline.scans.queries import find_scan
from sightline.scans.running.simulated_scan import run_simulated_scan
from sightline.scans.scheduling import queries as schedule
from sightline.scans.scheduling.due import Due, next_due
from sightline.scans.scheduling.enqueue_check import enqueue_check, includes_domain, plan_check
from sightline.scans.scheduling.models import CheckRules, build_check_rules
from sightline.scans.states import Priority
from sightline.scans.stored import ScanRow, decode_measured
from sightline.settings import Settings

_DAILY_CHECKS_SINCE = timedelta(weeks=2)


class ScanFollowUp(Protocol):
    """Everything that a worker does after a scan, at the given time."""

    def __call__(self, job: ScanJob, *, clock: Clock) -> Awaitable[None]: ...


class PlantedSurface(msgspec.Struct, frozen=True):
    """From a day on, a platform is asked on another surface, as if an operator had chosen it."""

    platform: str
    before: Surface
    now: Surface
    since: date

    def find_surface(self, day: date) -> Surface:
        return self.now if day >= self.since else self.before


class DemoReplay(msgspec.Struct, frozen=True):
    """What a replay needs: the settings, the schedule's rules, the follow-up of a scan, when history ends, a story."""

    settings: Settings
    rules: CheckRules
    follow_up: ScanFollowUp
    now: datetime
    planted: PlantedStory | None = None
    surface_change: PlantedSurface | None = None

    @classmethod
    def from_settings(cls, settings: Settings, follow_up: ScanFollowUp, *, now: datetime) -> "DemoReplay":
        return cls(settings, build_check_rules(settings), follow_up, now)


async def begin_replay(
    db: Database,
    replay: DemoReplay,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    payload: SetupInput,
    *,
    anchor: datetime,
) -> None:
    """Complete the setup at `anchor` and run the first scan, unless the domain is already set up."""
    if not await queries.is_in_setup(db, workspace_id, domain_id):
        return
    async with db.transaction() as tx:
        made = await complete_setup(tx, workspace_id, domain_id, payload, rules=replay.rules, now=anchor)
        await update_domain(tx, workspace_id, domain_id, created_at=anchor)  # before its first scan
        await _schedule_from_now(tx, replay, workspace_id, domain_id)
        completed = None if made.first_check is None else await _run_scan(tx, replay, made.first_check, now=anchor)
    if completed is not None:
        await _run_follow_up(replay, completed)


def list_replayed(anchor: datetime, now: datetime) -> Iterator[Due]:
    """Return the scans to replay after the first: all Full Checks until now, and the latest Daily Checks."""
    due = next_due(anchor, anchor)
    while due.at <= now - timedelta(minutes=5):
        if due.scope == "full_check" or due.at >= now - _DAILY_CHECKS_SINCE:
            yield due
        due = next_due(anchor, due.at)


async def replay_history(
    db: Database, replay: DemoReplay, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, advance: Callable[[], object]
) -> int:
    """Run the scans that were due between the setup and now; return the number of scans that ran.

    `advance` is called after each, also after those that ran before.
    """
    anchor = await queries.find_anchor(db, workspace_id, domain_id)
    if anchor is None:
        return 0
    for scan_id in await queries.list_unprocessed(db, workspace_id, domain_id):
        unfollowed = await find_scan(db, workspace_id, scan_id)
        assert unfollowed is not None
        await _run_follow_up(replay, unfollowed)
    done = 0
    for due in list_replayed(anchor, replay.now):
        done += await _replay_day(db, replay, workspace_id, domain_id, due.at)
        advance()
    return done


async def _replay_day(
    db: Database, replay: DemoReplay, workspace_id: uuid.UUID, domain_id: uuid.UUID, now: datetime
) -> bool:
    async with db.transaction() as tx:
        domain = await schedule.lock_active_domain(tx, workspace_id, domain_id)
        if domain is None or await queries.has_scan_on_day(tx, workspace_id, domain_id, now):
            return False
        plan = await schedule.read_plan(tx, workspace_id)
        if not await includes_domain(tx, domain, plan, replay.rules):
            return False
        scope = next_due(domain.anchor_at, now - timedelta(seconds=1)).scope
        order = await plan_check(tx, domain, replay.rules.plans[plan], scope, replay.rules)
        if order.is_empty:
            return False
        pending = await enqueue_check(tx, domain, order, priority=Priority.DAILY, rules=replay.rules, now=now)
        if pending is None:
            return False
        completed = await _run_scan(tx, replay, pending, now=now)
    await _run_follow_up(replay, completed)
    return True


async def _run_scan(tx: Transaction, replay: DemoReplay, pending: ScanRow, *, now: datetime) -> ScanRow:
    return await run_simulated_scan(tx, pending, _open_desk(replay, pending), now=now)


async def _run_follow_up(replay: DemoReplay, scan: ScanRow) -> None:
    assert scan.completed_at is not None
    moment = scan.completed_at + timedelta(seconds=1)
    await replay.follow_up(ScanJob(scan.workspace_id, scan.id), clock=lambda: moment)


async def _schedule_from_now(
    tx: Transaction, replay: DemoReplay, workspace_id: uuid.UUID, domain_id: uuid.UUID
) -> None:
    """Schedule the next scan from now on: a scheduler running meanwhile would otherwise start one of the past."""
    domain = await schedule.lock_active_domain(tx, workspace_id, domain_id)
    if domain is not None and domain.next_check_at is not None:
        await set_next_check(tx, workspace_id, domain_id, next_due(domain.anchor_at, replay.now))


def _open_desk(replay: DemoReplay, scan: ScanRow) -> PlatformClients:
    measured, settings = decode_measured(scan.brand), replay.settings
    subject = build_subject(scan.domain, measured.brand, measured.competitors)
    ways = {each.key: (sandbox_connector(each.key), sandbox_connection(each.key)) for each in PLATFORMS}
    if (change := replay.surface_change) is not None:
        connector, connection = ways[change.platform]
        surface = change.find_surface(scan.created_at.date())
        ways[change.platform] = (msgspec.structs.replace(connector, surface=surface), connection)
    transport = SandboxTransport(
        msgspec.structs.replace(subject, planted=replay.planted),
        scan.created_at.date(),
        latency_ms=0,
        sleep=asyncio.sleep,
    )
    return PlatformClients("sandbox", ways, transport, access.build_gates(settings), access.build_policy(settings))
