"""What the handlers of a worker share: settings, database, the scan engine, and the clients for the outside world."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import msgspec
from aiohttp import ClientSession

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
from sightline.scans.payloads.object_store import PayloadStores, open_payload_stores
from sightline.scans.running.engine import ScanEngine, open_engine
from sightline.scans.sealed.store import SealedMonths, open_sealed_months
from sightline.scoreboard.completed_scans import uncited_platforms
from sightline.scoreboard.models import UncitedPlatforms
from sightline.settings import Settings
from sightline.site_review.fetch import SITE_GUARD, SiteFetcher
from sightline.site_review.review import OpenFetcher
from sightline.webhooks.deliveries.sender import WebhookSender, open_webhook_sender


class WorkerContext(msgspec.Struct, frozen=True, kw_only=True):
    """Passed to every handler, like `AppContext` to every request."""

    settings: Settings
    db: Database
    clock: Clock
    engine: ScanEngine
    payloads: PayloadStores
    sealed: SealedMonths
    plans: PlanTable
    webhooks: WebhookSender
    session: ClientSession
    guard: EgressGuard
    guarded_session: ClientSession

    @property
    def base_url(self) -> str:
        return self.settings.public_url

    # The properties below change when an operator connects a platform.

    @property
    def uncited(self) -> UncitedPlatforms:
        return uncited_platforms(self.settings)

    @property
    def volume_source(self) -> VolumeSource | None:
        """Return the source of search volumes; None in a sandbox, or if no source is connected."""
        return None if access.is_sandbox(self.settings) else open_volume_source(self.settings, self.session)

    @property
    def fetch_site_name(self) -> Fetch | None:
        """Return the function that reads a site's name; None in a sandbox, where no site is contacted."""
        return None if access.is_sandbox(self.settings) else partial(fetch_site_name, self.guarded_session, self.guard)

    @property
    def open_site_fetcher(self) -> OpenFetcher | None:
        """Return the function that opens the fetcher of a brand's own site; None in a sandbox."""
        if access.is_sandbox(self.settings):
            return None
        docs_url = f"{self.base_url}/docs/measure/site-review"
        return partial(SiteFetcher, self.guarded_session, SITE_GUARD, docs_url=docs_url)

    @property
    def fetch_robots(self) -> FetchRobots | None:
        """Return the function that reads a site's `robots.txt`; None in a sandbox."""
        return None if access.is_sandbox(self.settings) else partial(fetch_robots, self.guarded_session, self.guard)


@asynccontextmanager
async def open_worker_context(settings: Settings, db: Database, *, clock: Clock) -> AsyncIterator[WorkerContext]:
    """Open everything that the handlers need. In a sandbox no external service is contacted."""
    async with AsyncExitStack() as stack:
        payloads = open_payload_stores(settings)
        engine = await stack.enter_async_context(open_engine(settings, db, payloads, clock=clock))
        webhooks = await stack.enter_async_context(open_webhook_sender(settings))
        guard = EgressGuard()
        yield WorkerContext(
            settings=settings,
            db=db,
            clock=clock,
            engine=engine,
            payloads=payloads,
            sealed=open_sealed_months(settings, payloads),
            plans=build_plan_table(settings.plans),
            webhooks=webhooks,
            session=await stack.enter_async_context(open_session()),
            guard=guard,
            guarded_session=await stack.enter_async_context(open_guarded_session(guard)),
        )
