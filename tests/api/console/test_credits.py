"""Credits over HTTP: balance, ledger, export, packs."""

import csv
import io

import pytest

from sightline.accounts.models import Role
from sightline.credits.models import REASONS
from tests.api.assertions import assert_problem
from tests.credits.ledger_accounts import LedgerAccount

CREDITS = "/api/v1/console/credits"
PATHS = ["balance", "ledger", "ledger.csv", "packs"]


@pytest.fixture
async def tenant(installation):
    return await installation.tenant()


@pytest.fixture
def ledger(installation, tenant):
    return LedgerAccount(installation, tenant)


@pytest.fixture
async def get(client, tenant):
    async def send(path, key=None, **parameters):
        return await client.get(f"{CREDITS}/{path}", headers={"X-API-Key": key or tenant.live}, params=parameters)

    return send


@pytest.mark.parametrize("path", PATHS)
async def test_reading_needs_a_console_key_or_session(installation, client, tenant, get, path):
    assert_problem(await client.get(f"{CREDITS}/{path}"), 401, "key_missing")
    assert_problem(await get(path, tenant.data), 403, "wrong_key_kind")
    viewer = await installation.member(tenant, Role.VIEWER)
    assert (await get(path, await installation.mint(tenant, viewer, "console"))).status_code == 200
    browser = await installation.sign_in(viewer)
    response = await browser.get(f"{CREDITS}/{path}", headers={"X-Workspace-Id": tenant.id})
    assert response.status_code == 200, response.text
    await browser.aclose()


@pytest.mark.parametrize("path", PATHS)
async def test_without_the_database_the_response_is_503_not_a_copy(installation, get, path):
    assert (await get(path)).status_code == 200
    await installation.db.close()
    assert_problem(await get(path), 503, "service_unavailable")


async def test_the_balance_of_each_mode(installation, tenant, ledger, get):
    response = await get("balance")
    assert response.json()["data"] == {
        "balance": 0, "spend_cap_cents": 150_000, "current_month_spend_cents": 0, "livemode": True,
    }  # fmt: skip
    await ledger.grant(7)
    await ledger.checkout("credited", amount_cents=1_900, credited_at=installation.clock())
    data = (await get("balance")).json()["data"]
    assert (data["balance"], data["current_month_spend_cents"]) == (7, 1_900)
    assert (await get("balance", tenant.test)).json()["data"] == {
        "balance": 1_000, "spend_cap_cents": 150_000, "current_month_spend_cents": 0, "livemode": False,
    }  # fmt: skip


async def test_an_entry_has_every_field(ledger, get):
    await ledger.post(50, "purchase", payment_reference="pi_1", description="50 credits")
    ledger.installation.clock.advance(seconds=1)
    scan_id = await ledger.charge(3)
    charge, purchase = (await get("ledger")).json()["data"]
    assert set(charge) == {"id", "delta", "reason", "scan_id", "payment_reference", "description", "created_at"}
    assert {**charge, "id": ""} == {
        "id": "",
        "delta": -3,
        "reason": "scan_consumption",
        "scan_id": str(scan_id),
        "payment_reference": None,
        "description": "Console Check of acme.com",
        "created_at": "2026-11-15T09:30:11.000000+00:00",
    }
    assert (purchase["delta"], purchase["payment_reference"], purchase["scan_id"]) == (50, "pi_1", None)


async def test_an_unused_test_ledger_lists_the_initial_grant(tenant, get):
    for response in (await get("ledger", tenant.test), await get("ledger", tenant.test)):
        (entry,) = response.json()["data"]
        assert (entry["delta"], entry["reason"]) == (1_000, "promotional_grant")
    assert (await get("ledger")).json()["data"] == []


async def test_an_unused_test_ledger_exports_the_initial_grant(tenant, get):
    assert (await get("ledger.csv", tenant.test)).text.count("promotional_grant") == 1


