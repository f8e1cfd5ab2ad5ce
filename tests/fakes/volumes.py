"""DataForSEO's two volume endpoints on a port of the loopback interface, with the validation of the real ones."""

import base64
import json
from collections import deque
from typing import Any, Self

from aiohttp import web

from tests.fakes.dataforseo import VOLUMES, envelope, task

SEARCHES = "/v3/keywords_data/google_ads/search_volume/live"
LOGIN, PASSWORD = "fake-login", "fake-password"
_FORBIDDEN = set(",!@%^()={};~`<>?\\|")


class VolumeServer:
    """`async with VolumeServer() as server`. It returns the volumes in `questions` and `searches`."""

    def __init__(self) -> None:
        self.questions: dict[str, int | None] = {}
        self.searches: dict[str, tuple[int | None, float | None]] = {}
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.languages = {"en", "de"}
        self.faults: dict[str, deque[tuple[int, dict[str, Any]]]] = {VOLUMES: deque(), SEARCHES: deque()}
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post(VOLUMES, self._answer)
        app.router.add_post(SEARCHES, self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    def fail_next(self, path: str, code: int, *, status: int = 200) -> None:
        """Answer the next request to this path with the vendor's error code."""
        self.faults[path].append((status, envelope(task(None, code, "Said so."))))

    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]

    async def _answer(self, request: web.Request) -> web.Response:
        expected = "Basic " + base64.b64encode(f"{LOGIN}:{PASSWORD}".encode()).decode()
        if request.headers.get("Authorization") != expected:
            return self._reply(envelope({}, 40100, "You are not authorized."), 401)
        (sent,) = json.loads(await request.read())
        self.requests.append((request.path, sent))
        if self.faults[request.path]:
            status, payload = self.faults[request.path].popleft()
            return self._reply(payload, status)
        if refused := self._refusal(request.path, sent):
            return self._reply(envelope(task(None, 40501, f"Invalid Field: '{refused}'.")))
        return self._reply(envelope(task(self._found(request.path, sent))))

    def _refusal(self, path: str, sent: dict[str, Any]) -> str | None:
        keywords = sent.get("keywords") or []
        if not 0 < len(keywords) <= 1000:
            return "keywords"
        if sent.get("language_code", "en") not in self.languages:
            return "language_code"
        if path == VOLUMES:
            return next((name for name in ("location_code", "language_code") if name not in sent), None)
        bad = [each for each in keywords if len(each) > 80 or len(each.split()) > 10 or _FORBIDDEN & set(each)]
        return "keywords" if bad else None

    def _found(self, path: str, sent: dict[str, Any]) -> list[dict[str, Any]]:
        known = [each.lower() for each in sent["keywords"]]
        if path == VOLUMES:
            items = [
                {"keyword": each, "ai_search_volume": self.questions[each]} for each in known if each in self.questions
            ]
            return [{"location_code": sent["location_code"], "items_count": len(items), "items": items}]
        return [
            {"keyword": each, "search_volume": volume, "cpc": cpc, "competition": "LOW"}
            for each in known
            for volume, cpc in [self.searches.get(each, (None, None))]
        ]

    def _reply(self, payload: dict[str, Any], status: int = 200) -> web.Response:
        return web.json_response(payload, status=status)
