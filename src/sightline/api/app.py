"""The application: the operations of both APIs behind their middleware, and the framework that serves the rest."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from sightline.api import console, data, system
from sightline.api.app_context import AppContext
from sightline.api.edge.middleware import ApiMiddleware, Mount
from sightline.api.edge.operations import find_operations
from sightline.api.hooks.stripe import receive_stripe
from sightline.api.site_routes import Site, SiteRoute, build_routes
from sightline.db.engine import DatabaseUnavailable
from sightline.monitoring.event_loop import watch_event_loop
from sightline.monitoring.exposition import Monitor

PageHandler = Callable[[Request, Exception], Awaitable[Response]]
MountBuilder = Callable[[ApiMiddleware], Mount]

OPERATIONS = find_operations(console, data)


def create_app(
    app_context: AppContext,
    pages: Iterable[SiteRoute] = (),
    on_missing_page: PageHandler | None = None,
    mounts: Iterable[MountBuilder] = (),
) -> ApiMiddleware:
    """Build the ASGI application.

    `pages` and the page for an unknown path come from `web/`. A mount answers some paths itself, and runs with the
    application; `mcp/` has one.
    """

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        app_context.copies.open(now=app_context.clock())
        app_context.ended_callers.open(now=app_context.clock())
        loops = [
            asyncio.create_task(loop)
            for loop in (
                watch_event_loop(),
                app_context.usage.run(),
                app_context.running_claims.run(),
                app_context.ended_callers.run(app_context.db),
            )
        ]
        try:
            async with AsyncExitStack() as running:
                for mount in application.mounts:
                    await running.enter_async_context(mount.run())
                yield
        finally:
            for loop in loops:
                loop.cancel()
            await asyncio.gather(*loops, return_exceptions=True)
            with suppress(DatabaseUnavailable):
                await app_context.usage.flush()
            await app_context.copies.close()
            await app_context.payments.close()

    framework = Site(
        routes=build_routes([system.health, system.readiness, system.version, system.metrics, receive_stripe, *pages]),
        exception_handlers={404: on_missing_page} if on_missing_page else {},
        lifespan=lifespan,
    )
    framework.router.redirect_slashes = False
    framework.state.app_context = app_context
    framework.state.monitor = Monitor(app_context.db, app_context.settings.data_dir)
    application = ApiMiddleware(framework, OPERATIONS, app_context)
    application.mounts = tuple(build(application) for build in mounts)
    return application
