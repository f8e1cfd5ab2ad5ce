"""Responses before they are sent: a handler's result, a stored response, a saved copy or a problem."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec

Header = tuple[bytes, bytes]
_CHUNK_BYTES = 64 * 1024
Send = Callable[[Any], Awaitable[None]]
Receive = Callable[[], Awaitable[Any]]


class ApiResponse(msgspec.Struct):
    status: int
    headers: list[Header]
    body: bytes

    async def send(self, send: Send, _: Receive, extra: list[Header], *, without_body: bool) -> None:
        length = (b"content-length", b"%d" % len(self.body))
        await send({"type": "http.response.start", "status": self.status, "headers": [*self.headers, length, *extra]})
        await send({"type": "http.response.body", "body": b"" if without_body else self.body})


class Stream(msgspec.Struct):
    """The chunks of a response that is sent as it is produced, so that it is never in memory as a whole.

    A failure after the first chunk can no longer become a problem document: the connection is closed, and the client
    sees that the response is incomplete.
    """

    chunks: AsyncGenerator[bytes, None]


async def in_chunks(content: bytes) -> AsyncGenerator[bytes, None]:
    """Yield a content that is in memory as the chunks of a `Stream`."""
    for start in range(0, len(content), _CHUNK_BYTES):
        yield content[start : start + _CHUNK_BYTES]


class StreamedResponse(msgspec.Struct):
    status: int
    headers: list[Header]
    stream: Stream

    async def send(self, send: Send, receive: Receive, extra: list[Header], *, without_body: bool) -> None:
        chunks = self.stream.chunks
        disconnected = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await send({"type": "http.response.start", "status": self.status, "headers": [*self.headers, *extra]})
            while not without_body and (chunk := await _read_chunk(chunks, disconnected)) is not None:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            disconnected.cancel()
            with suppress(asyncio.CancelledError):
                await disconnected
            await chunks.aclose()


async def _read_chunk(chunks: AsyncGenerator[bytes, None], disconnected: asyncio.Future[None]) -> bytes | None:
    """Return the next chunk; None after the last one, or at once if the client disconnects."""
    waiting = asyncio.ensure_future(anext(chunks, None))
    try:
        either: set[asyncio.Future[Any]] = {waiting, disconnected}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        return None if disconnected.done() else waiting.result()
    finally:
        if not waiting.done():
            waiting.cancel()
        with suppress(asyncio.CancelledError, Exception):  # otherwise a failure of a chunk nobody reads is logged
            await waiting


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
