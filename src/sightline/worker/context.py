"""What the handlers of a worker share: settings, database, the scan engine, and the clients for the outside world."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import msgspec

from sightline.competitors.fetch_site import Fetch, fetch_site_name
from sightline.db.engine import Database
from sightline.http.egress import EgressGuard, open_guarded_session
from sightline.http.session import open_session
from sightline.insights.recommendations.robots import FetchRobots, fetch_robots
from sightline.kit.clock import Clock
from sightline.plans.table import PlanTable, build_plan_table
from sightline.platforms import access
from sightline.prompts.volumes.dataforseo import open_volume_source
from sightline.prompts.volumes.lookup import VolumeSource
from sightline.scans.running.engine import ScanEngine, open_engine
from sightline.scoreboard.models import UncitedPlatforms
from sightline.settings import Settings
from sightline.webhooks.deliveries.sender import WebhookSender, open_webhook_sender
from sightline.worker.follow_up import uncited_platforms


class WorkerContext(msgspec.Struct, frozen=True, kw_only=True):
    """Passed to every handler, like `AppContext` to every request."""

    settings: Settings
    db: Database
    clock: Clock
    engine: ScanEngine
    plans: PlanTable
    uncited: UncitedPlatforms
    webhooks: WebhookSender
    volume_source: VolumeSource | None
    """None in a sandbox and where no source is connected: no volumes are looked up."""
    fetch_site_name: Fetch | None
    """None in a sandbox: no site is contacted."""
    fetch_robots: FetchRobots | None
    """None in a sandbox, as above."""

    @property
    def base_url(self) -> str:
        return self.settings.public_url


@asynccontextmanager
async def open_worker_context(settings: Settings, db: Database, *, clock: Clock) -> AsyncIterator[WorkerContext]:
    """Open everything that the handlers need. In a sandbox no connection to the outside is opened."""
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(open_engine(settings, db, clock=clock))
        webhooks = await stack.enter_async_context(open_webhook_sender(settings))
        volume_source, fetch, fetch_robots_file = None, None, None
        if not access.is_sandbox(settings):
            guard = EgressGuard()
            volume_source = open_volume_source(settings, await stack.enter_async_context(open_session()))
            guarded = await stack.enter_async_context(open_guarded_session(guard))
            fetch = partial(fetch_site_name, guarded, guard)
            fetch_robots_file = partial(fetch_robots, guarded, guard)
        yield WorkerContext(
            settings=settings,
            db=db,
            clock=clock,
            engine=engine,
            plans=build_plan_table(settings.plans),
            uncited=uncited_platforms(settings),
            webhooks=webhooks,
            volume_source=volume_source,
            fetch_site_name=fetch,
            fetch_robots=fetch_robots_file,
        )
