"""A small TCP proxy in front of PostgreSQL's socket, with the faults of a network."""

import asyncio
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

_CHUNK = 65_536
_DRIP_BYTES = 48
# Applied to each direction at all times, so that a transaction takes long enough to be interrupted.
USUAL_DELAY = 0.005
Direction = Literal["requests", "replies"]


class Proxy:
    """`async with Proxy(socket_path) as proxy`. Without a fault it forwards everything unchanged."""

    def __init__(self, socket_path: Path) -> None:
        self._socket_path = socket_path
        self._server: asyncio.Server | None = None
        self._connections: set[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flows: dict[Direction, asyncio.Event] = {"requests": asyncio.Event(), "replies": asyncio.Event()}
        self.delay = USUAL_DELAY
        self.drips = False
        self.refuses = False
        self.port = 0
        self.heal()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.heal()
        self.reset()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def heal(self) -> None:
        self.delay = USUAL_DELAY
        self.drips = False
        self.refuses = False
        for flow in self._flows.values():
            flow.set()

    def hang(self, *directions: Direction) -> None:
        """Forward nothing and refuse nothing, as if a cable were cut, in both directions or only in one."""
        for direction in directions or self._flows:
            self._flows[direction].clear()

    def reset(self) -> int:
        """Abort every connection, and return their number."""
        broken = list(self._connections)
        for pair in broken:
            for writer in pair:
                writer.transport.abort()
        return len(broken)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._join(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            return
        try:
            behind_reader, behind_writer = await asyncio.open_unix_connection(str(self._socket_path))
        except OSError:
            return
        pair = (writer, behind_writer)
        self._connections.add(pair)
        ways = [
            asyncio.create_task(self._pump(reader, behind_writer, self._flows["requests"])),
            asyncio.create_task(self._pump(behind_reader, writer, self._flows["replies"])),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._connections.discard(pair)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            behind_writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flow: asyncio.Event) -> None:
        with suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                await flow.wait()
                await asyncio.sleep(self.delay)
                await self._write(writer, chunk)
        await flow.wait()  # while the cable is cut, the other side does not learn that this one has closed either

    async def _write(self, writer: asyncio.StreamWriter, chunk: bytes) -> None:
        while self.drips and chunk:
            writer.write(chunk[:_DRIP_BYTES])
            await writer.drain()
            chunk = chunk[_DRIP_BYTES:]
            await asyncio.sleep(0.004)
        if chunk:
            writer.write(chunk)
            await writer.drain()
