"""Rate limits per key, per minute and month, and their headers on every response."""

import asyncio
from collections import Counter

import asyncpg
import pytest
from structlog.testing import capture_logs

from sightline.api.edge.browsers import SESSION_COOKIE
from sightline.api_keys.format import make_key
from sightline.plans.table import Plan
from tests.api.assertions import CONSOLE, DATA, assert_problem
from tests.installation import Installation

# Asked by a connection of its own: inside of a transaction this view stands still.
WAITING_FOR_LOCKS = """SELECT count(*) FROM pg_stat_activity
                       WHERE datname = current_database() AND wait_event_type = 'Lock'"""


def rate_headers(response):
    return {name[12:]: int(value) for name, value in response.headers.items() if name.startswith("x-ratelimit-")}


async def test_console_rate_per_key_is_120_per_minute_and_100_000_per_month(installation, client):
    tenant = await installation.tenant()
    response = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.live})
    assert rate_headers(response) == {
        "limit": 120, "remaining": 119, "reset": 50, "limit-month": 100_000, "remaining-month": 99_999,
    }  # fmt: skip


async def test_data_rates_by_plan(installation, client):
    """Business tier 60 per minute, 50,000 per month; Professional tier 60 per minute, 10,000 per month."""
    for plan, month in ((Plan.STARTER, 10_000), (Plan.PROFESSIONAL, 10_000), (Plan.AGENCY, 50_000)):
        tenant = await installation.tenant(plan)
        headers = rate_headers(await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.data}))
        assert (headers["limit"], headers["limit-month"]) == (60, month)
        assert (headers["remaining"], headers["remaining-month"]) == (59, month - 1)


async def test_headers_are_on_every_response_of_both_apis(installation, client):
    tenant = await installation.tenant()
    for path, key in (
        (f"{CONSOLE}/account", tenant.live),
        (f"{CONSOLE}/nothing", tenant.live),
        (f"{CONSOLE}/domains/x", tenant.live),
        (f"{DATA}/domains/x", tenant.data),
    ):
        assert {"limit", "remaining", "reset", "limit-month"} <= set(
            rate_headers(await client.get(path, headers={"X-API-Key": key}))
        )
    for path, key in ((f"{CONSOLE}/account", None), (f"{DATA}/domains", "sk_live_x"), ("/api/v1/x", None)):
        response = await client.get(path, headers={"X-API-Key": key} if key else {})
        assert rate_headers(response)["limit"] == 60, "without a recognised key: the per-address window"


async def test_the_121st_request_of_a_minute_is_refused_with_retry_after_and_does_not_consume_quota(
    installation, client
):
    tenant = await installation.tenant()
    client.headers["X-API-Key"] = tenant.live
    for _ in range(120):
        assert (await client.get(f"{CONSOLE}/platforms")).status_code == 200
    for _ in range(3):
        response = await client.get(f"{CONSOLE}/platforms")
        assert assert_problem(response, 429, "rate_limited")["retry_after"] == 50
        assert response.headers["retry-after"] == "50"
        headers = rate_headers(response)
        assert (headers["remaining"], headers["remaining-month"]) == (0, 100_000 - 120)
    installation.clock.advance(seconds=50)  # windows are UTC minutes
    response = await client.get(f"{CONSOLE}/platforms")
    assert response.status_code == 200
    assert rate_headers(response)["remaining-month"] == 100_000 - 121


async def test_each_key_has_its_own_window(installation, client):
    tenant = await installation.tenant()
    for _ in range(3):
        await client.get(f"{CONSOLE}/platforms", headers={"X-API-Key": tenant.live})
    response = await client.get(f"{CONSOLE}/platforms", headers={"X-API-Key": tenant.test})
    assert rate_headers(response)["remaining"] == 119


async def test_the_month_quota_is_refused_with_quota_exceeded_until_the_next_month(database_url, tmp_path):
    async with Installation.open(database_url, tmp_path, console_rate_per_month=3) as installation:
        tenant = await installation.tenant()
        async with installation.client(X_API_Key=tenant.live) as client:
            for _ in range(3):
                assert (await client.get(f"{CONSOLE}/platforms")).status_code == 200
            response = await client.get(f"{CONSOLE}/platforms")
            document = assert_problem(response, 429, "quota_exceeded")
            seconds_left = 15 * 86_400 + 14 * 3_600 + 29 * 60 + 50  # from 15 November 09:30:10 to 1 December
            assert document["retry_after"] in {seconds_left, seconds_left + 1}
            assert rate_headers(response)["remaining-month"] == 0
            installation.clock.advance(days=15)
            assert_problem(await client.get(f"{CONSOLE}/platforms"), 429, "quota_exceeded")
            installation.clock.advance(days=1)
            assert (await client.get(f"{CONSOLE}/platforms")).status_code == 200


