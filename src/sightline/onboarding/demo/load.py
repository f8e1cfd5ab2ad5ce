"""Loading the demonstration from a page: one made-up domain with weeks of past scans, built by the worker.

It is loaded into the owner's workspace. A plan without scheduled scans would show next to nothing, and plans are not
changed silently: in that case a workspace of its own is created for the owner.
"""

import uuid
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor, Role, User, Workspace
from sightline.accounts.queries import find_member_role, lock_workspace, update_workspace
from sightline.accounts.workspaces import create_workspace
from sightline.credits.sandbox_money import has_sandbox_ended
from sightline.db.engine import Database, Reader, Transaction
from sightline.domains.queries import update_domain
from sightline.domains.tracking.queries import count_tracked_domains
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.errors import Problem, role_required
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import Clock
from sightline.onboarding.demo import queries
from sightline.onboarding.demo.history import DemoDomain, build_demo_history, count_demo_checks
from sightline.onboarding.demo.models import Demonstration
from sightline.onboarding.demo.replay import DemoReplay
from sightline.plans.table import DEFAULT_PLAN, Plan, PlanTable, runs_scheduled_checks
from sightline.platforms.access import is_sandbox
from sightline.settings import Settings

JOB = "demo.build"
DOMAIN = "acme.com"
WEEKS = 8


class DemoJob(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    created_at: datetime
    """Identifies the request: a demonstration that was removed may be requested again."""
    plan: Plan


class DemoProgress(msgspec.Struct, frozen=True):
    made: Demonstration
    checks: int
    total: int


async def may_load_demo(db: Reader, settings: Settings, actor: Actor) -> bool:
    """Return whether to offer a demonstration: to an owner, in a sandbox, with nothing tracked and none requested."""
    if not is_sandbox(settings) or actor.role is not Role.OWNER or await count_tracked_domains(db, actor.workspace_id):
        return False
    return await read_demo(db, actor) is None and not await has_sandbox_ended(db)


async def load_demo(
    tx: Transaction, settings: Settings, actor: Actor, user: User, *, plans: PlanTable, now: datetime
) -> None:
    """Request the demonstration; a second request changes nothing.

    Refused: outside a sandbox, in a workspace that tracks something (409), and to anybody but an owner (403).
    """
    if not is_sandbox(settings) or await has_sandbox_ended(tx, lock=True):
        raise Problem("sandbox_only")
    if actor.role is not Role.OWNER:
        raise role_required(Role.OWNER, actor.role)
    workspace = await lock_workspace(tx, actor.workspace_id)
    if workspace is None:
        raise Problem("workspace_not_found")
    if await read_demo(tx, actor) is not None:
        return
    if await count_tracked_domains(tx, workspace.id):
        raise Problem("sandbox_only")
    target = (
        workspace
        if runs_scheduled_checks(workspace.plan)
        else await _find_demo_workspace(tx, workspace.id, user, now=now)
    )
    domain = await track_domain(tx, target.id, TrackInput(DOMAIN), plans=plans, now=now)
    await update_domain(tx, target.id, domain.id, made_for_demo=True)
    await queries.save_demonstration(tx, workspace.id, Demonstration(workspace.id, target.id, domain.id, now, None))
    job = DemoJob(workspace.id, now, target.plan)
    await enqueue(tx, NewJob(kind=JOB, payload=job, key=f"{JOB}:{workspace.id}:{now.isoformat()}"))


async def _find_demo_workspace(tx: Transaction, workspace_id: uuid.UUID, user: User, *, now: datetime) -> Workspace:
    """Find the workspace of an earlier demonstration that the user still owns, or create a new one."""
    earlier = await queries.find_demonstration(tx, workspace_id)
    if earlier is not None and await find_member_role(tx, earlier.shown_in, user.id) is Role.OWNER:
        known = await lock_workspace(tx, earlier.shown_in)
        if known is not None and runs_scheduled_checks(known.plan):
            return known
    created = await create_workspace(tx, user, "Demonstration", DEFAULT_PLAN, now=now)
    await update_workspace(tx, created.id, {"made_for_demo": True})
    return created


async def read_demo(db: Reader, actor: Actor) -> DemoProgress | None:
    """Return the progress; None if none was requested or its domain is no longer tracked."""
    made = await queries.find_demonstration(db, actor.workspace_id)
    if made is None or not await queries.is_tracked(db, made.shown_in, made.domain_id):
        return None
    checks = await queries.count_processed(db, made.shown_in, made.domain_id)
    return DemoProgress(made, checks, count_demo_checks(1, weeks=WEEKS, now=made.created_at))


async def build_requested_demo(db: Database, replay: DemoReplay, job: DemoJob, *, clock: Clock) -> None:
    """Build the requested demonstration, with a history up to the time of the request.

    After a crash it continues where it stopped.
    """
    made = await queries.find_demonstration(db, job.workspace_id)
    if made is None or made.created_at != job.created_at or not is_sandbox(replay.settings):
        return
    replay = msgspec.structs.replace(replay, now=made.created_at)
    domain = DemoDomain(made.shown_in, made.domain_id, DOMAIN, job.plan)
    await build_demo_history(db, replay, [domain], weeks=WEEKS)
    async with db.transaction() as tx:
        await queries.mark_demonstration_complete(tx, job.workspace_id, made.created_at, now=clock())
