"""A receiver of webhooks on the loopback interface, with its own code to verify signatures and scripted failures."""

import asyncio
import base64
import hashlib
import hmac
from collections import deque
from types import TracebackType
from typing import Self

import msgspec
from aiohttp import web

TOLERANCE = 300


class Received(msgspec.Struct):
    path: str
    headers: dict[str, str]
    body: bytes
    peer: tuple[str, int]

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def signed_by(self, secret: str, *, now: float | None = None) -> bool:
        """Return whether one signature is the HMAC-SHA256 of `id.timestamp.body`, as in Standard Webhooks."""
        stamp = self.headers["webhook-timestamp"]
        if now is not None and abs(now - int(stamp)) > TOLERANCE:
            return False
        key = base64.b64decode(secret.removeprefix("whsec_"))
        content = f"{self.id}.{stamp}.".encode() + self.body
        expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        signatures = [one.split(",", 1) for one in self.headers["webhook-signature"].split(" ")]
        return any(version == "v1" and hmac.compare_digest(value, expected) for version, value in signatures)


class Receiver:
    """`async with Receiver() as receiver`. Scripted answers are used up in order; then it answers 200.

    An answer is a status, or one of: redirect, silent, drip, huge, cut.
    """

    def __init__(self) -> None:
        self.received: list[Received] = []
        self._script: deque[int | str] = deque()
        self._runner: web.AppRunner | None = None
        self._closing = asyncio.Event()
        self.port = 0

    def script(self, *answers: int | str) -> None:
        self._script.extend(answers)

    def url(self, path: str = "/hook", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._handle)
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

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        assert request.transport is not None
        peer = request.transport.get_extra_info("peername")
        self.received.append(Received(request.path_qs, headers, await request.read(), peer))
        answer = self._script.popleft() if self._script else 200
        if isinstance(answer, int):
            return web.Response(status=answer, text=f"answered {answer}")
        return await getattr(self, f"_{answer}")(request)

    async def _redirect(self, request: web.Request) -> web.StreamResponse:
        return web.Response(status=307, headers={"Location": self.url("/elsewhere")})

    async def _silent(self, request: web.Request) -> web.StreamResponse:
        await self._closing.wait()
        return web.Response()

    async def _drip(self, request: web.Request) -> web.StreamResponse:
        return await self._stream(request, b".", 0.02)

    async def _huge(self, request: web.Request) -> web.StreamResponse:
        return await self._stream(request, b"x" * 65_536, 0)

    async def _cut(self, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.close()
        return web.Response()

    async def _stream(self, request: web.Request, chunk: bytes, pause: float) -> web.StreamResponse:
        """Send chunks without an end, until the client stops reading."""
        response = web.StreamResponse()
        await response.prepare(request)
        while not self._closing.is_set():
            try:
                await response.write(chunk)
            except ConnectionError:
                break
            await asyncio.sleep(pause)
        return response
