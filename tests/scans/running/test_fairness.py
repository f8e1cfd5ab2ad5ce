"""Fairness between workspaces on one platform: a huge check does not starve a small one. Nothing here is timed.

The provider holds back all answers and releases them one by one. After each of them the engine comes to rest before
the next one is released, so the order of the questions depends on its decisions alone, but for one thing: a slot is
free as soon as its answer arrives, and its next cell may be admitted before or after that answer is counted.
"""

from collections import Counter
from contextlib import AsyncExitStack

import pytest

from sightline.scans.running.engine import open_engine
from tests.running_worker import until, working
from tests.scans.running.provider import ADMITTED, SLOTS, build_keywords, live_console

EVEN = 2
"""Workspaces with an even share differ by at most so many cells: one for the remainder, one that is not counted yet."""


async def list_under_way(installation):
    """Return how many cells of each workspace were admitted and have no answer yet, the smallest number first."""
    rows = await installation.db.fetch("SELECT sum(admitted - settled) AS n FROM scan_lanes GROUP BY workspace_id")
    return sorted(row[0] for row in rows)


async def wait_for_rest(installation, provider, released):
    """Wait until so many answers are stored, all slots are in use and admission has replaced what was answered."""

    async def is_at_rest():
        stored = await installation.db.fetchval("SELECT count(*) FROM answers")
        under_way = sum(await list_under_way(installation))
        return (stored, provider.in_flight, under_way) == (released, SLOTS, ADMITTED)

    await until(is_at_rest)


async def submit(console, name, prompts, *, domain=None):
    keywords = build_keywords(prompts, name)
    return await console.submit(await console.domain(domain or f"{name}.com"), keywords=keywords, platforms=["chatgpt"])


async def wait_until_started(installation, scan):
    async def has_started():
        return await installation.db.fetchval("SELECT count(*) FROM scan_lanes WHERE scan_id::text = $1", scan["id"])

    await until(has_started)


async def run_workers(stack, installation, count):
    for _ in range(count):
        await stack.enter_async_context(working(installation))
    shares = [SLOTS // count] * count

    async def have_their_shares():
        rows = await installation.db.fetch("SELECT slots FROM platform_leases WHERE lane = 'live.chatgpt'")
        return [row[0] for row in rows] == shares

    await until(have_their_shares)


def count_by_name(prompts):
    """Count prompts by the name in `build_keywords(count, name)`."""
    return Counter(prompt.rpartition(" ")[0] for prompt in prompts)


async def assert_all_complete(provider, *submitted):
    provider.answer_at_once()
    for console, scan in submitted:
        ended = await console.ended(scan["id"])
        assert (ended["status"], ended["answers_completed"]) == ("completed", ended["answers_total"])
    assert provider.most == SLOTS
    assert set(provider.asked.values()) == {1}, "each question is asked once"


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_small_check_is_asked_before_a_huge_one_gets_ten_more_than_were_admitted(
    live_installation, live, provider, workers
):
    provider.answer_one_by_one()
    async with AsyncExitStack() as stack:
        small = await stack.enter_async_context(live_console(live_installation))
        await run_workers(stack, live_installation, workers)
        huge_scans = [await submit(live, "huge", 50, domain=f"huge{number}.com") for number in range(4)]
        for scan in huge_scans:
            await wait_until_started(live_installation, scan)
        await wait_for_rest(live_installation, provider, 0)
        (admitted,) = await list_under_way(live_installation)

        small_scan = await submit(small, "small", 10)
        await wait_until_started(live_installation, small_scan)
        released = 0
        while count_by_name(provider.order)["small"] < 10:
            provider.release_one()
            released += 1
            await wait_for_rest(live_installation, provider, released)
            assert count_by_name(provider.order)["huge"] <= admitted + 10

        provider.answer_at_once()
        assert (await small.ended(small_scan["id"]))["answers_completed"] == 10
        for scan in huge_scans:
            assert (await live.ended(scan["id"]))["answers_completed"] == 50
    assert provider.most == SLOTS


async def test_two_huge_checks_of_two_workspaces_are_asked_side_by_side(live_installation, live, provider):
    provider.answer_one_by_one()
    async with live_console(live_installation) as other, working(live_installation):
        first = await submit(live, "first", 50)
        await wait_for_rest(live_installation, provider, 0)
        second = await submit(other, "second", 50)
        await wait_until_started(live_installation, second)
        for released in range(1, 31):
            provider.release_one()
            await wait_for_rest(live_installation, provider, released)
        fewest, most = await list_under_way(live_installation)
        assert most - fewest <= EVEN, "the second one has caught up"
        recently = count_by_name(provider.order[-ADMITTED:])
        assert min(recently["first"], recently["second"]) >= ADMITTED // 3, "and both are asked"
        await assert_all_complete(provider, (live, first), (other, second))


async def test_a_workspace_that_is_alone_may_use_all_slots(live_installation, live, provider):
    provider.answer_one_by_one()
    async with working(live_installation):
        scan = await submit(live, "alone", 50)
        await wait_for_rest(live_installation, provider, 0)
        await assert_all_complete(provider, (live, scan))


async def test_a_third_workspace_gets_its_share_while_two_others_use_all_slots(live_installation, live, provider):
    provider.answer_one_by_one()
    async with (
        live_console(live_installation) as second,
        live_console(live_installation) as third,
        working(live_installation),
    ):
        scans = [(console, await submit(console, name, 40)) for console, name in ((live, "first"), (second, "second"))]
        await wait_for_rest(live_installation, provider, 0)
        scans.append((third, await submit(third, "third", 40)))
        await wait_until_started(live_installation, scans[-1][1])
        for released in range(1, 21):
            provider.release_one()
            await wait_for_rest(live_installation, provider, released)
        under_way = await list_under_way(live_installation)
        assert len(under_way) == 3 and max(under_way) - min(under_way) <= EVEN
        await assert_all_complete(provider, *scans)


async def test_a_worker_takes_cells_ahead_only_when_all_its_slots_are_in_use(live_installation):
    """Before that, another worker may have free slots for them."""
    settings, lane = live_installation.app_context.settings, "live.chatgpt"
    async with open_engine(settings, live_installation.db, clock=live_installation.clock) as engine:
        gate = engine.clients.gates[lane]
        gate.window.resize(SLOTS)
        assert engine.free_slots(lane) == SLOTS
        for left in range(SLOTS - 1, 0, -1):
            await gate.enter()
            assert engine.free_slots(lane) == left
        await gate.enter()
        assert engine.free_slots(lane) == ADMITTED - SLOTS