async def test_concurrent_requests_never_exceed_either_limit(database_url, tmp_path):
    for limits in ({"console_rate_per_minute": 20}, {"console_rate_per_month": 20}):
        async with Installation.open(database_url, tmp_path, **limits) as installation:
            tenant = await installation.tenant()
            async with installation.client(X_API_Key=tenant.live) as client:
                responses = await asyncio.gather(*(client.get(f"{CONSOLE}/platforms") for _ in range(60)))
                assert Counter(response.status_code for response in responses) == {200: 20, 429: 40}
                # A request that the month limit refused does not count in the minute.
                counted = await installation.db.fetchval("SELECT max(n) FROM rate_minutes")
                assert counted == 20


async def test_concurrent_requests_never_exceed_the_rest_of_the_month(database_url, tmp_path):
    """All five requests read an open month before the first is counted, so the row itself must enforce the limit.

    The refused requests are subtracted from the minute again.
    """
    async with (
        Installation.open(database_url, tmp_path, console_rate_per_month=3) as installation,
        installation.client(X_API_Key=(await installation.tenant()).live) as client,
    ):
        assert (await client.get(f"{CONSOLE}/platforms")).status_code == 200
        gate, watch = await asyncpg.connect(database_url), await asyncpg.connect(database_url)
        async with gate.transaction():
            await gate.execute("SELECT FROM rate_minutes FOR UPDATE")
            racing = [asyncio.create_task(client.get(f"{CONSOLE}/platforms")) for _ in range(5)]
            async with asyncio.timeout(5):
                while await watch.fetchval(WAITING_FOR_LOCKS) < 5:
                    await asyncio.sleep(0.01)
        responses = await asyncio.gather(*racing)
        await gate.close()
        await watch.close()
        assert Counter(response.status_code for response in responses) == {200: 2, 429: 3}
        for response in responses:
            if response.status_code == 429:
                assert_problem(response, 429, "quota_exceeded")
        assert await installation.db.fetchval("SELECT n FROM rate_months") == 3
        assert await installation.db.fetchval("SELECT n FROM rate_minutes") == 3


async def test_wrong_kind_and_revoked_keys_consume_nothing(installation, client):
    tenant = await installation.tenant()
    await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.live})
    response = await client.get(f"{CONSOLE}/platforms", headers={"X-API-Key": tenant.live})
    assert rate_headers(response)["remaining"] == 119


async def test_public_operations_are_limited_per_address(installation, client):
    statuses = []
    for _ in range(61):
        response = await client.post(f"{CONSOLE}/account/bootstrap", json={})
        statuses.append((response.status_code, response.headers.get("connection")))
    assert statuses == [(422, None)] * 60 + [(429, "close")]
    assert_problem(response, 429, "rate_limited")


