"""The webhook receiver of the customers: it verifies every message, and fails the first copy of some."""

import asyncio
import json
import random
from types import TracebackType
from typing import Self

import msgspec
from aiohttp import web

from tests.fakes.receiver import Received

_TROUBLED = 0.3


class Message(msgspec.Struct, frozen=True):
    """A received copy of an event."""

    workspace: str
    webhook_id: str
    type: str
    subject: str | None
    """The id of the scan that the event is about."""
    is_signed: bool
    answered: int | None
    """None if it was left without an answer."""


class Receiver:
    """A receiver that fails only the first copy of an id: the second comes after 5 s, the third after 5 minutes."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._seen: set[str] = set()
        self._runner: web.AppRunner | None = None
        self._closing = asyncio.Event()
        self.secrets: dict[str, str] = {}
        self.messages: list[Message] = []
        self.is_troubled = True
        self.port = 0

    def url(self, workspace: str) -> str:
        return f"http://127.0.0.1:{self.port}/hooks/{workspace}"

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/hooks/{workspace}", self._receive)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        assert self._runner is not None
        await self._runner.cleanup()

    async def _receive(self, request: web.Request) -> web.Response:
        workspace = request.match_info["workspace"]
        headers = {name.lower(): value for name, value in request.headers.items()}
        received = Received(request.path, headers, await request.read(), ("", 0))
        answer = self._choose(received.id)
        body = json.loads(received.body)
        self.messages.append(
            Message(
                workspace,
                received.id,
                body["type"],
                body["data"].get("id"),
                workspace in self.secrets and received.signed_by(self.secrets[workspace]),
                answer,
            )
        )
        if answer is None:
            await self._closing.wait()
        return web.Response(status=answer or 200)

    def _choose(self, webhook_id: str) -> int | None:
        first = webhook_id not in self._seen
        self._seen.add(webhook_id)
        if first and self.is_troubled and self._chance.random() < _TROUBLED:
            return self._chance.choice([500, 503, None])
        return 200
