"""A platform that is asked over HTTP and counts how often, by whom, and how many at once; and people who use it."""

import asyncio
import uuid
from collections import Counter
from contextlib import asynccontextmanager
from typing import Self

from aiohttp import web

from sightline.credits.ledger import build_credit_rules, grant_credits
from tests.fakes.content import Statement, statements
from tests.fakes.openai import OpenAI
from tests.fakes.provider import ProviderRequest, as_json
from tests.running_worker import Console

_openai = OpenAI()


class Provider:
    """Speaks OpenAI's protocol. `latency` is in seconds; answers wait while `held` is clear or `holds` has the prompt.

    `says` is what it answers to a prompt, `faults` the status of the error that it gives instead.
    """

    def __init__(self) -> None:
        self.latency = 0.0
        self.held = asyncio.Event()
        self.held.set()
        self.holds: set[str] = set()
        self.asked: Counter[str] = Counter()
        self.in_flight = 0
        self.most = 0
        self.says: dict[str, str] = {}
        self.faults: dict[str, int] = {}
        self.url = ""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/responses", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.2, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.held.set()
        await self._runner.cleanup()

    @property
    def settings(self) -> dict[str, object]:
        return {"openai_api_key": _openai.key, "openai_base_url": self.url}

    async def _answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        prompt = body["input"] if isinstance(body["input"], str) else body["input"][-1]["content"]
        self.asked[prompt] += 1
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            await self.held.wait()
            while prompt in self.holds:
                await asyncio.sleep(0.01)
            await asyncio.sleep(self.latency)
        finally:
            self.in_flight -= 1
        asked = ProviderRequest("POST", "/v1/responses", {}, {}, body, self.url)
        if status := self.faults.get(prompt):
            reply = _openai.error("server_error", status)
        else:
            told = (Statement(self.says[prompt]),) if prompt in self.says else statements()
            reply = _openai.answer(asked, told)
        return web.Response(status=reply.status, body=as_json(reply.payload), content_type="application/json")


@asynccontextmanager
async def live_console(installation):
    """A workspace with credits, that asks the connected platforms."""
    tenant = await installation.tenant()
    async with installation.db.transaction() as tx:
        await grant_credits(
            tx,
            uuid.UUID(tenant.id),
            10_000,
            livemode=True,
            note="",
            rules=build_credit_rules(installation.app_context.settings),
            now=installation.clock(),
        )
    async with Console(installation, tenant.live) as console:
        yield console


def build_keywords(count, name="best crm"):
    return [f"{name} {number}" for number in range(count)]
