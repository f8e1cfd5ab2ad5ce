"""The platforms of a run, asked over HTTP: they answer like the real ones until the nemesis gives them a fault."""

import asyncio
import random

from aiohttp import web

from tests.fakes.faults import Fault, Faults
from tests.fakes.provider import Provider, ProviderRequest
from tests.fakes.server import FakeServer

_LATENCY = 0.06
# How often a platform with a fault shows it. The other replies are right, as in a real outage.
_OFTEN = 0.8
FAULTS: dict[str, tuple[Fault, ...]] = {
    "truncates": (Faults.cut(), Faults.broken_json()),
    "lies": (
        Faults.inner_error(),
        Faults.missing_fields(),
        Faults.gateway_page(),
        Faults.blank(),
        Faults.server_error(500),
        Faults.huge(),
    ),
    "limits": (Faults.rate_limited(1), Faults.rate_limited(), Faults.overloaded()),
    "hangs": (Faults.silence(),),
    "drips": (Faults.drip(0.0), Faults.drip(0.002)),
}


class UnreliablePlatforms(FakeServer):
    def __init__(self, seed: int) -> None:
        super().__init__()
        self._chance = random.Random(f"platforms {seed}")
        self._kinds: list[str] = []

    def begin(self, kind: str) -> None:
        self._kinds.append(kind)

    def end(self, kind: str) -> None:
        self._kinds.remove(kind)

    def heal(self) -> None:
        self._kinds.clear()

    def choose_fault(self, name: str, prompt: str) -> Fault | None:
        if self._kinds and self._chance.random() < _OFTEN:
            return self._chance.choice(FAULTS[self._kinds[-1]])
        return super().choose_fault(name, prompt)

    async def _play(
        self, fault: Fault, provider: Provider, request: ProviderRequest, http_request: web.Request
    ) -> web.StreamResponse:
        await asyncio.sleep(_LATENCY)
        self.requests.clear()  # nobody looks at them here, and a run makes thousands
        try:
            return await super()._play(fault, provider, request, http_request)
        except ConnectionError:  # the worker has given up, or was killed
            return web.Response(status=503)
