"""An answer before it is sent: what a handler made, a stored response, a saved copy or a problem."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec

Header = tuple[bytes, bytes]
Send = Callable[[Any], Awaitable[None]]
Receive = Callable[[], Awaitable[Any]]


class Reply(msgspec.Struct):
    status: int
    headers: list[Header]
    body: bytes

    async def send(self, send: Send, _: Receive, extra: list[Header], *, without_body: bool) -> None:
        length = (b"content-length", b"%d" % len(self.body))
        await send({"type": "http.response.start", "status": self.status, "headers": [*self.headers, length, *extra]})
        await send({"type": "http.response.body", "body": b"" if without_body else self.body})


class Stream(msgspec.Struct):
    """A handler's answer that is sent as it is made, so that it never lies in memory as a whole.

    What fails after the first chunk cannot become a problem document any more: the connection is cut, and the caller
    sees that the answer is not whole.
    """

    chunks: AsyncGenerator[bytes, None]


class StreamedReply(msgspec.Struct):
    status: int
    headers: list[Header]
    stream: Stream

    async def send(self, send: Send, receive: Receive, extra: list[Header], *, without_body: bool) -> None:
        chunks = self.stream.chunks
        gone = asyncio.ensure_future(_until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": self.status, "headers": [*self.headers, *extra]})
            if not without_body:
                async for chunk in chunks:
                    if gone.done():
                        break
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()
            with suppress(asyncio.CancelledError):
                await gone
            await chunks.aclose()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
