"""The real worker, run inside a test on the installation's database and clock."""

import asyncio
import time
from contextlib import asynccontextmanager
from typing import Self

from sightline.worker.run import run_worker


@asynccontextmanager
async def working(installation, **changes):
    """Run a worker for the duration of the block, then stop it as SIGTERM does."""
    settings = installation.app_context.settings.model_copy(update=changes)
    stopping = asyncio.Event()
    task = asyncio.create_task(
        run_worker(settings, installation.db, installation.db.url, stopping, clock=installation.clock)
    )
    try:
        yield task
    finally:
        stopping.set()
        await task


async def until(condition, *, seconds: float = 30):
    """Return the first true result of the condition; fail after so many seconds.

    It asks less and less often: a condition that asks the API must not reach its rate limit on a slow machine.
    """
    deadline = time.monotonic() + seconds
    pause = 0.02
    while True:
        found = await condition()
        if found:
            return found
        assert time.monotonic() < deadline, "it did not happen in time"
        await asyncio.sleep(pause)
        pause = min(0.3, pause * 1.1)


class Console:
    """A client of the Console API with one key."""

    def __init__(self, installation, key: str) -> None:
        self.client = installation.client(X_API_Key=key)
        self._sent = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()

    async def get(self, path: str, **options):
        return await self.client.get(f"/api/v1/console{path}", **options)

    async def post(self, path: str, body=None, *, key: str | None = None):
        self._sent += 1
        headers = {"Idempotency-Key": key or f"{id(self)}-{self._sent}"}
        return await self.client.post(f"/api/v1/console{path}", json=body if body is not None else {}, headers=headers)

    async def domain(self, name: str = "acme.com", **details) -> str:
        answer = await self.post("/domains", {"domain": name, **details})
        assert answer.status_code == 201, answer.text
        return answer.json()["data"]["id"]

    async def submit(self, domain_id: str, **body) -> dict:
        answer = await self.post("/scans", {"domain_id": domain_id, **body})
        assert answer.status_code == 202, answer.text
        return answer.json()["data"]

    async def scan(self, scan_id: str) -> dict:
        return (await self.get(f"/scans/{scan_id}")).json()["data"]

    async def ended(self, scan_id: str, *, seconds: float = 30) -> dict:
        async def find_ended():
            scan = await self.scan(scan_id)
            return scan if scan["status"] not in {"pending", "running"} else None

        return await until(find_ended, seconds=seconds)

    async def balance(self) -> int:
        return (await self.get("/credits/balance")).json()["data"]["balance"]
