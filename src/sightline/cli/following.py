"""What a worker does for tracked domains: all that follows a check, and what people have changed."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TypeVar

import msgspec

from sightline.competitors import site_job
from sightline.competitors.fetch_site import fetch_site_name
from sightline.competitors.read_site import read_competitor_site
from sightline.db.engine import Database
from sightline.domains import scoreboard_refresh as refreshing
from sightline.domains.recomputations import request as recomputing
from sightline.http.egress import EgressGuard, open_guarded_session
from sightline.http.session import open_session
from sightline.insights.generate import generate_insights
from sightline.jobs.queue import Job
from sightline.jobs.room import Room
from sightline.jobs.worker import Work
from sightline.kit.clock import Clock
from sightline.onboarding.demo import load
from sightline.onboarding.demo.replay import DemoReplay
from sightline.plans.table import build_plan_table
from sightline.platforms import access
from sightline.prompts.volumes import lookup
from sightline.prompts.volumes.dataforseo import open_volume_source
from sightline.reports.weekly import write as reports
from sightline.scans.running.finish import FOLLOW_JOB
from sightline.scans.running.readers import Reader
from sightline.scans.stored import ScanJob
from sightline.scoreboard.apply_scan import INSIGHTS_JOB, apply_scan, handle_completed_scan
from sightline.scoreboard.models import UncitedPlatforms
from sightline.scoreboard.recompute.run import recompute_domain, request_recompute_if_renamed
from sightline.scoreboard.refresh import rebuild_scoreboard
from sightline.settings import Settings

# Each of them decodes and computes for a second or so, in a thread: more at once would only take turns.
_AT_ONCE = 2

Payload = TypeVar("Payload", bound=msgspec.Struct)


def no_sources(settings: Settings) -> UncitedPlatforms:
    return {
        "live": access.uncited(settings, sandbox=False),
        "sandbox": access.uncited(settings, sandbox=True),
    }


@asynccontextmanager
async def open_following(
    settings: Settings, db: Database, reader: Reader, *, clock: Clock
) -> AsyncIterator[Mapping[str, Work]]:
    """The handlers by kind. In a sandbox nobody outside is asked for anything."""
    plans, uncited, base_url = build_plan_table(settings.plans), no_sources(settings), settings.public_url
    async with AsyncExitStack() as opened:
        source, fetch = None, None
        if not access.is_sandbox(settings):
            guard = EgressGuard()
            source = open_volume_source(settings, await opened.enter_async_context(open_session()))
            guarded = await opened.enter_async_context(open_guarded_session(guard))
            fetch = partial(fetch_site_name, guarded, guard)

        async def follow(job: Job, given: ScanJob) -> None:  # noqa: ARG001 - as all of these
            scan = await handle_completed_scan(db, given, uncited=uncited, plans=plans, clock=clock)
            if scan is not None:
                await request_recompute_if_renamed(db, scan, now=clock())

        async def refresh(job: Job, given: refreshing.RefreshJob) -> None:
            await rebuild_scoreboard(db, given.workspace_id, given.domain_id, job_id=job.id, uncited=uncited)

        async def recompute(job: Job, given: recomputing.RecomputeJob) -> None:
            await recompute_domain(db, given, job_id=job.id, reader=reader, uncited=uncited, plans=plans, clock=clock)

        async def conclude(job: Job, given: ScanJob) -> None:  # noqa: ARG001
            await generate_insights(db, given, uncited=uncited, clock=clock, base_url=base_url)

        async def report(job: Job, given: ScanJob) -> None:  # noqa: ARG001
            await reports.write_report(db, given, clock=clock, base_url=base_url)

        async def look_up(job: Job, given: lookup.VolumesJob) -> None:  # noqa: ARG001
            await lookup.refresh_volumes(db, source, given, clock=clock)

        async def visit(job: Job, given: site_job.SiteJob) -> None:
            await read_competitor_site(db, fetch, given, job.attempts, clock=clock)

        room = Room(_AT_ONCE)
        heavy = partial(_work, room)
        yield {
            FOLLOW_JOB: heavy(ScanJob, follow),
            refreshing.JOB: heavy(refreshing.RefreshJob, refresh, settles=True),
            recomputing.JOB: heavy(recomputing.RecomputeJob, recompute, settles=True),
            INSIGHTS_JOB: heavy(ScanJob, conclude),
            reports.JOB: heavy(ScanJob, report),
            lookup.JOB: _work(Room(_AT_ONCE), lookup.VolumesJob, look_up),
            load.JOB: _work(Room(1), load.DemoJob, partial(_demonstrate, db, settings, clock)),
            site_job.JOB: _work(Room(_AT_ONCE), site_job.SiteJob, visit),
        }


def _work(
    room: Room, payload: type[Payload], handle: Callable[[Job, Payload], Awaitable[None]], *, settles: bool = False
) -> Work:
    async def run(job: Job) -> None:
        async def carry_out() -> None:
            await handle(job, msgspec.json.decode(job.payload, type=payload))

        await room.run(carry_out())

    return Work(handle=run, room=room.left, settles=settles)


async def _demonstrate(db: Database, settings: Settings, clock: Clock, _: Job, given: load.DemoJob) -> None:
    past = DemoReplay.of(settings, partial(follow_up_here, db, settings), now=clock())
    await load.build_requested_demo(db, past, given, clock=clock)


async def follow_up_here(db: Database, settings: Settings, job: ScanJob, *, clock: Clock) -> None:
    """All that follows a check, at once and in this process: for worlds that are made up whole."""
    plans, uncited, base_url = build_plan_table(settings.plans), no_sources(settings), settings.public_url
    await apply_scan(db, job, uncited=uncited, plans=plans, clock=clock)
    await generate_insights(db, job, uncited=uncited, clock=clock, base_url=base_url, quiet=True)
    await reports.write_report(db, job, clock=clock, base_url=base_url, quiet=True)
