"""Without its database the API gives degraded answers as specified. It recovers without a restart."""

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import psutil
import pytest
from prometheus_client import REGISTRY

from sightline.db import embedded
from sightline.db.migrate import migrate
from tests.api.assertions import CONSOLE, DATA, assert_problem
from tests.installation import Installation


class Postgres:
    """A separate server for this test, so that stopping it does not affect other tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = embedded.attach(folder)
        self.url = self.server.url

    def stop(self) -> None:
        status = embedded.describe(self.folder)
        command = [str(status.binaries.program("pg_ctl")), "stop", "-D", str(status.cluster), "-m", "immediate", "-w"]
        as_helper = {"user": status.helper_user, "extra_groups": []} if status.helper_user else {}
        subprocess.run(command, check=True, capture_output=True, cwd="/", **as_helper)

    def start(self) -> None:
        embedded.attach(self.folder).release()


@pytest.fixture
def postgres():
    folder = Path(tempfile.mkdtemp(prefix="sightline-degraded-"))
    folder.chmod(0o711)
    started = Postgres(folder / "data")
    yield started
    started.server.release()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
async def own_installation(postgres, tmp_path):
    await migrate(postgres.url)
    async with Installation.open(postgres.url, tmp_path) as opened:
        yield opened


async def wait_until_recovered(client, path, key):
    for _ in range(100):
        answer = await client.get(path, headers={"X-API-Key": key})
        if "x-data-degraded" not in answer.headers and answer.status_code == 200:
            return answer
        await asyncio.sleep(0.1)
    raise AssertionError(answer.text)


def count_degraded_reads():
    return REGISTRY.get_sample_value("sightline_degraded_reads_total")


async def test_a_read_is_answered_from_the_last_good_copy(postgres, own_installation):
    tenant = await own_installation.tenant()
    domain_id = await own_installation.console_domain(tenant.live)
    headers = {"X-API-Key": tenant.live, "X-Request-Id": "now"}
    async with own_installation.client() as client:
        paths = (f"{CONSOLE}/domains", f"{CONSOLE}/domains/{domain_id}", f"{CONSOLE}/account", f"{CONSOLE}/usage")
        good = {path: (await client.get(path, headers=headers)).json() for path in paths}
        own_installation.clock.advance(minutes=3)
        counted = count_degraded_reads()
        postgres.stop()
        for path in paths:
            answer = await client.get(path, headers=headers)
            assert answer.status_code == 200
            assert answer.headers["x-data-degraded"] == "true"
            assert answer.headers["x-data-stale-at"] == "2026-11-15T09:30:10.000000+00:00"
            assert answer.headers["x-request-id"] == answer.json()["meta"]["request_id"] == "now"
            assert answer.headers["x-ratelimit-limit"] == "120"
            assert answer.json() == good[path]
        head = await client.head(paths[0], headers=headers)
        assert (head.headers["x-data-degraded"], head.content) == ("true", b"")

        # With no saved copy, a list returns an empty data array and no X-Data-Stale-At.
        answer = await client.get(f"{CONSOLE}/domains?page_size=7", headers=headers)
        assert answer.status_code == 200
        assert answer.json() == {"data": [], "meta": {"has_more": False, "next_cursor": None, "request_id": "now"}}
        assert answer.headers["x-data-degraded"] == "true" and "x-data-stale-at" not in answer.headers
        # A single resource without a copy is unavailable.
        answer = await client.get(f"{CONSOLE}/domains/00000000-0000-7000-8000-000000000000", headers=headers)
        assert_problem(answer, 503, "service_unavailable")
        assert int(answer.headers["retry-after"]) > 0
        assert count_degraded_reads() - counted == len(paths) + 2, "with the HEAD and the empty list"

        # `keys`, `session` and writes answer 503.
        for method, path in (
            ("GET", f"{CONSOLE}/keys"),
            ("POST", f"{CONSOLE}/domains"),
            ("DELETE", f"{CONSOLE}/domains/{domain_id}"),
            ("POST", f"{CONSOLE}/session"),
            ("PATCH", f"{CONSOLE}/account"),
        ):
            body = {"email": "a@b.com", "password": "x", "domain": "b.com"}
            answer = await client.request(method, path, json=body, headers={**headers, "Idempotency-Key": "k"})
            assert_problem(answer, 503, "service_unavailable")

        # A malformed key is still rejected. A key that was never seen before cannot be verified.
        assert_problem(await client.get(paths[0], headers={"X-API-Key": "sk_live_x"}), 401, "key_invalid")
        answer = await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.data})
        assert_problem(answer, 503, "service_unavailable")

        postgres.start()
        answer = await wait_until_recovered(client, paths[0], tenant.live)
        assert answer.json()["data"] == good[paths[0]]["data"]
        answer = await client.post(
            f"{CONSOLE}/domains", json={"domain": "b.com"}, headers={**headers, "Idempotency-Key": "k"}
        )
        assert answer.status_code == 201, "the refused write had no effect"


async def test_copies_are_not_shared_between_roles_plans_modes_and_workspaces(postgres, own_installation):
    from sightline.accounts.models import Role

    tenant, other = await own_installation.tenant(), await own_installation.tenant()
    await own_installation.console_domain(tenant.live)
    viewer = await own_installation.mint(tenant, await own_installation.member(tenant, Role.VIEWER), "console")
    async with own_installation.client() as client:
        keys = (tenant.live, tenant.test, other.live, viewer)
        for key in keys:  # every key has been seen; only the first one has read the list
            await client.get(f"{CONSOLE}/platforms", headers={"X-API-Key": key})
        await client.get(f"{CONSOLE}/domains", headers={"X-API-Key": tenant.live})
        postgres.stop()
        rows = [(await client.get(f"{CONSOLE}/domains", headers={"X-API-Key": key})).json()["data"] for key in keys]
        assert [len(found) for found in rows] == [1, 0, 0, 0]


@pytest.mark.slow
async def test_credentials_are_accepted_without_the_database_for_at_most_24_hours(postgres, own_installation):
    tenant = await own_installation.tenant()
    async with own_installation.client(X_API_Key=tenant.live) as client:
        await client.get(f"{CONSOLE}/domains")
        postgres.stop()
        own_installation.clock.advance(hours=24)
        assert (await client.get(f"{CONSOLE}/domains")).status_code == 200
        own_installation.clock.advance(seconds=1)
        assert_problem(await client.get(f"{CONSOLE}/domains"), 503, "service_unavailable")


@pytest.mark.slow
async def test_a_revoked_key_and_an_ended_session_cannot_read_copies(postgres, own_installation):
    tenant = await own_installation.tenant()
    second = await own_installation.mint(tenant, tenant.owner, "console")
    browser = await own_installation.sign_in(tenant.owner)
    async with own_installation.client() as client:
        await client.get(f"{CONSOLE}/domains", headers={"X-API-Key": second})
        workspace = {"X-Workspace-Id": tenant.id}
        await browser.get(f"{CONSOLE}/domains", headers=workspace)
        cookie = {"Cookie": f"sightline_session={browser.cookies['sightline_session']}"}
        listed = (await client.get(f"{CONSOLE}/keys", headers={"X-API-Key": tenant.live})).json()["data"]
        key_id = next(key["id"] for key in listed if key["last_four"] == second[-4:])
        await client.delete(f"{CONSOLE}/keys/{key_id}", headers={"X-API-Key": tenant.live})
        await browser.delete(f"{CONSOLE}/session")
        await own_installation.app_context.ended_callers.follow(own_installation.db)  # as each process does in a second
        postgres.stop()
        for headers in ({"X-API-Key": second}, {**cookie, **workspace}):
            assert_problem(await client.get(f"{CONSOLE}/domains", headers=headers), 503, "service_unavailable")
        answer = await client.get(f"{CONSOLE}/domains", headers={"X-API-Key": tenant.live})
        assert answer.headers["x-data-degraded"] == "true", "other credentials still work"
    await browser.aclose()


@pytest.mark.slow
async def test_a_session_can_read_copies_and_the_rate_limit_still_applies(postgres, own_installation):
    tenant = await own_installation.tenant()
    browser = await own_installation.sign_in(tenant.owner)
    browser.headers["X-Workspace-Id"] = tenant.id
    assert (await browser.get(f"{CONSOLE}/domains")).status_code == 200
    async with own_installation.client(X_API_Key=tenant.live) as client:
        await client.get(f"{CONSOLE}/domains")
        postgres.stop()
        assert (await browser.get(f"{CONSOLE}/domains")).headers["x-data-degraded"] == "true"
        assert_problem(await browser.get(f"{CONSOLE}/session"), 503, "service_unavailable")
        statuses = [(await client.get(f"{CONSOLE}/domains")).status_code for _ in range(125)]
        assert statuses == [200] * 120 + [429] * 5
    await browser.aclose()


@pytest.mark.slow
async def test_a_new_process_reads_the_copies_of_its_predecessor(postgres, own_installation, tmp_path):
    tenant = await own_installation.tenant()
    await own_installation.console_domain(tenant.live)
    async with own_installation.client(X_API_Key=tenant.live) as client:
        before = (await client.get(f"{CONSOLE}/domains")).json()["data"]
    await own_installation.app_context.copies.close()
    postgres.stop()
    async with (
        Installation.open(postgres.url, tmp_path) as restarted,
        restarted.client(X_API_Key=tenant.live) as client,
    ):
        answer = await client.get(f"{CONSOLE}/domains")
        assert answer.headers["x-data-degraded"] == "true"
        assert answer.json()["data"] == before


@pytest.mark.slow
async def test_a_hanging_database_is_treated_as_unavailable(postgres, own_installation):
    """A suspended server neither answers nor refuses: after one timeout, copies are served immediately."""
    import os
    import signal
    import time

    tenant = await own_installation.tenant()
    async with own_installation.client(X_API_Key=tenant.live) as client:
        await client.get(f"{CONSOLE}/domains")
        postmaster = embedded.describe(postgres.folder).pid
        processes = [postmaster, *(child.pid for child in psutil.Process(postmaster).children())]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            assert (await client.get(f"{CONSOLE}/domains")).headers["x-data-degraded"] == "true"
            started = time.monotonic()
            for _ in range(20):
                assert (await client.get(f"{CONSOLE}/domains")).headers["x-data-degraded"] == "true"
            assert time.monotonic() - started < 10, "later requests do not wait for the timeout again"
        finally:
            for process in processes:
                with contextlib.suppress(ProcessLookupError):  # a backend that was resumed may have ended already
                    os.kill(process, signal.SIGCONT)
        await wait_until_recovered(client, f"{CONSOLE}/domains", tenant.live)


@pytest.mark.slow
async def test_lists_give_no_5xx_under_read_load_and_recover_without_a_restart(postgres, own_installation):
    tenant = await own_installation.tenant()
    for number in range(3):
        await own_installation.console_domain(tenant.live, f"d{number}.com")
    statuses: list[tuple[int, bool, int]] = []
    stopped = asyncio.Event()

    async def read():
        async with own_installation.client(X_API_Key=tenant.live) as client:
            while not stopped.is_set():
                own_installation.clock.advance(seconds=1)  # so that the rate limit per minute is never reached
                answer = await client.get(f"{CONSOLE}/domains")
                degraded = "x-data-degraded" in answer.headers
                rows = len(answer.json()["data"]) if answer.status_code == 200 else -1
                statuses.append((answer.status_code, degraded, rows))
                await asyncio.sleep(0)

    readers = [asyncio.create_task(read()) for _ in range(4)]
    await asyncio.sleep(0.5)
    await asyncio.to_thread(postgres.stop)
    await asyncio.sleep(1)
    await asyncio.to_thread(postgres.start)
    for _ in range(100):
        await asyncio.sleep(0.1)
        if statuses[-1] == (200, False, 3):
            break
    stopped.set()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*readers)
    assert set(statuses) == {(200, False, 3), (200, True, 3)}
    assert statuses[-1] == (200, False, 3)
