"""Several processes on one database: limits are shared, quotas survive, a killed process leaves no partial write."""

import asyncio
import signal
import sys
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from sightline.db.engine import Database
from sightline.db.migrate import migrate
from sightline.idempotency.claims import SILENCE
from tests.databases import run_sql, with_database
from tests.installation import Installation
from tests.process.serving.processes import Running, running
from tests.running_worker import until

pytestmark = pytest.mark.slow  # each test starts the service once or more
SECRET = "s" * 40


@pytest.fixture
async def tenant(installation):
    return await installation.tenant()


def settings(database_url, tmp_path, **more):
    return {"database_url": database_url, "secret_key": SECRET, "data_dir": tmp_path / "data", **more}


async def wait_for_early_in_a_minute():
    """Wait until the current minute has enough time left for the test to use up its limit."""
    while datetime.now(UTC).second > 40:
        await asyncio.sleep(1)


async def test_two_api_processes_together_accept_at_most_120_requests_of_one_key(database_url, tmp_path, tenant):
    with (
        running("api", **settings(database_url, tmp_path)) as first,
        running("api", **settings(database_url, tmp_path)) as second,
    ):
        await wait_for_early_in_a_minute()
        limits = httpx.Limits(max_connections=20)
        async with httpx.AsyncClient(headers={"X-API-Key": tenant.live}, limits=limits, timeout=30) as client:
            urls = [f"{process.url}/api/v1/console/platforms" for process in (first, second)] * 150
            answers = await asyncio.gather(*(client.get(url) for url in urls))
        assert Counter(answer.status_code for answer in answers) == {200: 120, 429: 180}
        refused = [answer for answer in answers if answer.status_code == 429]
        assert all(1 <= int(answer.headers["retry-after"]) <= 60 for answer in refused)


async def test_the_monthly_quota_survives_a_restart(database_url, tmp_path, tenant):
    configured = settings(database_url, tmp_path, console_rate_per_month=5)
    for expected in ([200, 200, 200], [200, 200, 429]):
        with running("api", **configured) as process:
            async with httpx.AsyncClient(headers={"X-API-Key": tenant.live}) as client:
                statuses = [(await client.get(f"{process.url}/api/v1/console/platforms")).status_code for _ in range(3)]
        assert statuses == expected  # the process was killed with SIGKILL in between


async def retry_for(seconds, url, **request):
    """Send the request until its key is free, at most for so many seconds, and return the last response."""
    deadline = time.monotonic() + seconds
    async with httpx.AsyncClient(timeout=30) as client:
        while True:
            answer = await client.post(url, **request)
            if answer.status_code not in {409, 503} or time.monotonic() > deadline:
                return answer
            await asyncio.sleep(0.5)


@pytest.mark.parametrize("point", ["before_write", "before_write_commit"])
async def test_a_process_that_is_stopped_until_its_claim_is_free_and_goes_on_has_no_second_effect(
    database_url, tmp_path, tenant, installation, point
):
    configured = settings(database_url, tmp_path)
    request = {"json": {"name": "minted"}, "headers": {"X-API-Key": tenant.live, "Idempotency-Key": "k"}}
    path = "/api/v1/console/keys"
    with running("api", **configured, test_stop_at=point) as stopped, running("api", **configured) as other:
        async with httpx.AsyncClient(timeout=60) as client:
            original = asyncio.create_task(client.post(stopped.url + path, **request))
            while "T (stopped)" not in Path(f"/proc/{stopped.process.pid}/status").read_text():
                await asyncio.sleep(0.05)
            retry = asyncio.create_task(retry_for(60, other.url + path, **request))
            if point == "before_write":
                await retry  # it succeeds while the other process is stopped
            else:
                await asyncio.sleep(SILENCE.total_seconds() + 3)  # its transaction is open: the retry has to wait
                assert not retry.done()
            stopped.process.send_signal(signal.SIGCONT)
            outcomes = [(await original).status_code, (await retry).status_code]
    expected = [409, 201] if point == "before_write" else [201, 201]  # the one that commits first wins
    assert outcomes == expected
    assert await installation.db.fetchval("SELECT count(*) FROM api_keys WHERE name = 'minted'") == 1


async def test_a_kill_during_30_writes_frees_every_key_within_15_seconds(database_url, tmp_path, tenant, installation):
    # Each write waits on a connection of its own, and its retries are not what is limited here.
    configured = settings(database_url, tmp_path, database_pool_size=35, console_rate_per_minute=10_000)
    path = "/api/v1/console/domains"

    def build_request(number):
        return {
            "json": {"domain": f"acme{number}.com"},
            "headers": {"X-API-Key": tenant.live, "Idempotency-Key": f"k{number}"},
        }

    with running("api", **configured) as survivor, running("api", **configured) as victim:
        async with httpx.AsyncClient(timeout=30) as client, installation.db.transaction() as tx:
            await tx.execute("LOCK TABLE domains IN EXCLUSIVE MODE")  # the writes have claimed, and wait
            posts = [asyncio.create_task(client.post(victim.url + path, **build_request(n))) for n in range(30)]
            while await installation.db.fetchval("SELECT count(*) FROM idempotency_keys") < 30:
                await asyncio.sleep(0.05)
            victim.kill()
            await asyncio.gather(*posts, return_exceptions=True)
        answers = await asyncio.gather(*(retry_for(15, survivor.url + path, **build_request(n)) for n in range(30)))
    assert Counter(answer.status_code for answer in answers) == {201: 30}
    assert await installation.db.fetchval("SELECT count(*) FROM domains") == 30


