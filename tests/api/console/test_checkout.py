"""Checkout, recovery and the list of attempts, paid with test money in a sandbox installation."""

import pytest

from sightline.accounts.models import MEMBER_ROLES, Role
from sightline.kit.ids import new_id
from tests.api.assertions import assert_problem
from tests.credits.buyers import CHECKOUT, CHECKOUTS, RECOVER, open_buyer

BODIES = {CHECKOUT: {"pricing_id": 1}, RECOVER: {"checkout_reference": "co_" + "x" * 32}}
both = pytest.mark.parametrize("url", BODIES, ids=["checkout", "recover"])


@pytest.fixture
async def buyer(database_url, tmp_path):
    async with open_buyer(
        database_url,
        tmp_path,
        with_stripe=False,
        session_lifetime=90 * 86_400,
        session_idle_lifetime=90 * 86_400,
        spend_cap_cents=50_000,
    ) as opened:
        yield opened


async def act(buyer, user, url, workspace_id=None, **headers):
    browser = await buyer.installation.sign_in(user)
    sent = {"X-Workspace-Id": workspace_id or buyer.tenant.id, **headers}
    response = await browser.post(url, json=BODIES[url], headers=sent)
    await browser.aclose()
    return response


@both
async def test_api_keys_are_refused(buyer, url):
    async with buyer.installation.client() as client:
        for key in (buyer.tenant.live, buyer.tenant.test):
            response = await client.post(url, json=BODIES[url], headers={"X-API-Key": key})
            assert_problem(response, 403, "session_only")
        assert_problem(await client.post(url, json=BODIES[url]), 401, "session_required")


@both
async def test_the_workspace_header_is_required(buyer, url):
    response = await buyer.browser.post(url, json=BODIES[url], headers={"X-Workspace-Id": ""})
    assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == "X-Workspace-Id"


@both
async def test_a_request_from_another_site_is_refused(buyer, url):
    response = await act(buyer, buyer.tenant.owner, url, **{"Sec-Fetch-Site": "cross-site"})
    assert_problem(response, 403, "csrf_failed")


@both
async def test_only_the_payer_with_billing_permission_may_buy(buyer, url):
    installation, tenant = buyer.installation, buyer.tenant
    for role in MEMBER_ROLES:
        plain = await installation.member(tenant, role)
        assert_problem(await act(buyer, plain, url), 403, "billing_permission_required")
    with_billing = await installation.member(tenant, Role.OWNER, billing=True)
    assert_problem(await act(buyer, with_billing, url), 403, "billing_permission_required")
    await installation.db.execute("UPDATE workspaces SET payer_user_id = $1", plain.id)
    assert_problem(await act(buyer, plain, url), 403, "billing_permission_required")
    viewer = await installation.member(tenant, Role.VIEWER, billing=True)
    await installation.db.execute("UPDATE workspaces SET payer_user_id = $1", viewer.id)
    assert (await act(buyer, viewer, url)).status_code in {201, 404}, "the role does not matter, the permission does"
    assert_problem(await act(buyer, tenant.owner, url), 403, "billing_permission_required")
    stranger = (await installation.tenant()).owner
    assert_problem(await act(buyer, stranger, url), 404, "workspace_not_found")


async def test_the_permission_is_checked_before_a_replay(buyer):
    assert (await buyer.post(CHECKOUT, "k", pricing_id=1)).status_code == 201
    await buyer.installation.db.execute("UPDATE members SET billing = false")
    assert_problem(await buyer.post(CHECKOUT, "k", pricing_id=1), 403, "billing_permission_required")


async def test_checkout_returns_201_with_reference_and_hosted_page(buyer):
    response = await buyer.post(CHECKOUT, pricing_id=2)
    assert response.status_code == 201
    data = response.json()["data"]
    assert set(data) == {"checkout_reference", "checkout_url"}
    assert data["checkout_reference"].startswith("co_") and len(data["checkout_reference"]) == 35
    assert data["checkout_url"].startswith("http://test/checkout/local/ls_")
    assert await buyer.balance() == 0


@pytest.mark.parametrize("pricing_id", [0, -1, 99, 2**31, 2**63, "2", 2.5, None, True])
async def test_an_unknown_pack_is_422_and_names_pricing_id(buyer, pricing_id):
    response = await buyer.post(CHECKOUT, pricing_id=pricing_id)
    assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == "pricing_id"
    assert await buyer.installation.db.fetchval("SELECT count(*) FROM checkout_attempts") == 0


