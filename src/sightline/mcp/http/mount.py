"""What answers `/mcp` and its metadata. The MCP SDK is imported at the first request, not at the start of the process.

Importing the SDK and describing the tools takes about a second.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from sightline.api.edge.middleware import ApiMiddleware, Mount
from sightline.mcp.http.paths import METADATA_PATHS, PATH

if TYPE_CHECKING:
    from sightline.mcp.http.endpoint import McpEndpoint


def mount_mcp(api: ApiMiddleware) -> Mount:
    endpoint = LazyEndpoint(api)
    return Mount(METADATA_PATHS | {PATH}, endpoint, endpoint.run)


class LazyEndpoint:
    """The endpoint of one process, built by the first request. If that fails, the next request tries again."""

    def __init__(self, api: ApiMiddleware) -> None:
        self._api = api
        self._stopping = asyncio.Event()
        self._built: asyncio.Future[McpEndpoint] | None = None
        self._running: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        try:
            yield
        finally:
            self._stopping.set()
            if self._running is not None:
                await self._running

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self._built is None or (self._built.done() and self._built.exception()):
            self._built = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._run_endpoint(self._built))
        endpoint = await asyncio.shield(self._built)  # a client that disconnects must not cancel it for others
        await endpoint(scope, receive, send)

    async def _run_endpoint(self, built: "asyncio.Future[McpEndpoint]") -> None:
        """Build the endpoint and run it until the process stops. The SDK enters and leaves it in the same task."""
        try:
            endpoint = await asyncio.to_thread(build_endpoint, self._api)
        except Exception as error:  # noqa: BLE001 - the waiting request raises it
            built.set_exception(error)
            return
        async with endpoint.run():
            built.set_result(endpoint)
            await self._stopping.wait()


def build_endpoint(api: ApiMiddleware) -> "McpEndpoint":
    from sightline.mcp.http.endpoint import McpEndpoint

    return McpEndpoint(api)
