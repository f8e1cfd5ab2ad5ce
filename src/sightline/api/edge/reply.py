"""An answer before it is sent: what the application made, a stored response, a saved copy or a problem."""

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


class Recorder:
    """A `send` that keeps the application's answer instead of passing it on."""

    def __init__(self) -> None:
        self._status = 500
        self._headers: list[Header] = []
        self._chunks: list[bytes] = []

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._headers = [header for header in message["headers"] if header[0] != b"content-length"]
        elif message["type"] == "http.response.body":
            self._chunks.append(message.get("body", b""))

    def to_reply(self) -> Reply:
        body = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        return Reply(self._status, self._headers, body)
