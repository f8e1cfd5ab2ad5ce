"""Slack's side of incoming webhooks: checks what is posted as Slack does, and fails with its own short texts.

Statuses and texts are those of Slack's page "Sending messages using incoming webhooks", under "Handling errors".
"""

import json
import re
from collections import deque
from types import TracebackType
from typing import Any, Self

import msgspec
from aiohttp import web

_STATUSES = {
    "invalid_payload": 400,
    "no_text": 400,
    "invalid_blocks": 400,
    "action_prohibited": 403,
    "invalid_token": 403,
    "no_service": 404,
    "channel_not_found": 404,
    "channel_is_archived": 410,
    "rate_limited": 429,
    "rollup_error": 500,
}
_MARKUP = re.compile(r"<([^>]*)>")


class Posted(msgspec.Struct):
    path: str
    headers: dict[str, str]
    message: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        """Return what people read, with entities as characters, and links by their words."""
        found = [each["text"]["text"] for each in self.message["blocks"]]
        return [_unescape(_MARKUP.sub(lambda link: link[1].partition("|")[2], each)) for each in found]

    @property
    def mentions(self) -> list[str]:
        """Return what would notify people: `<!here>`, `<@U123>` and the like, in blocks and in the notification."""
        found = [each["text"]["text"] for each in self.message["blocks"]] + [self.message["text"]]
        return [markup for each in found for markup in _MARKUP.findall(each) if markup[:1] in "!@#"]


class FakeSlack:
    """`async with FakeSlack() as slack`. Scripted refusals are used up in order; then it answers `ok`."""

    def __init__(self) -> None:
        self.posted: list[Posted] = []
        self._script: deque[str] = deque()
        self._runner: web.AppRunner | None = None
        self.port = 0

    def script(self, *refusals: str) -> None:
        self._script.extend(refusals)

    def url(self, path: str = "/services/T0001/B0001/sEcReT") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/{path:.*}", self._receive)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _receive(self, request: web.Request) -> web.Response:
        refusal = self._script.popleft() if self._script else None
        try:
            message = json.loads(await request.read())
        except ValueError:
            message, refusal = {}, "invalid_payload"
        refusal = refusal or _find_fault(message)
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.posted.append(Posted(request.path, headers, message))
        if refusal is None:
            return web.Response(text="ok")
        extra = {"Retry-After": "30"} if refusal == "rate_limited" else {}
        return web.Response(status=_STATUSES[refusal], text=refusal, headers=extra)


def _find_fault(message: dict[str, Any]) -> str | None:
    """Return how Slack refuses a message; None if it accepts it."""
    if not isinstance(message, dict) or not isinstance(message.get("text", ""), str):
        return "invalid_payload"
    blocks = message.get("blocks", [])
    if not message.get("text") and not blocks:
        return "no_text"
    if len(blocks) > 50:
        return "invalid_blocks"
    texts = [block.get("text", {}) for block in blocks]
    is_valid = all(each.get("type") in ("mrkdwn", "plain_text") and 1 <= len(each["text"]) <= 3_000 for each in texts)
    return None if is_valid else "invalid_blocks"


def _unescape(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
