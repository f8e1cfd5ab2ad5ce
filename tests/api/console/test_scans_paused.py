"""Platforms that are paused while the service runs, by the operator or by a setting."""

import pytest

from sightline.platforms.catalogue import PLATFORMS
from sightline.platforms.pauses import pause_platform, read_paused, resume_platform
from tests.api.test_edge import CONSOLE, assert_problem
from tests.house import House
from tests.scans.desk import Customer

EVERY = [platform.key for platform in PLATFORMS]


@pytest.fixture
async def customer(house, client):
    return await Customer.arrive(house, client)


async def pause(house, *keys):
    async with house.db.transaction() as tx:
        return [await pause_platform(tx, key, now=house.clock()) for key in keys]


async def enabled(customer, key=None):
    answer = await customer.client.get(f"{CONSOLE}/platforms", headers={"X-API-Key": key or customer.key})
    assert [row["key"] for row in answer.json()["data"]] == EVERY
    return [row["key"] for row in answer.json()["data"] if row["enabled"]]


async def test_enabled_is_false_while_the_platform_is_paused(customer, house):
    assert await enabled(customer) == EVERY
    assert await pause(house, "grok", "chatgpt") == [True, True]
    for key in (customer.tenant.live, customer.tenant.test):
        assert await enabled(customer, key) == [key for key in EVERY if key not in {"grok", "chatgpt"}]
    async with house.db.transaction() as tx:
        assert await resume_platform(tx, "grok") and not await resume_platform(tx, "grok")
    assert await enabled(customer) == [key for key in EVERY if key != "chatgpt"]


async def test_pausing_twice_pauses_once_and_the_first_pause_stands(house):
    assert await pause(house, "grok", "grok") == [True, False]
    assert await read_paused(house.db) == {"grok"}


async def test_a_paused_platform_makes_submit_and_preview_fail_with_nothing_charged(customer, house):
    await pause(house, "grok", "claude")
    for answer in (
        await customer.submit(platforms=["chatgpt", "grok", "claude"]),
        await customer.preview(platforms=["chatgpt", "grok", "claude"]),
    ):
        assert assert_problem(answer, 422, "platform_unavailable")["platforms"] == ["grok", "claude"]
    assert await customer.balance() == 100 and await house.db.fetchval("SELECT count(*) FROM scans") == 0


async def test_left_out_means_every_platform_that_is_enabled_at_this_moment(customer, house):
    await pause(house, "grok")
    preview = (await customer.preview()).json()["data"]
    assert preview["platforms"] == [key for key in EVERY if key != "grok"]
    assert preview["credits_required"] == len(EVERY) - 1


async def test_with_every_platform_paused_nothing_can_be_submitted(customer, house):
    await pause(house, *EVERY)
    for answer in (await customer.submit(), await customer.preview()):
        assert assert_problem(answer, 422, "platform_unavailable")["platforms"] == EVERY


async def test_the_setting_counts_as_well(database_url, tmp_path):
    async with House.open(database_url, tmp_path, paused_platforms="mistral") as house, house.client() as client:
        customer = await Customer.arrive(house, client)
        await pause(house, "grok")
        assert await enabled(customer) == [key for key in EVERY if key not in {"grok", "mistral"}]
        answer = await customer.submit(platforms=["mistral", "grok"])
        assert assert_problem(answer, 422, "platform_unavailable")["platforms"] == ["mistral", "grok"]


async def test_a_scan_that_was_accepted_before_is_not_touched(customer, house):
    scan_id = await customer.accepted(platforms=["grok"])
    await pause(house, "grok")
    assert (await customer.get(f"/{scan_id}")).json()["data"]["status"] == "pending"
