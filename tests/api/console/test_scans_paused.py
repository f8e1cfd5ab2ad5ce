"""Platforms that are paused while the service runs, by the operator or by a setting."""

import pytest

from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.pauses import pause_platform, resume_platform
from sightline.platforms.queries import read_paused
from tests.api.assertions import CONSOLE, assert_problem
from tests.console_customers import Customer
from tests.installation import Installation

EVERY = [platform.key for platform in PLATFORMS]


@pytest.fixture
async def customer(installation, client):
    return await Customer.create(installation, client)


async def pause(installation, *keys):
    async with installation.db.transaction() as tx:
        return [await pause_platform(tx, key, now=installation.clock()) for key in keys]


async def enabled(customer, key=None):
    response = await customer.client.get(f"{CONSOLE}/platforms", headers={"X-API-Key": key or customer.key})
    assert [row["key"] for row in response.json()["data"]] == EVERY
    return [row["key"] for row in response.json()["data"] if row["enabled"]]


async def test_enabled_is_false_while_the_platform_is_paused(customer, installation):
    assert await enabled(customer) == EVERY
    assert await pause(installation, "grok", "chatgpt") == [True, True]
    for key in (customer.tenant.live, customer.tenant.test):
        assert await enabled(customer, key) == [key for key in EVERY if key not in {"grok", "chatgpt"}]
    async with installation.db.transaction() as tx:
        resumed = [await resume_platform(tx, "grok", now=installation.clock()) for _ in range(2)]
        assert resumed == [True, False]
    assert await enabled(customer) == [key for key in EVERY if key != "chatgpt"]


async def test_pausing_twice_keeps_the_first_pause(installation):
    assert await pause(installation, "grok", "grok") == [True, False]
    assert await read_paused(installation.db) == {"grok"}


async def test_a_paused_platform_makes_submit_and_preview_fail_with_nothing_charged(customer, installation):
    await pause(installation, "grok", "claude")
    for response in (
        await customer.submit(platforms=["chatgpt", "grok", "claude"]),
        await customer.preview(platforms=["chatgpt", "grok", "claude"]),
    ):
        assert assert_problem(response, 422, "platform_unavailable")["platforms"] == ["grok", "claude"]
    assert await customer.balance() == 100 and await installation.db.fetchval("SELECT count(*) FROM scans") == 0


async def test_omitted_platforms_means_every_platform_enabled_now(customer, installation):
    await pause(installation, "grok")
    preview = (await customer.preview()).json()["data"]
    assert preview["platforms"] == [key for key in EVERY if key != "grok"]
    assert preview["credits_required"] == len(EVERY) - 1


async def test_with_every_platform_paused_nothing_can_be_submitted(customer, installation):
    await pause(installation, *EVERY)
    for response in (await customer.submit(), await customer.preview()):
        assert assert_problem(response, 422, "platform_unavailable")["platforms"] == EVERY


async def test_a_setting_can_pause_a_platform(database_url, tmp_path):
    async with (
        Installation.open(database_url, tmp_path, paused_platforms="mistral") as installation,
        installation.client() as client,
    ):
        customer = await Customer.create(installation, client)
        await pause(installation, "grok")
        assert await enabled(customer) == [key for key in EVERY if key not in {"grok", "mistral"}]
        response = await customer.submit(platforms=["mistral", "grok"])
        assert assert_problem(response, 422, "platform_unavailable")["platforms"] == ["mistral", "grok"]


async def test_a_scan_accepted_before_the_pause_is_not_affected(customer, installation):
    scan_id = await customer.accepted(platforms=["grok"])
    await pause(installation, "grok")
    assert (await customer.get(f"/{scan_id}")).json()["data"]["status"] == "pending"
