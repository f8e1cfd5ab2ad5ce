"""A platform that answers as scripted by the test, over real HTTP, and a connector for it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec
from aiohttp import web

from sightline.http.session import open_session
from sightline.platforms.ask import PlatformClient, ask
from sightline.platforms.gate import Gate
from sightline.platforms.models import (
    Connector,
    FollowUp,
    HttpReply,
    HttpRequest,
    Outcome,
    PlatformConnection,
    PlatformFault,
    ProviderAnswer,
    Question,
    Source,
    Usage,
)
from sightline.platforms.policy import Policy
from sightline.platforms.transport import NetworkTransport

SECRET = "sk-very-secret-0123456789"
TEXT = "Acme and Globex are both fine choices for that."
KINDS = {401: "unauthorised", 402: "no_money", 400: "rejected", 429: "rate_limited"}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def answer(text: str = TEXT, **more: object) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        return web.json_response({"text": text, **more})

    return handle


def refuse(status: int, *, retry_after: str | None = None, message: str = "no") -> Handler:
    async def handle(request: web.Request) -> web.Response:
        headers = {"Retry-After": retry_after} if retry_after else {}
        return web.json_response({"error": message}, status=status, headers=headers)

    return handle


def raw(body: bytes) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        return web.Response(body=body)

    return handle


async def drip(request):
    response = web.StreamResponse()
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        for _ in range(200):
            await response.write(b" ")
            await asyncio.sleep(0.02)
    return response


async def cut(request):
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b"{")
    request.transport.abort()
    return response


async def hang_up(request):
    request.transport.abort()
    return web.Response()


async def redirect(request):
    return web.json_response({"error": "moved"}, status=302, headers={"Location": "/elsewhere"})


def build(question: Question, connection: PlatformConnection) -> HttpRequest:
    body = msgspec.json.encode({"prompt": question.prompt, "model": connection.model})
    headers = {"Authorization": f"Bearer {connection.secret}", "Content-Type": "application/json"}
    return HttpRequest(url=f"{connection.base_url}/ask", headers=headers, body=body)


def parse(reply: HttpReply, question: Question, connection: PlatformConnection) -> ProviderAnswer | FollowUp:
    try:
        payload = msgspec.json.decode(reply.body)
    except msgspec.DecodeError as error:
        raise PlatformFault("malformed", "not JSON") from error
    if "token" in payload:
        return FollowUp(
            HttpRequest(method="GET", url=f"{connection.base_url}/more", params={"token": payload["token"]})
        )
    return ProviderAnswer(
        status=payload.get("status", "ok"),
        text=payload["text"],
        cited=tuple(Source(*one) for one in payload.get("cited", ())),
        usage=Usage(*payload.get("usage", ())),
        cost_usd=payload.get("cost"),
        model="served-1",
    )


def read_fault(reply: HttpReply) -> PlatformFault:
    after = reply.headers.get("retry-after")
    kind = KINDS.get(reply.status, "unavailable")
    message = msgspec.json.decode(reply.body)["error"]
    return PlatformFault(kind, f"{reply.status}: {message}", retry_after=float(after) if after else None)


CONNECTOR = Connector(platform="chatgpt", vendor="openai", surface="api", request=build, parse=parse, fault=read_fault)


class Script:
    """The handlers of consecutive calls; the last one is repeated."""

    def __init__(self, *handlers: Handler) -> None:
        self.handlers = list(handlers)
        self.requests: list[web.Request] = []
        self.url = ""
        self.under_way = self.most_under_way = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        await request.read()
        self.requests.append(request)
        handler = self.handlers[min(len(self.requests), len(self.handlers)) - 1]
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return await handler(request)
        finally:
            self.under_way -= 1


@contextlib.asynccontextmanager
async def run_platform(*handlers: Handler) -> AsyncIterator["ScriptedPlatform"]:
    script = Script(*handlers)
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", script.handle)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    script.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        async with open_session() as session:
            yield ScriptedPlatform(script, NetworkTransport(session))
    finally:
        await runner.cleanup()


class ScriptedPlatform:
    """A running platform, and a way to ask it in which pauses take no time but advance the clock."""

    def __init__(self, script: Script, transport: NetworkTransport) -> None:
        self.script = script
        self.transport = transport
        self.slept: list[float] = []
        self.moved = 0.0
        self.chance = 0.5
        self.secret = SECRET
        self.gate = Gate(1, 4, clock=self.clock)

    def clock(self) -> float:
        return asyncio.get_running_loop().time() + self.moved

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.moved += seconds

    async def ask(self, connector: Connector = CONNECTOR, *, resolve=None, **policy: object) -> Outcome:
        connection = PlatformConnection(
            platform="chatgpt", vendor="openai", base_url=self.script.url, secret=self.secret, model="asked-1"
        )
        client = PlatformClient(
            connector=connector,
            connection=connection,
            transport=self.transport,
            gate=self.gate,
            policy=Policy(**policy),
            resolve_redirect=resolve,
        )
        return await ask(
            client,
            Question("best crm", country="DE"),
            clock=self.clock,
            sleep=self.sleep,
            chance=lambda: self.chance,
        )
