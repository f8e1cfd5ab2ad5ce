"""The application: every handler behind the edge, ready for an ASGI server."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Any

from litestar import Litestar, Response
from litestar.connection import Request
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler

from sightline.api import system
from sightline.api.console import account, domains, keys, platforms, session, usage
from sightline.api.data import domains as data_domains
from sightline.api.edge.layer import Edge
from sightline.api.edge.operations import Operation
from sightline.api.edge.wiring import Wiring
from sightline.db.engine import DatabaseUnavailable

HANDLERS: tuple[HTTPRouteHandler, ...] = (
    session.create_session,
    session.read_session,
    session.delete_session,
    account.read_account,
    account.update_account,
    account.bootstrap_account,
    keys.list_keys,
    keys.mint_key,
    keys.revoke_key,
    usage.read_usage,
    platforms.list_platforms,
    domains.list_domains,
    domains.register_domain,
    domains.read_domain,
    domains.change_domain,
    domains.remove_domain,
    data_domains.list_tracked_domains,
    data_domains.read_tracked_domain,
)


def operation_of(handler: HTTPRouteHandler) -> Operation:
    declared: Operation = handler.opt["operation"]
    return declared


OPERATIONS: tuple[Operation, ...] = tuple(operation_of(handler) for handler in HANDLERS)


def create_app(wiring: Wiring, pages: Iterable[HTTPRouteHandler] = ()) -> Edge:
    """The ASGI application. `pages` are what the web room adds for people."""

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        wiring.copies.open(now=wiring.clock())
        flusher = asyncio.create_task(wiring.usage.run())
        try:
            yield
        finally:
            flusher.cancel()
            with suppress(asyncio.CancelledError):
                await flusher
            with suppress(DatabaseUnavailable):
                await wiring.usage.flush()
            await wiring.copies.close()

    application = Litestar(
        [*HANDLERS, system.health, system.readiness, system.version, system.metrics, *pages],
        exception_handlers={Exception: _hand_to_edge},
        lifespan=[lifespan],
        state=State({"wiring": wiring}),
        openapi_config=None,
        logging_config=None,
    )
    return Edge(application, OPERATIONS, wiring)


def _hand_to_edge(request: Request[Any, Any, State], failure: Exception) -> Response[Any]:
    """Inside of the edge a failure is only noted: the edge raises it again and makes the one kind of problem of it."""
    exchange: Any = request.scope.get("exchange")
    if exchange is not None:
        exchange.failure = failure
        return Response(None, status_code=500)
    status = getattr(failure, "status_code", 500)
    return Response({"status": status, "title": "Not found" if status == 404 else "Error"}, status_code=status)
