"""All fakes on one free port of the loopback interface, each under its own base address."""

import asyncio
import json
from collections import defaultdict, deque
from types import TracebackType
from typing import Self

from aiohttp import web

from tests.fakes import content
from tests.fakes.anthropic import Anthropic
from tests.fakes.chat import DeepSeek, Local
from tests.fakes.content import SOURCES, Statement
from tests.fakes.dataforseo import DataForSEO
from tests.fakes.faults import Fault, find_fault
from tests.fakes.google import Google
from tests.fakes.mistral import Mistral
from tests.fakes.openai import OpenAI
from tests.fakes.perplexity import Perplexity
from tests.fakes.provider import Provider, ProviderRequest, Reply, as_json
from tests.fakes.serpapi import SerpApi
from tests.fakes.xai import XAI

PROVIDERS: dict[str, Provider] = {
    each.name: each
    for each in (
        OpenAI(),
        Anthropic(),
        Google(),
        Perplexity(),
        XAI(),
        Mistral(),
        DeepSeek(),
        Local(),
        SerpApi(),
        DataForSEO(),
    )
}
_ERRORS = {"rate_limited", "no_money", "unauthorised", "server_error", "overloaded"}


class FakeServer:
    """`async with FakeServer() as server`. Scripted faults are used in order; after that it answers normally."""

    def __init__(self) -> None:
        self.requests: dict[str, list[ProviderRequest]] = defaultdict(list)
        self._scripts: dict[str, deque[Fault]] = defaultdict(deque)
        self._runner: web.AppRunner | None = None
        self._origin = ""
        self._closing = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self, port: int = 0) -> None:
        self._runner = web.AppRunner(self._application(), shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        self._origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        self._closing.set()
        assert self._runner is not None
        await self._runner.cleanup()

    def base_url(self, provider: str) -> str:
        return f"{self._origin}/{provider}{PROVIDERS[provider].base_path}"

    def settings(self) -> dict[str, str]:
        """Return the environment variables with which an installation uses these servers."""
        made = [provider.settings(f"{self._origin}/{name}") for name, provider in PROVIDERS.items()]
        return {name: value for settings in made for name, value in settings.items()}

    def script(self, provider: str, *faults: Fault) -> None:
        self._scripts[provider].extend(faults)

    def _application(self) -> web.Application:
        app = web.Application(client_max_size=4 * 1024 * 1024)
        app.router.add_get("/google/grounding-api-redirect/{token}", _redirect)
        for name, provider in PROVIDERS.items():
            for method, path in provider.paths:
                app.router.add_route(method, f"/{name}{path}", self._handler(name, provider))
        return app

    def _handler(self, name: str, provider: Provider):
        async def handle(http_request: web.Request) -> web.StreamResponse:
            request = await self._read(http_request, name)
            self.requests[name].append(request)
            refused = provider.refusal(request)
            if refused is not None:
                return _response(refused)
            fault = self.choose_fault(name, provider.prompt(request))
            return await self._play(fault or Fault("none"), provider, request, http_request)

        return handle

    def choose_fault(self, name: str, prompt: str) -> Fault | None:
        """Return the fault of the next reply: the next one of the script, or the one that the prompt asks for."""
        script = self._scripts[name]
        return script.popleft() if script else find_fault(prompt)

    async def _read(self, http_request: web.Request, name: str) -> ProviderRequest:
        sent = await http_request.read()
        try:
            body = json.loads(sent) if sent else None
        except ValueError:
            body = None
        headers = {key.lower(): value for key, value in http_request.headers.items()}
        path = http_request.path.removeprefix(f"/{name}")
        return ProviderRequest(
            http_request.method, path, headers, dict(http_request.query), body, f"{self._origin}/{name}"
        )

    async def _play(
        self, fault: Fault, provider: Provider, request: ProviderRequest, http_request: web.Request
    ) -> web.StreamResponse:
        if fault.kind in _ERRORS:
            reply = provider.error(fault.kind, fault.status or 500)
            extra = {"retry-after": fault.retry_after} if fault.retry_after is not None else {}
            return _response(Reply(reply.payload, reply.status, reply.headers | extra))
        if fault.kind == "gateway_page":
            return web.Response(status=502, text="<html><h1>502 Bad Gateway</h1></html>", content_type="text/html")
        if fault.kind in {"inner_error", "missing_fields", "nothing_found"}:
            return _response(getattr(provider, fault.kind)(request))
        if fault.kind == "silence":
            await self._closing.wait()
            return web.Response(status=503)
        statements = (
            (Statement("Ja. 🙂"),)
            if fault.kind == "blank"
            else content.statements(int(fault.amount) if fault.kind == "huge" else 0)
        )
        reply = provider.answer(request, statements)
        body = as_json(reply.payload)
        if fault.kind == "broken_json":
            return _response(reply, body[: len(body) // 2])
        if fault.kind == "blank_lines":
            return _response(reply, b"\n\n\r\n\n" + body)
        if fault.kind in {"drip", "cut"}:
            return await self._send_slowly(http_request, reply, body, fault)
        return _response(reply, body)

    async def _send_slowly(
        self, http_request: web.Request, reply: Reply, body: bytes, fault: Fault
    ) -> web.StreamResponse:
        response = web.StreamResponse(
            status=reply.status, headers={**reply.headers, "content-type": "application/json"}
        )
        response.content_length = len(body)
        await response.prepare(http_request)
        if fault.kind == "cut":
            await response.write(body[: len(body) // 2])
            assert http_request.transport is not None
            http_request.transport.close()
            return response
        for at in range(len(body)):
            if self._closing.is_set():
                break
            await response.write(body[at : at + 1])
            await asyncio.sleep(fault.amount)
        return response


def _response(reply: Reply, body: bytes | None = None) -> web.Response:
    return web.Response(
        status=reply.status,
        body=as_json(reply.payload) if body is None else body,
        headers={**reply.headers, "content-type": "application/json; charset=utf-8"},
    )


async def _redirect(http_request: web.Request) -> web.Response:
    number = http_request.match_info["token"].removeprefix("AUZIYQ")
    if not number.isdecimal() or int(number) >= len(SOURCES):
        return web.Response(status=404)
    return web.Response(status=302, headers={"location": SOURCES[int(number)][0]})
