"""An answer before it is sent: what a handler made, a stored response, a saved copy or a problem."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

Header = tuple[bytes, bytes]
Send = Callable[[Any], Awaitable[None]]


class Reply(msgspec.Struct):
    status: int
    headers: list[Header]
    body: bytes

    async def send(self, send: Send, extra: list[Header], *, without_body: bool) -> None:
        length = (b"content-length", b"%d" % len(self.body))
        await send({"type": "http.response.start", "status": self.status, "headers": [*self.headers, length, *extra]})
        await send({"type": "http.response.body", "body": b"" if without_body else self.body})