CRASHES_BEFORE_COMMIT = """
import os
from sightline.idempotency import claims

async def settle(*arguments, **named):
    os._exit(137)  # the claim is committed, but the write is not

claims.settle = settle
from sightline.cli.main import app
app(["api"])
"""


async def test_a_kill_between_claim_and_commit_leaves_no_partial_write_and_frees_the_key(
    database_url, tmp_path, tenant
):
    configured = settings(database_url, tmp_path)
    headers = {"X-API-Key": tenant.live, "Idempotency-Key": "k"}
    path = "/api/v1/console/domains"
    with running(command=[sys.executable, "-c", CRASHES_BEFORE_COMMIT], **configured) as process:
        with pytest.raises(httpx.TransportError):
            httpx.post(process.url + path, json={"domain": "acme.com"}, headers=headers)
        assert process.process.wait(10) == 137
    with running("api", **configured) as process:
        assert httpx.get(process.url + path, headers=headers).json()["data"] == []
        freed = await retry_for(15, process.url + path, json={"domain": "acme.com"}, headers=headers)
        assert freed.status_code == 201
        again = httpx.post(process.url + path, json={"domain": "acme.com"}, headers=headers)
        assert again.headers["x-idempotent-replay"] == "true"


async def test_a_kill_during_200_identical_writes_leaves_one_write(database_url, tmp_path, tenant):
    configured = settings(database_url, tmp_path, idempotency_lease=1, console_rate_per_minute=10_000)
    headers = {"X-API-Key": tenant.live, "Idempotency-Key": "k"}
    with running("api", **configured) as survivor, running("api", **configured) as victim:
        async with httpx.AsyncClient(headers=headers, timeout=30) as client:

            async def post(url):
                try:
                    return await client.post(f"{url}/api/v1/console/domains", json={"domain": "acme.com"})
                except httpx.TransportError:
                    return None

            posts = [asyncio.create_task(post(url)) for url in (victim.url, survivor.url) * 100]
            await asyncio.sleep(0.05)
            victim.kill()
            await asyncio.gather(*posts)
            await asyncio.sleep(1.1)
            final = await client.post(f"{survivor.url}/api/v1/console/domains", json={"domain": "acme.com"})
            assert final.status_code == 201
    database = Database(database_url, pool_size=1)
    await database.open()
    assert await database.fetchval("SELECT count(*) FROM domains") == 1
    await database.close()


async def test_a_worker_on_an_empty_schema_waits_and_says_so(server_url, tmp_path):
    name = f"test_{uuid.uuid4().hex}"
    await run_sql(server_url, f'CREATE DATABASE "{name}"')
    url = with_database(server_url, name)
    worker = Running("worker", **settings(url, tmp_path))
    database = Database(url, pool_size=1)
    await database.open()
    try:
        await asyncio.to_thread(worker.wait_for_line, "sightline migrate")
        await migrate(url)
        await until(lambda: database.fetchval("SELECT id FROM workers"))
        assert "Traceback" not in await asyncio.to_thread(worker.stop)
        assert worker.process.returncode == 0
    finally:
        worker.kill()
        await database.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')


async def test_many_processes_can_migrate_at_once(server_url):
    """One process migrates. The others wait for the lock, then find nothing to do."""
    name = f"test_{uuid.uuid4().hex}"
    await run_sql(server_url, f'CREATE DATABASE "{name}"')
    await asyncio.gather(*(migrate(with_database(server_url, name)) for _ in range(6)))
    await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')


async def test_forwarded_addresses_are_accepted_only_from_trusted_proxies(database_url, tmp_path):
    """Requests without a key are limited per address, and keys may be: a client must not invent addresses."""

    def statuses(url: str) -> Iterator[int]:
        for number in range(3):
            headers = {"X-Forwarded-For": f"203.0.113.{number}"}
            yield httpx.post(f"{url}/api/v1/console/account/bootstrap", json={}, headers=headers).status_code

    async with Installation.open(database_url, tmp_path) as installation:
        tenant = await installation.tenant()
        bounded = await installation.mint(tenant, tenant.owner, "console", allowed_addresses=["203.0.113.9"])
    configured = settings(database_url, tmp_path, anonymous_rate_per_minute=3)  # the refused key counts as well
    for trusted, expected, by_key in (("127.0.0.1", [422, 422, 422], 200), ("192.0.2.1", [422, 422, 429], 403)):
        with running("api", **configured, trusted_proxies=trusted) as process:
            await wait_for_early_in_a_minute()
            headers = {"X-Forwarded-For": "198.51.100.1, 203.0.113.9", "X-API-Key": bounded}
            assert httpx.get(f"{process.url}/api/v1/console/account", headers=headers).status_code == by_key
            assert list(statuses(process.url)) == expected
