"""The SDK and a server that is killed, restarted or without its database: one effect, and nobody notices."""

import asyncio
import tempfile
from pathlib import Path

import anyio
import pytest

from chaos.history import Call
from sightline.db.migrate import migrate
from sightline_sdk import AsyncSightline, ServerError, Sightline
from tests.installation import Installation
from tests.process.crashes.scenario import CREDITS, KEY, open_scenario
from tests.process.serving.test_degraded import Postgres
from tests.running_worker import until
from tests.sdk.clients import open_client

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]  # each test starts the whole service several times


async def test_a_server_that_is_killed_before_it_commits_submits_one_scan(database_url, tmp_path):
    async with open_scenario(database_url, tmp_path) as scenario:
        with scenario.serving(test_crash_at="before_write_commit") as process:
            client = Sightline(scenario.tenant.live, base_url=process.url)
            submitting = asyncio.create_task(asyncio.to_thread(client.scans.submit, **describe_scan(scenario)))
            await scenario.wait_for_crash(process)
        with scenario.serving(port=process.port):
            scan = await submitting
            assert not scan.response.replayed
            ended = await asyncio.to_thread(client.scans.wait, scan.id)
            await verify_one_scan(scenario, ended)
        client.close()


async def test_one_scan_is_submitted_and_followed_while_the_server_is_killed_twice(database_url, tmp_path):
    """First after its commit and before its response, then while it streams events."""
    async with open_scenario(database_url, tmp_path) as scenario:
        scenario.settings["sandbox_latency_ms"] = 3_000  # so that answers arrive over several seconds
        with scenario.serving(test_crash_at="after_write_commit") as process:
            client = AsyncSightline(scenario.tenant.live, base_url=process.url)
            submitting = asyncio.create_task(client.scans.submit(**describe_scan(scenario)))
            await scenario.wait_for_crash(process)
        with scenario.serving(port=process.port) as process:
            scan = await submitting
            assert scan.response.replayed
            seen: list = []
            waiting = asyncio.create_task(client.scans.wait(scan.id, timeout=120, on_progress=seen.append))

            async def has_begun() -> bool:
                return bool(seen and seen[-1].answers_completed)

            await until(has_begun)
            assert seen[-1].status == "running"
            process.kill()
        before = len(seen)
        await scenario.installation.db.execute("UPDATE workers SET seen_at = seen_at - interval '15 seconds'")
        with scenario.serving(port=process.port):
            await verify_one_scan(scenario, await waiting)
        assert len(seen) > before
        await client.close()


def describe_scan(scenario) -> dict:
    prompts = [f"best crm {number}" for number in range(10)]
    return {
        "domain_id": scenario.domain_id,
        "keywords": prompts,
        "platforms": ["chatgpt", "gemini"],
        "idempotency_key": KEY,
    }


async def verify_one_scan(scenario, ended) -> None:
    assert (ended.status, ended.answers_completed) == ("completed", 20)
    scenario.calls.append(
        Call(kind="submit", workspace=scenario.tenant.id, began=0, ended=0, key=KEY, status=202, scan=ended.id)
    )
    evidence = await scenario.verify()
    assert [fact.id for fact in evidence.scans] == [ended.id]
    assert [entry.delta for entry in evidence.entries] == [CREDITS, -2]


async def test_reads_of_saved_copies_say_so_and_writes_wait_for_the_database(monkeypatch, tmp_path):
    folder = Path(tempfile.mkdtemp(prefix="sightline-sdk-"))
    folder.chmod(0o711)
    postgres = Postgres(folder / "data")
    await migrate(postgres.url)
    async with Installation.open(postgres.url, tmp_path) as installation:
        client = open_client(installation, (await installation.tenant()).live)
        made = await client.domains.register(domain="acme.com")
        fresh = await client.domains.retrieve(made.id)
        assert (fresh.response.degraded, fresh.response.stale_at) == (False, None)
        await client.domains.list().first_page()
        saved_at = installation.clock()
        installation.clock.advance(minutes=3)
        postgres.stop()
        stale = await client.domains.retrieve(made.id)
        assert (stale, stale.response.degraded, stale.response.stale_at) == (fresh, True, saved_at)
        (page,) = [page async for page in client.domains.list().pages()]
        assert page.response.degraded and page.data == [fresh] and page.data[0].response.degraded
        empty = await client.domains.list(page_size=7).first_page()
        assert (empty.data, empty.response.degraded, empty.response.stale_at) == ([], True, None)
        with pytest.raises(ServerError) as refused:
            await client.with_options(max_retries=0).domains.register(domain="globex.com")
        assert (refused.value.status, refused.value.code) == (503, "service_unavailable")

        async def start_the_database(_: float) -> None:
            monkeypatch.undo()
            await asyncio.to_thread(postgres.start)
            await asyncio.sleep(2)  # until the server looks for the database again

        # The database returns in the pause between two attempts.
        monkeypatch.setattr(anyio, "sleep", start_the_database)
        assert (await client.domains.register(domain="globex.com")).domain == "globex.com"
    postgres.server.release()
