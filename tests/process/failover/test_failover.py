"""Failover: the primary is killed under load, its replica is promoted, and the service goes on by itself."""

import asyncio
import time
from collections import Counter

import httpx
import pytest

from sightline.db.connect import connect
from sightline.kit.clock import utc_now
from tests.installation import Installation
from tests.process.failover.clusters import USER, Cluster, run_primary, run_replica
from tests.process.serving.processes import run_json, running

pytestmark = pytest.mark.slow
CONSOLE = "/api/v1/console"


class Load:
    """Clients that register domains without a pause, and note which of them were accepted, and when."""

    def __init__(self, url: str, key: str) -> None:
        self._client = httpx.AsyncClient(base_url=url, headers={"X-API-Key": key}, timeout=60)
        self.accepted: dict[str, float] = {}
        self.refused: Counter[str] = Counter()
        self._stopping = asyncio.Event()

    async def write(self, number: int) -> None:
        count = 0
        while not self._stopping.is_set():
            count += 1
            await self._register(f"client{number}-{count}.com")

    async def _register(self, name: str) -> None:
        """Register a domain, and repeat a request that got no definite answer with its key, as clients should."""
        while name not in self.accepted:
            request = {"json": {"domain": name}, "headers": {"Idempotency-Key": name}}
            answer = await self._client.post(f"{CONSOLE}/domains", **request)
            if answer.status_code == 201:
                self.accepted[name] = time.monotonic()
            else:
                assert answer.status_code in {409, 503}, answer.text
                self.refused[answer.json()["code"]] += 1
                await asyncio.sleep(0.2)

    async def wait_for(self, accepted: int) -> None:
        while len(self.accepted) < accepted:
            await asyncio.sleep(0.05)

    async def submit_scan(self, domain_id: str) -> str:
        body = {"domain_id": domain_id, "keywords": ["crm"], "platforms": ["chatgpt", "gemini"]}
        answer = await self._client.post(f"{CONSOLE}/scans", json=body, headers={"Idempotency-Key": "scan"})
        assert answer.status_code == 202, answer.text
        return answer.json()["data"]["id"]

    async def read_status(self, scan_id: str) -> str | None:
        answer = await self._client.get(f"{CONSOLE}/scans/{scan_id}")
        is_current = answer.status_code == 200 and "x-data-degraded" not in answer.headers
        return answer.json()["data"]["status"] if is_current else None

    async def stop(self, clients: list[asyncio.Task]) -> None:
        self._stopping.set()
        await asyncio.gather(*clients)
        await self._client.aclose()


@pytest.mark.parametrize("blow", [Cluster.kill, Cluster.freeze], ids=["killed", "frozen"])
async def test_nothing_acknowledged_is_lost_when_the_primary_is_gone_and_its_replica_is_promoted(
    home, tmp_path, capsys, blow
):
    with run_primary(home) as primary, run_replica(primary) as replica:
        url = f"postgresql://{USER}@127.0.0.1:{replica.port},127.0.0.1:{primary.port}/{USER}"
        settings = {"database_url": url, "secret_key": "s" * 40, "data_dir": tmp_path / "served"}
        with running("serve", **settings, console_rate_per_minute=100_000, sandbox_latency_ms=2_000) as service:
            async with Installation.open(url, tmp_path) as installation:
                installation.clock.now = utc_now()
                tenant = await installation.tenant()
                domain_id = await installation.console_domain(tenant.test, "scanned.com")
            load = Load(service.url, tenant.test)
            clients = [asyncio.create_task(load.write(number)) for number in range(4)]
            await asyncio.wait_for(load.wait_for(20), 60)
            scan_id = await load.submit_scan(domain_id)
            await asyncio.wait_for(load.wait_for(len(load.accepted) + 20), 60)
            assert await load.read_status(scan_id) in {"pending", "running"}

            connection = await connect(url)
            assert await connection.fetchval("SELECT sync_state FROM pg_stat_replication") == "sync"
            connection.terminate()

            blow(primary)
            killed = time.monotonic()
            await asyncio.to_thread(replica.promote)
            promoted = time.monotonic()
            while not (later := [moment for moment in load.accepted.values() if moment > promoted]):
                assert time.monotonic() - killed < 30, service.printed[-3_000:]
                await asyncio.sleep(0.05)
            while await load.read_status(scan_id) != "completed":
                assert time.monotonic() - killed < 60, service.printed[-3_000:]
                await asyncio.sleep(0.2)
            completed = time.monotonic()
            await asyncio.wait_for(load.stop(clients), 30)

            connection = await connect(url)
            stored = {row[0] for row in await connection.fetch("SELECT domain FROM domains")}
            await connection.close()
            assert load.accepted.keys() - stored == set()
            verified = await asyncio.to_thread(run_json, "credits", "verify", **settings)
            assert verified == {"faults": []}
            service.stop()
    with capsys.disabled():
        print(  # noqa: T201 - the figures of this test
            f"\nfailover ({blow.__name__}): promoted after {promoted - killed:.1f} s, "
            f"writing after {min(later) - killed:.1f} s, scan completed after {completed - killed:.1f} s, "
            f"{len(load.accepted)} writes acknowledged, repeated: {dict(load.refused)}"
        )
