"""An ASGI application that says when it has begun to send a stream, which in-process clients read only at its end."""

import asyncio
from typing import Any


class WatchedApp:
    def __init__(self, app: Any) -> None:
        self._app = app
        self.has_sent_event = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def forward(message: Any) -> None:
            await send(message)
            if b"event: " in message.get("body", b""):
                self.has_sent_event.set()

        await self._app(scope, receive, forward)