async def test_the_ledger_pages_by_50_newest_first_and_ignores_page_size(ledger, get):
    for number in range(1, 121):
        await ledger.post(number, "promotional_grant")
        ledger.installation.clock.advance(seconds=number % 2)
    seen, sizes, cursor = [], [], None
    while True:
        body = (await get("ledger", page_size="7", **({"cursor": cursor} if cursor else {}))).json()
        seen += [row["delta"] for row in body["data"]]
        sizes.append(len(body["data"]))
        cursor = body["meta"]["next_cursor"]
        assert body["meta"]["has_more"] is (cursor is not None)
        if cursor is None:
            break
        await ledger.post(1_000, "promotional_grant")  # a new entry sorts before the first page
    assert sizes == [50, 50, 20]
    assert seen == list(range(120, 0, -1))


@pytest.mark.parametrize("reason", REASONS)
async def test_the_filter_by_reason(ledger, get, reason):
    for each in REASONS:
        await ledger.post(1, each)
        await ledger.post(2, each)
    rows = (await get("ledger", reason=reason)).json()["data"]
    assert [row["reason"] for row in rows] == [reason, reason]


async def test_the_reason_is_one_of_the_six_and_part_of_the_cursor(ledger, get):
    for _ in range(51):
        await ledger.grant(1)
    problem = assert_problem(await get("ledger", reason="theft"), 422, "validation_failed")
    assert problem["errors"][0]["field"] == "reason"
    cursor = (await get("ledger", reason="promotional_grant")).json()["meta"]["next_cursor"]
    assert len((await get("ledger", reason="promotional_grant", cursor=cursor)).json()["data"]) == 1
    assert_problem(await get("ledger", cursor=cursor), 400, "invalid_cursor")
    assert_problem(await get("ledger", reason="refund", cursor=cursor), 400, "invalid_cursor")


async def test_nobody_sees_the_entries_of_another_workspace_or_mode(installation, tenant, ledger, get):
    await ledger.grant(5)
    stranger = await installation.tenant()
    assert (await get("ledger", stranger.live)).json()["data"] == []
    assert (await get("balance", stranger.live)).json()["data"]["balance"] == 0
    assert "5" not in [row[3] for row in csv.reader(io.StringIO((await get("ledger.csv", stranger.live)).text))]
    assert [row["delta"] for row in (await get("ledger", tenant.test)).json()["data"]] == [1_000]


async def test_the_export_is_a_download_of_the_whole_ledger(client, tenant, ledger, get):
    for number in range(60):
        await ledger.post(number + 1, "promotional_grant")
        ledger.installation.clock.advance(seconds=1)
    response = await get("ledger.csv")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert response.headers["content-disposition"] == 'attachment; filename="sightline-ledger-2026-11-15.csv"'
    assert "x-request-id" in response.headers and "x-ratelimit-limit" in response.headers
    header, *rows = csv.reader(io.StringIO(response.text, newline=""))
    assert header == ["id", "created_at", "reason", "delta", "scan_id", "payment_reference", "description"]
    page = (await get("ledger")).json()["data"]
    assert [[row[0], row[1], row[3]] for row in rows[:50]] == [
        [e["id"], e["created_at"], str(e["delta"])] for e in page
    ]
    assert len(rows) == 60
    head = await client.head(f"{CREDITS}/ledger.csv", headers={"X-API-Key": tenant.live})
    assert head.status_code == 200 and head.content == b""


async def test_packs_on_sale_are_listed_cheapest_first(installation, get):
    body = (await get("packs")).json()
    assert [(pack["credits"], pack["price_cents"]) for pack in body["data"]] == [
        (10, 1_900), (50, 7_900), (200, 24_900), (1_000, 99_000),
    ]  # fmt: skip
    assert set(body["data"][0]) == {
        "pricing_id", "credits", "price_cents", "name", "description", "badge", "available", "unavailable_reason",
    }  # fmt: skip
    assert [pack["badge"] for pack in body["data"]] == [None, "Popular", None, None]
    assert (body["meta"]["has_more"], body["meta"]["next_cursor"]) == (False, None)
    await installation.db.execute("UPDATE credit_packs SET active = false WHERE credits = 50")
    assert [pack["credits"] for pack in (await get("packs")).json()["data"]] == [10, 200, 1_000]