async def test_a_retired_pack_is_422(buyer):
    await buyer.installation.db.execute("UPDATE credit_packs SET active = false WHERE pricing_id = 2")
    response = await buyer.post(CHECKOUT, pricing_id=2)
    assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == "pricing_id"


async def test_an_idempotency_key_makes_one_attempt(buyer):
    first = await buyer.post(CHECKOUT, "k", pricing_id=1)
    again = await buyer.post(CHECKOUT, "k", pricing_id=1)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["x-idempotent-replay"] == "true"
    assert_problem(await buyer.post(CHECKOUT, "k", pricing_id=2), 409, "idempotency_conflict")
    assert await buyer.installation.db.fetchval("SELECT count(*) FROM checkout_attempts") == 1


async def test_while_purchases_are_paused_checkout_is_503_and_recover_works(buyer):
    reference = await buyer.buy()
    await choose(buyer, reference, "pay")
    await buyer.installation.db.execute("UPDATE installation SET purchases_enabled = false")
    assert_problem(await buyer.post(CHECKOUT, pricing_id=1), 503, "service_unavailable")
    assert await buyer.recover(reference) == "credited"
    await buyer.installation.db.execute("UPDATE installation SET purchases_enabled = true")
    await buyer.buy()


async def choose(buyer, reference: str, action: str):
    session = (await buyer.attempt(reference))["provider_session"]
    async with buyer.installation.client() as client:
        return await client.post(f"/checkout/local/{session}", data={"action": action})


async def test_the_spending_limit_counts_purchases_and_pending_payments(buyer):
    bought = await buyer.buy(3)
    await choose(buyer, bought, "pay")
    await buyer.recover(bought)
    on_its_way = await buyer.buy(3)
    await choose(buyer, on_its_way, "pay_later")
    problem = assert_problem(await buyer.post(CHECKOUT, pricing_id=1), 409, "spend_cap_exceeded")
    assert (problem["spend_cap_cents"], problem["current_month_spend_cents"]) == (50_000, 24_900)
    assert await buyer.status(on_its_way) == "pending", "it could not be cancelled"
    buyer.installation.clock.advance(days=20)
    assert buyer.installation.clock().month == 12
    await buyer.buy(3)
    assert await buyer.recover(on_its_way) == "credited", "it counts in the month in which it is credited"
    await buyer.buy(3)
    assert_problem(await buyer.post(CHECKOUT, pricing_id=4), 409, "spend_cap_exceeded")


async def test_exactly_the_cap_may_be_spent(buyer):
    await buyer.installation.db.execute("UPDATE credit_packs SET price_cents = 50000 WHERE pricing_id = 4")
    reference = await buyer.buy(4)
    await choose(buyer, reference, "pay_later")
    await buyer.recover(reference)
    problem = assert_problem(await buyer.post(CHECKOUT, pricing_id=1), 409, "spend_cap_exceeded")
    assert problem["current_month_spend_cents"] == 0
    packs = (await buyer.browser.get(f"{CHECKOUT.removesuffix('checkout')}packs")).json()["data"]
    assert {(pack["available"], pack["unavailable_reason"] is None) for pack in packs} == {(False, False)}
    assert (
        packs[0]["unavailable_reason"]
        == "It costs 19.00 USD, but only 0.00 USD of this month's spending limit is left."
    )


async def test_a_left_or_replaced_checkout_frees_the_spend_cap_at_once(buyer):
    for leave in ("replace", "cancel", "decline"):
        reference = await buyer.buy(3)
        if leave == "cancel":
            async with buyer.installation.client() as client:
                assert "has ended" in (await client.get(f"/checkout/{reference}/cancel")).text
        elif leave == "decline":
            declined = await choose(buyer, reference, "decline")
            assert declined.headers["location"] == f"/checkout/{reference}/cancel"
            await buyer.browser.get(declined.headers["location"])
        last = await buyer.buy(3)
        assert (await buyer.status(reference), await buyer.status(last)) == ("expired", "unpaid")
        await choose(buyer, reference, "pay")
        assert await buyer.recover(reference) == "expired", "its page is closed"
    assert await buyer.balance() == 0


