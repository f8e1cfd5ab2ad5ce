"""Stripe's test mode: its key sells no live credits, and its payments and events count for nothing."""

import json

import structlog

from sightline.credits.providers.stripe import StripePayments
from tests.api.assertions import assert_problem
from tests.credits.buyers import CHECKOUT, open_buyer
from tests.fakes.stripe import TEST_KEY

LIVE = {"openai_api_key": "sk-platform"}


async def test_a_test_key_sells_nothing_and_test_mode_works_without_stripe(database_url, tmp_path):
    async with open_buyer(database_url, tmp_path, with_stripe=True, stripe_api_key=TEST_KEY, **LIVE) as buyer:
        assert_problem(await buyer.post(CHECKOUT, pricing_id=1), 503, "service_unavailable")
        bought = await buyer.browser.post(CHECKOUT, json={"pricing_id": 1}, headers={"X-Sightline-Mode": "test"})
        assert buyer.stripe.requests == []
        attempt = await buyer.attempt(bought.json()["data"]["checkout_reference"])
        assert (attempt["provider"], attempt["livemode"]) == ("local", False)
        async with buyer.installation.client() as client:
            page = f"/checkout/local/{attempt['provider_session']}"
            assert "purchase in test mode" in (await client.get(page)).text
            await client.post(page, data={"action": "pay"})
        await buyer.return_from_checkout(attempt["reference"])
        assert (await buyer.balance(livemode=False), await buyer.balance()) == (1_010, 0)


async def test_a_session_of_the_other_mode_is_never_shown(buyer):
    """A key whose name does not tell its mode: what Stripe says of the session counts."""
    buyer.stripe.livemode = False
    with structlog.testing.capture_logs() as logs:
        assert_problem(await buyer.post(CHECKOUT, pricing_id=1), 503, "service_unavailable")
    assert "stripe_mode_differs" in {line["event"] for line in logs}
    row = await buyer.installation.db.fetchrow("SELECT status, checkout_url FROM checkout_attempts")
    assert tuple(row) == ("expired", None)


async def test_a_payment_in_test_mode_goes_to_reconciliation(buyer):
    """An attempt that an older version started with a test key."""
    reference = await buyer.buy()
    buyer.stripe.find_session(reference)["livemode"] = False
    buyer.stripe.pay(reference)
    assert await buyer.recover(reference) == "reconciliation"
    assert "test money" in (await buyer.attempt(reference))["reason"]
    assert await buyer.balance() == 0


async def test_an_event_of_the_other_mode_is_not_looked_up(buyer):
    reference = await buyer.buy()
    buyer.stripe.pay(reference)
    (event,) = buyer.stripe.take_outbox()
    before = len(buyer.stripe.requests)
    assert await buyer.deliver_raw(json.dumps({**event, "livemode": False}).encode()) == 200
    assert len(buyer.stripe.requests) == before and await buyer.status(reference) == "unpaid"
    assert await buyer.deliver(event) == 200 and await buyer.status(reference) == "credited"


def test_the_mode_of_a_key_is_read_from_its_name():
    modes = {"sk_test_x": False, "rk_test_x": False, "sk_live_x": True, "rk_live_x": True}
    for key, livemode in modes.items():
        assert StripePayments(key, webhook_secret=None, base_url="http://127.0.0.1:1").livemode is livemode