class TestUsage:
    async def read(self, client, key):
        return (await client.get(f"{CONSOLE}/usage", headers={"X-API-Key": key})).json()["data"]

    async def test_usage_counts_requests_with_keys_on_both_apis_including_refused_ones(self, installation, client):
        tenant, other = await installation.tenant(), await installation.tenant()
        await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.live})
        await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.test})
        await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.data})
        await client.get(f"{CONSOLE}/domains/x", headers={"X-API-Key": tenant.live})  # 404
        await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.live})  # 403
        await client.get(f"{CONSOLE}/account", headers={"X-API-Key": other.live})
        await client.get(f"{CONSOLE}/account", headers={"X-API-Key": "sk_live_unknown"})
        assert await self.read(client, tenant.live) == {
            "last_hour": 5,
            "last_24h": 5,
            "month_to_date": 5,
            "error_rate_24h_pct": 40.0,
            "as_of": "2026-11-15T09:30:10.000000+00:00",
        }

    async def test_requests_of_the_web_app_are_not_counted(self, installation, client):
        tenant = await installation.tenant()
        browser = await installation.sign_in(tenant.owner)
        browser.headers["X-Workspace-Id"] = tenant.id
        for _ in range(3):
            await browser.get(f"{CONSOLE}/domains")
        usage = (await browser.get(f"{CONSOLE}/usage")).json()["data"]
        assert (usage["month_to_date"], usage["error_rate_24h_pct"]) == (0, None)
        await browser.aclose()

    async def test_figures_are_cached_for_up_to_60_seconds(self, installation, client):
        tenant = await installation.tenant()
        first = await self.read(client, tenant.live)
        installation.clock.advance(seconds=59)
        assert await self.read(client, tenant.live) == first
        installation.clock.advance(seconds=1)
        later = await self.read(client, tenant.live)
        assert later["last_hour"] == 2
        assert later["as_of"] > first["as_of"]

    async def test_windows_roll_by_minute_and_the_month_starts_in_utc(self, installation, client):
        tenant = await installation.tenant()
        await self.read(client, tenant.live)
        installation.clock.advance(minutes=59)
        assert (await self.read(client, tenant.live))["last_hour"] == 1
        installation.clock.advance(minutes=2)
        assert (await self.read(client, tenant.live))["last_hour"] == 1  # only the second is in the window
        installation.clock.advance(hours=24)
        usage = await self.read(client, tenant.live)
        assert (usage["last_24h"], usage["month_to_date"]) == (0, 3)
        installation.clock.advance(days=16)
        assert (await self.read(client, tenant.live))["month_to_date"] == 0


async def refuse_sixty(client, kind, tenant):
    """Send sixty requests that are refused: with 401, or with 403 for a key of the other API."""
    headers = {
        "no key": {},
        "unknown key": {"X-API-Key": make_key("console", livemode=True)},
        "unknown session": {"Cookie": f"{SESSION_COOKIE}=unknown"},
        "wrong kind": {"X-API-Key": tenant.data},
    }[kind]
    for _ in range(60):
        assert (await client.get(f"{CONSOLE}/account", headers=headers)).status_code in {401, 403}
    return headers


@pytest.mark.parametrize("kind", ["no key", "unknown key", "unknown session", "wrong kind"])
async def test_after_sixty_refusals_an_address_is_turned_away_at_once(installation, client, kind):
    tenant = await installation.tenant()
    headers = await refuse_sixty(client, kind, tenant)
    await installation.db.close()  # whoever is looked up now gets 503
    for given in (headers, {"X-API-Key": tenant.live}):
        with capture_logs() as lines:
            response = await client.get(f"{CONSOLE}/account", headers=given)
        assert_problem(response, 429, "rate_limited")
        assert (response.headers["retry-after"], rate_headers(response)["remaining"]) == ("50", 0)
        assert response.headers["connection"] == "close"
        assert [line["log_level"] for line in lines] == ["debug"]
    await installation.db.open()
    installation.clock.advance(seconds=50)
    assert (await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.live})).status_code == 200


async def test_a_key_or_session_that_was_recognized_lately_is_not_turned_away(installation, client):
    tenant = await installation.tenant()
    workspace = {"X-Workspace-Id": str(tenant.workspace.id)}
    browser = await installation.sign_in(tenant.owner)
    calls = [
        (client, f"{CONSOLE}/account", {"X-API-Key": tenant.live}),
        (client, f"{DATA}/domains", {"X-API-Key": tenant.data}),
        (browser, f"{CONSOLE}/account", workspace),
    ]
    for caller, path, headers in calls:
        assert (await caller.get(path, headers=headers)).status_code == 200
    installation.clock.advance(minutes=5)
    await refuse_sixty(client, "no key", tenant)
    for caller, path, headers in calls:
        assert (await caller.get(path, headers=headers)).status_code == 200
    other_api = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.data})
    assert_problem(other_api, 429, "rate_limited")
    installation.clock.advance(minutes=6)
    await refuse_sixty(client, "no key", tenant)
    for caller, path, headers in calls:
        assert_problem(await caller.get(path, headers=headers), 429, "rate_limited")
    await browser.aclose()


async def test_a_revoked_key_is_no_longer_exempt(installation, client):
    tenant = await installation.tenant()
    headers = {"X-API-Key": tenant.live}
    assert (await client.get(f"{CONSOLE}/account", headers=headers)).status_code == 200
    await installation.db.execute("UPDATE api_keys SET revoked_at = now()")
    statuses = Counter([(await client.get(f"{CONSOLE}/account", headers=headers)).status_code for _ in range(65)])
    assert statuses == {401: 60, 429: 5}
