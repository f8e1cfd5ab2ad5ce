"""A platform that is asked over HTTP and counts how often, by whom, and how many at once; and people who use it."""

import asyncio
import uuid
from collections import Counter
from contextlib import asynccontextmanager
from typing import Self

from aiohttp import web

from sightline.credits.ledger import CreditAccount, build_credit_rules, grant_credits
from sightline.scans.running import engine
from tests.fakes.content import Statement, statements
from tests.fakes.editor import EditorModel, find_kind
from tests.fakes.openai import OpenAI
from tests.fakes.provider import ProviderRequest, as_json
from tests.running_worker import Console

_openai = OpenAI()

SLOTS = 10
"""How many calls the platform of `live_installation` takes at once."""
ADMITTED = SLOTS + int(SLOTS * engine.AHEAD)
"""How many cells of a huge check are under way: those that are being asked, and those that are ready for a slot."""


class Provider:
    """Speaks OpenAI's protocol. `latency` is in seconds; answers wait while `held` is clear or `holds` has the prompt.

    After `answer_one_by_one` they wait until they are released, in the order in which they were asked. `says` is what
    it answers to a prompt, `faults` the status of the error that it gives instead, `outage` the kind of error that it
    gives to everybody: "server_error", "overloaded", "rate_limited", "unauthorised" or "no_money".
    """

    def __init__(self) -> None:
        self.latency = 0.0
        self.held = asyncio.Event()
        self.held.set()
        self.holds: set[str | None] = set()
        self.asked: Counter[str] = Counter()
        self.order: list[str] = []
        """The prompts in the order in which they were asked."""
        self.in_flight = 0
        self.most = 0
        self.says: dict[str, str] = {}
        self.faults: dict[str, int] = {}
        self.outage: str | None = None
        self.edits: EditorModel | None = None
        """Replies to requests of the editor. It is held by the kind of a request, not by its text."""
        self.url = ""
        self._permits: asyncio.Semaphore | None = None

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
        self.answer_at_once()
        await self._runner.cleanup()

    @property
    def settings(self) -> dict[str, object]:
        return {"openai_api_key": _openai.key, "openai_base_url": self.url}

    def answer_one_by_one(self) -> None:
        """Hold back all answers from now on, until they are released."""
        self._permits = asyncio.Semaphore(0)

    def release_one(self) -> None:
        """Let the answer go that has been held back for longest."""
        assert self._permits is not None
        self._permits.release()

    def answer_at_once(self) -> None:
        """Hold back nothing any more."""
        permits, self._permits = self._permits, None
        if permits is not None:
            for _ in range(self.in_flight):
                permits.release()

    async def _answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        prompt = body["input"] if isinstance(body["input"], str) else body["input"][-1]["content"]
        kind = find_kind(prompt) if self.edits and "JSON only:" in prompt else None
        self.asked[prompt] += 1
        self.order.append(prompt)
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            await self.held.wait()
            if self._permits is not None:
                await self._permits.acquire()
            while self.holds & {prompt, kind}:
                await asyncio.sleep(0.01)
            await asyncio.sleep(self.latency)
        finally:
            self.in_flight -= 1
        asked = ProviderRequest("POST", "/v1/responses", {}, {}, body, self.url)
        if self.outage is not None:
            reply = _openai.error(self.outage, 500)
        elif status := self.faults.get(prompt):
            reply = _openai.error("server_error", status)
        elif kind is not None and self.edits is not None:
            reply = _openai.answer(asked, (Statement(self.edits.reply(prompt)),))
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
            CreditAccount(
                uuid.UUID(tenant.id), livemode=True, rules=build_credit_rules(installation.app_context.settings)
            ),
            10_000,
            note="",
            now=installation.clock(),
        )
    async with Console(installation, tenant.live) as console:
        yield console


def build_keywords(count, name="best crm"):
    return [f"{name} {number}" for number in range(count)]
