"""The Daily set: "pinned prompts first, then by expected information (volatility times demand), within the plan's
number; chosen at each Full Check and kept until the next; only pins, adds and removals change it".
"""

from math import log

import pytest

from sightline.plans.table import Plan
from sightline.scans.scheduling.daily_prompts import choose_daily_prompts, measure_demand, measure_volatility

ON, OFF = {"chatgpt": True}, {"chatgpt": False}


async def choose(world, domain, limit, among=None):
    async with world.db.transaction() as tx:
        await choose_daily_prompts(tx, domain.workspace_id, domain.id, limit=limit, among=among)
    rows = await world.db.fetch("SELECT prompt FROM prompts WHERE daily ORDER BY prompt")
    return [text for (text,) in rows]


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        ([], 1 / 2),  # no history
        ([ON], 1 / 2),  # one answer cannot be compared
        ([ON, ON], 1 / 3),
        ([ON, OFF], 2 / 3),
        ([ON, OFF, ON, OFF], 4 / 5),
        ([ON, ON, ON, ON, ON, ON, ON, ON, ON], 1 / 10),
        ([ON, {}, OFF], 2 / 3),  # days without an answer are skipped
        ([{"chatgpt": True, "gemini": True}, {"chatgpt": False, "gemini": True}], 2 / 4),
    ],
)
def test_volatility_is_how_often_an_answer_differs_from_the_previous_one(checks, expected):
    assert measure_volatility(checks) == pytest.approx(expected)


def test_demand_is_the_logarithm_of_the_volume_or_the_median_if_it_is_unknown():
    assert measure_demand([0, 9, 99, None]) == pytest.approx([0, log(10), log(100), log(10)])
    assert measure_demand([None, None]) == [1, 1]


async def test_pinned_prompts_come_first_then_the_most_volatile(world):
    domain = await world.domain(await world.workspace())
    steady = await world.prompt(domain, "steady", volume=100)
    shaky = await world.prompt(domain, "shaky", volume=100)
    pinned = await world.prompt(domain, "pinned", pinned=True, volume=0)
    await world.prompt(domain, "unseen", volume=100)
    await world.store_history(domain, steady, *[ON] * 8)
    await world.store_history(domain, shaky, *[ON, OFF] * 4)
    await world.store_history(domain, pinned, *[ON] * 8)
    assert await choose(world, domain, 1) == ["pinned"]
    assert await choose(world, domain, 2) == ["pinned", "shaky"]
    assert await choose(world, domain, 3) == ["pinned", "shaky", "unseen"]
    assert await choose(world, domain, 9) == ["pinned", "shaky", "steady", "unseen"]
    assert await choose(world, domain, 0) == []


async def test_equally_volatile_prompts_are_chosen_by_demand(world):
    domain = await world.domain(await world.workspace())
    for text, volume in (("little", 10), ("much", 10_000), ("some", 100), ("unknown", None)):
        await world.prompt(domain, text, volume=volume)
    assert await choose(world, domain, 1) == ["much"]
    assert await choose(world, domain, 3) == ["much", "some", "unknown"]


async def test_without_any_history_the_oldest_prompts_are_chosen(world):
    domain = await world.domain(await world.workspace())
    for i in (3, 1, 2):
        await world.prompt(domain, f"prompt {i}")
        world.installation.clock.advance(seconds=1)
    assert await choose(world, domain, 2) == ["prompt 1", "prompt 3"]


async def test_failed_answers_and_answers_of_the_other_source_do_not_count(world):
    domain = await world.domain(await world.workspace())
    first = await world.prompt(domain, "first")
    second = await world.prompt(domain, "second")
    await world.store_history(domain, first, ON, {"chatgpt": None}, ON)  # the answer did not change
    await world.store_history(domain, second, *[OFF, ON] * 5, source="live")
    world.installation.clock.advance(days=30)
    await world.store_history(domain, second, ON, ON, ON, source="sandbox")
    assert await choose(world, domain, 1) == ["first"]  # two steady answers prove less than three


async def test_only_prompts_of_the_full_check_and_pinned_prompts_are_chosen(world):
    domain = await world.domain(await world.workspace())
    asked = await world.prompt(domain, "asked")
    await world.prompt(domain, "not asked", volume=1_000_000)
    await world.prompt(domain, "pinned since", pinned=True)
    assert await choose(world, domain, 9, among={asked}) == ["asked", "pinned since"]


async def test_a_daily_check_asks_the_daily_set_and_a_full_check_asks_all_prompts(world):
    domain = await world.domain(await world.workspace())
    for i in range(12):
        await world.prompt(domain, f"prompt {i:02}", daily=i % 2 == 0)
    await world.tick_on([1])
    assert await world.latest_prompts(domain) == [f"prompt {i:02}" for i in range(0, 12, 2)]
    await world.tick_on([7])
    assert len(await world.latest_prompts(domain)) == 12


async def test_a_pinned_prompt_enters_the_set_at_once_and_the_plan_limit_still_applies(world):
    domain = await world.domain(await world.workspace())  # Starter: 10
    for i in range(10):
        await world.prompt(domain, f"prompt {i}")
    await world.tick_on([1])
    assert len(await world.latest_prompts(domain)) == 10
    world.installation.clock.advance(hours=1)
    await world.prompt(domain, "pinned later", pinned=True, daily=False)
    await world.tick_on([2])
    assert await world.latest_prompts(domain) == ["pinned later", *(f"prompt {i}" for i in range(9))]


async def test_daily_checks_do_not_change_the_set(world):
    domain = await world.domain(await world.workspace())
    ids = [await world.prompt(domain, f"prompt {i:02}", daily=i < 10) for i in range(20)]
    await world.tick_on([1])
    before = await world.latest_prompts(domain)
    await world.store_history(domain, ids[-1], *[ON, OFF] * 5)
    await world.tick_on([2])
    assert await world.latest_prompts(domain) == before


async def test_the_first_daily_check_chooses_the_set_if_none_exists(world):
    workspace_id = await world.workspace(Plan.STARTER)
    domain = await world.domain(workspace_id)
    for i in range(12):
        await world.prompt(domain, f"prompt {i:02}", daily=False, volume=i)
    await world.tick_on([1])
    assert sorted(await world.latest_prompts(domain)) == [f"prompt {i:02}" for i in range(2, 12)]
    chosen = await world.db.fetchval("SELECT count(*) FROM prompts WHERE daily")
    assert chosen == 10
