"""A huge check never starves a small one: of another workspace, on the same platform, at the same time."""

import asyncio
import itertools
import statistics
import time

import pytest

from tests.running_worker import until, working
from tests.scans.running.provider import build_keywords, live_console

LATENCY = 0.2
SLACK = 0.35  # for a machine that has other things to do


@pytest.fixture
async def huge(live_installation, live, provider):
    """Somebody else's 200 answers on the platform, of which many are under way."""
    provider.latency = LATENCY
    submitted = itertools.count()

    async def submit():
        for _ in range(4):
            number = next(submitted)
            domain = await live.domain(f"huge{number}.com")
            await live.submit(domain, keywords=build_keywords(50, f"huge {number}"), platforms=["chatgpt"])

        async def busy():
            return provider.in_flight >= 8

        await until(busy)

    return submit


async def run_small(console, name, cells):
    """Seconds from submit to end."""
    domain = await console.domain(f"{name}.com")
    began = time.monotonic()
    scan = await console.submit(domain, keywords=build_keywords(cells, name), platforms=["chatgpt"])
    assert (await console.ended(scan["id"]))["status"] == "completed"
    return time.monotonic() - began


async def measure(live_installation, huge):
    async with live_console(live_installation) as small, working(live_installation):
        await run_small(small, "warm", 1)
        alone = [await run_small(small, f"alone{number}", 2) for number in range(3)]
        await huge()
        live_installation.clock.advance(minutes=5)  # what has run for long has no claim to more
        beside = [await run_small(small, f"beside{number}", 2) for number in range(3)]
        larger = await run_small(small, "larger", 8)
    return statistics.median(alone), statistics.median(beside), larger


async def test_a_small_check_behind_a_huge_one_of_another_workspace_takes_hardly_longer(
    live_installation, huge, provider
):
    for _ in range(2):  # once more where the machine was busy with something else
        alone, beside, larger = await measure(live_installation, huge)
        fair = beside <= alone * 1.5 + SLACK and larger <= alone * 1.5 + LATENCY + SLACK
        if fair:
            break
    assert fair, (alone, beside, larger)
    assert provider.most <= 10


async def test_two_huge_checks_of_two_workspaces_go_on_side_by_side(live_installation, live, provider):
    provider.latency = 0.05
    async with live_console(live_installation) as other, working(live_installation):
        first = await live.submit(await live.domain(), keywords=build_keywords(50, "first"), platforms=["chatgpt"])
        second = await other.submit(await other.domain(), keywords=build_keywords(50, "second"), platforms=["chatgpt"])

        async def far():
            return (await live.scan(first["id"]))["answers_completed"] >= 40

        await until(far)
        assert (await other.scan(second["id"]))["answers_completed"] >= 15
        await asyncio.gather(live.ended(first["id"]), other.ended(second["id"]))


async def test_of_two_workers_both_begin_a_small_check_at_once_though_a_huge_one_has_jobs_waiting(
    live_installation, live, provider
):
    """Nothing of the huge check is answered before the small one is asked: it has the places that are kept free."""
    provider.held.clear()
    async with working(live_installation), working(live_installation), live_console(live_installation) as small:
        await until(lambda: are_shared(live_installation))
        huge = await live.submit(
            await live.domain("huge.com"), keywords=build_keywords(50, "huge"), platforms=["chatgpt"]
        )

        async def full():
            return provider.in_flight == 8

        await until(full)
        await asyncio.sleep(0.3)  # both have looked again and taken all that they would
        mine = await small.submit(
            await small.domain("small.com"), keywords=build_keywords(2, "small"), platforms=["chatgpt"]
        )

        async def asked():
            return all(provider.asked[word] for word in build_keywords(2, "small"))

        await until(asked, seconds=10)
        assert provider.in_flight == 10
        provider.held.set()
        for console, scan in ((small, mine), (live, huge)):
            assert (await console.ended(scan["id"]))["status"] == "completed"
    assert provider.most == 10


async def are_shared(installation):
    rows = await installation.db.fetch("SELECT slots FROM platform_leases WHERE lane = 'live.chatgpt'")
    return [row[0] for row in rows] == [5, 5]