async def test_recover_returns_200_with_the_attempt(buyer):
    reference = await buyer.buy(2)
    await choose(buyer, reference, "pay")
    buyer.installation.clock.advance(seconds=5)
    response = await buyer.post(RECOVER, checkout_reference=reference)
    assert response.status_code == 200
    data = response.json()["data"]
    assert data == {
        "checkout_reference": reference,
        "status": "credited",
        "pricing_id": 2,
        "credits": 50,
        "amount_cents": 7_900,
        "currency": "usd",
        "payment_reference": data["payment_reference"],
        "livemode": True,
        "created_at": "2026-11-15T09:30:10.000000+00:00",
        "updated_at": "2026-11-15T09:30:15.000000+00:00",
    }
    assert data["payment_reference"].startswith("lo_")
    assert await buyer.entries() == [(50, "purchase", data["payment_reference"])]
    assert await buyer.recover(reference) == "credited"
    assert await buyer.balance() == 50


async def test_an_unknown_or_foreign_reference_is_404(buyer):
    other = await buyer.installation.tenant()
    mine = await buyer.buy()
    for reference in ("co_" + "x" * 32, "co_", "nonsense", "' OR 1=1 --"):
        assert_problem(await buyer.post(RECOVER, checkout_reference=reference), 404, "not_found")
    browser = await buyer.installation.sign_in(other.owner)
    response = await browser.post(RECOVER, json={"checkout_reference": mine}, headers={"X-Workspace-Id": other.id})
    await browser.aclose()
    assert_problem(response, 404, "not_found")
    headers = {"X-Sightline-Mode": "test"}
    response = await buyer.browser.post(RECOVER, json={"checkout_reference": mine}, headers=headers)
    assert_problem(response, 404, "not_found")
    assert_problem(await buyer.post(RECOVER, checkout_reference=7), 422, "validation_failed")


async def test_the_list_accepts_key_or_session_and_is_limited_to_workspace_and_mode(buyer):
    first, second = await buyer.buy(1), await buyer.buy(2)
    async with buyer.installation.client() as client:
        by_key = await client.get(CHECKOUTS, headers={"X-API-Key": buyer.tenant.live})
        for response in (by_key, await buyer.browser.get(CHECKOUTS)):
            assert [row["checkout_reference"] for row in response.json()["data"]] == [second, first]
        other = await buyer.installation.tenant()
        for key in (buyer.tenant.test, other.live):
            assert (await client.get(CHECKOUTS, headers={"X-API-Key": key})).json()["data"] == []
    assert "checkout_url" not in by_key.text and "provider" not in by_key.text


async def test_the_list_has_50_per_page_and_a_cursor(buyer):
    await buyer.installation.db.execute("UPDATE credit_packs SET price_cents = 1 WHERE pricing_id = 1")
    made = [await buyer.buy(1) for _ in range(53)]
    first = (await buyer.browser.get(CHECKOUTS)).json()
    assert len(first["data"]) == 50 and first["meta"]["has_more"]
    await buyer.buy(1)
    response = await buyer.browser.get(CHECKOUTS, params={"cursor": first["meta"]["next_cursor"]})
    rest = response.json()
    assert [row["checkout_reference"] for row in first["data"] + rest["data"]] == made[::-1]
    assert rest["meta"] == {**rest["meta"], "has_more": False, "next_cursor": None}


async def test_test_mode_buys_test_credits_with_test_money(buyer):
    headers = {"X-Sightline-Mode": "test", "Idempotency-Key": str(new_id())}
    response = await buyer.browser.post(CHECKOUT, json={"pricing_id": 2}, headers=headers)
    reference = response.json()["data"]["checkout_reference"]
    await choose(buyer, reference, "pay")
    await buyer.return_from_checkout(reference)
    assert (await buyer.balance(livemode=False), await buyer.balance()) == (1_050, 0)


LIVE = {"openai_api_key": "sk-platform"}


@pytest.mark.parametrize(
    ("with_stripe", "more", "live", "test"),
    [
        (False, {}, "local", "local"),
        (True, {}, "stripe", "local"),
        (True, LIVE, "stripe", "local"),
        (False, LIVE, None, "local"),
    ],
    ids=["sandbox", "sandbox with Stripe", "live platforms with Stripe", "live platforms without Stripe"],
)
async def test_test_money_buys_live_credits_only_in_a_sandbox_and_test_mode_never_uses_stripe(
    database_url, tmp_path, with_stripe, more, live, test
):
    async with open_buyer(database_url, tmp_path, with_stripe=with_stripe, **more) as buyer:
        for mode, provider in (("live", live), ("test", test)):
            response = await buyer.browser.post(CHECKOUT, json={"pricing_id": 1}, headers={"X-Sightline-Mode": mode})
            if provider is None:
                assert_problem(response, 503, "service_unavailable")
            else:
                made = await buyer.attempt(response.json()["data"]["checkout_reference"])
                assert (made["provider"], made["livemode"]) == (provider, mode == "live")
