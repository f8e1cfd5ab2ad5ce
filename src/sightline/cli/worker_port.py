"""The port of `sightline worker`, on which it reports its health."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import structlog
import uvicorn

from sightline.cli.server import build_protocol, open_port
from sightline.db.engine import Database
from sightline.monitoring.asgi import build_monitoring_app
from sightline.monitoring.event_loop import watch_event_loop
from sightline.settings import Settings

log = structlog.get_logger()

_WAIT_SECONDS = 2


class _Server(uvicorn.Server):
    """A server that leaves signals to the worker."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def open_worker_port(settings: Settings, db: Database, stopping: asyncio.Event) -> AsyncIterator[None]:
    """Serve `/healthz`, `/readyz` and `/metrics` while the block runs, also while the worker drains.

    Nothing is opened without SIGHTLINE_WORKER_PORT. The limits of the API protect this port from slow callers, too.
    """
    if settings.worker_port is None:
        yield
        return
    listening = open_port(settings.host, settings.worker_port, "SIGHTLINE_WORKER_PORT")
    server = _Server(
        uvicorn.Config(
            build_monitoring_app(settings, db, stopping.is_set),
            http=build_protocol(settings),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_WAIT_SECONDS,
        )
    )
    watching = asyncio.create_task(watch_event_loop())
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    log.info("worker_port_opened", host=settings.host, port=listening.getsockname()[1])
    try:
        yield
    finally:
        server.should_exit = True
        watching.cancel()
        await asyncio.gather(serving, watching, return_exceptions=True)
