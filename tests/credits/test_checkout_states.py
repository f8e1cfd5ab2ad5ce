"""What becomes of a checkout that is paid through Stripe, state by state."""

import pytest

from sightline.credits.checkout.states import TRANSITIONS, AttemptStatus
from tests.credits.checkouts import CHECKOUT, CHECKOUTS, open_shop

WAYS = ["webhook", "return", "recover", "reconciler"]


async def hear(shop, reference: str, way: str) -> None:
    """The end of the payment becomes known in one of the four ways; the others are silent."""
    if way == "webhook":
        await shop.deliver_all()
    elif way == "return":
        assert (await shop.come_back(reference)).status_code == 200
    elif way == "recover":
        await shop.recover(reference)
    else:
        shop.installation.clock.advance(minutes=11)
        await shop.reconcile()


async def test_merely_returning_adds_nothing(shop):
    reference = await shop.buy()
    page = await shop.come_back(reference)
    assert page.status_code == 200 and "Nothing was paid" in page.text
    assert await shop.status(reference) == "unpaid"
    assert await shop.balance() == 0


@pytest.mark.parametrize("way", WAYS)
async def test_a_paid_order_is_credited_however_it_becomes_known(shop, way):
    reference = await shop.buy(2)
    payment = shop.stripe.pay(reference)
    await hear(shop, reference, way)
    assert await shop.status(reference) == "credited"
    assert await shop.entries() == [(50, "purchase", payment)]
    assert await shop.balance() == 50
    listed = (await shop.browser.get(CHECKOUTS)).json()["data"]
    assert [(row["checkout_reference"], row["status"], row["payment_reference"]) for row in listed] == [
        (reference, "credited", payment)
    ]


@pytest.mark.parametrize("way", WAYS)
async def test_money_that_takes_days_is_pending_until_it_arrives(shop, way):
    reference = await shop.buy()
    payment = shop.stripe.pay_later(reference)
    await hear(shop, reference, way)
    assert await shop.status(reference) == "pending"
    assert await shop.balance() == 0
    shop.installation.clock.advance(days=5)
    await shop.reconcile()
    assert await shop.status(reference) == "pending", "what is on its way does not expire"
    shop.stripe.let_arrive(reference)
    await hear(shop, reference, way)
    assert await shop.status(reference) == "credited"
    assert await shop.entries() == [(10, "purchase", payment)]


async def test_money_that_never_arrives_ends_the_attempt(shop):
    reference = await shop.buy()
    shop.stripe.pay_later(reference)
    await shop.deliver_all()
    shop.stripe.let_fail(reference)
    await shop.deliver_all()
    assert (await shop.attempt(reference))["status"] == "expired"
    assert await shop.balance() == 0


async def test_prices_exclude_tax_and_tax_is_added_at_checkout(shop):
    reference = await shop.buy(2)
    assert shop.stripe.session_of(reference)["automatic_tax"]["enabled"] is True
    shop.stripe.pay(reference, tax=1_501)
    assert await shop.recover(reference) == "credited"
    assert await shop.balance() == 50


async def test_an_account_without_stripe_tax_leaves_the_tax_out(database_url, tmp_path):
    async with open_shop(database_url, tmp_path, with_stripe=True, stripe_automatic_tax=False) as shop:
        reference = await shop.buy(2)
        assert shop.stripe.session_of(reference)["automatic_tax"]["enabled"] is False


DIFFERENCES = {
    "amount": {"amount_subtotal": 1_899, "amount_total": 1_899},
    "discount": {"amount_total": 1_800},
    "hidden surcharge": {"amount_total": 2_000},
    "currency": {"currency": "eur"},
    "workspace": {"metadata": {"workspace_id": "01990f64-10aa-7e02-b6c8-93d4f1a7250e"}},
    "no workspace": {"metadata": {}},
    "order": {"client_reference_id": "co_" + "x" * 32},
}


@pytest.mark.parametrize("difference", DIFFERENCES)
async def test_an_order_that_differs_goes_to_reconciliation_and_nothing_is_credited(shop, difference):
    reference = await shop.buy()
    session = shop.stripe.session_of(reference)
    payment = shop.stripe.pay(reference)
    session |= DIFFERENCES[difference]
    assert await shop.recover(reference) == "reconciliation"
    session |= {"amount_subtotal": 1_900, "amount_total": 1_900, "currency": "usd", "client_reference_id": reference}
    assert await shop.recover(reference) == "reconciliation", "support decides, not a second look"
    assert (await shop.attempt(reference))["payment_reference"] == payment
    assert (await shop.balance(), await shop.entries()) == (0, [])
    shop.stripe.refund(payment, session["amount_total"])
    assert await shop.recover(reference) == "refunded"
    assert (await shop.balance(), await shop.entries()) == (0, [])


async def test_paid_after_the_pack_was_retired_requires_a_refund(shop):
    reference = await shop.buy()
    await shop.installation.db.execute("UPDATE credit_packs SET active = false WHERE pricing_id = 1")
    payment = shop.stripe.pay(reference)
    assert await shop.recover(reference) == "refund_required"
    assert await shop.balance() == 0
    refund = shop.stripe.refund(payment, 1_900)
    assert await shop.recover(reference) == "refunded"
    shop.stripe.let_refund_fail(refund)
    assert await shop.recover(reference) == "refund_required"
    assert await shop.entries() == []


async def test_a_changed_price_concerns_later_checkouts_only(shop):
    reference = await shop.buy()
    await shop.installation.db.execute("UPDATE credit_packs SET price_cents = 9900, credits = 7 WHERE pricing_id = 1")
    shop.stripe.pay(reference)
    assert await shop.recover(reference) == "credited"
    assert await shop.balance() == 10


async def test_a_second_payment_requires_a_refund_and_credits_nothing(shop):
    reference = await shop.buy()
    first = shop.stripe.pay(reference)
    await shop.deliver_all()
    second = shop.stripe.copy_session(reference)
    await shop.deliver_all()
    assert await shop.status(reference) == "refund_required"
    assert await shop.entries() == [(10, "purchase", first)]
    shop.stripe.refund(second, 1_900)
    await shop.deliver_all()
    assert await shop.status(reference) == "credited", "the surplus went back, the purchase stands"
    assert await shop.entries() == [(10, "purchase", first)]
    assert await shop.balance() == 10


async def test_an_unpaid_attempt_expires_after_a_day_and_cannot_be_paid_afterwards(shop):
    reference = await shop.buy()
    shop.installation.clock.advance(hours=23)
    await shop.reconcile()
    assert await shop.status(reference) == "unpaid"
    shop.installation.clock.advance(hours=1, minutes=1)
    assert await shop.reconcile() == 1
    assert await shop.status(reference) == "expired"
    assert shop.stripe.session_of(reference)["status"] == "expired", "closed at Stripe before it was closed here"


async def test_paid_in_time_but_heard_of_late_is_credited(shop):
    """In time is when the customer paid, not when we heard of it."""
    reference = await shop.buy()
    shop.stripe.pay(reference)
    await shop.installation.db.execute("UPDATE checkout_attempts SET status = 'expired'")
    shop.installation.clock.advance(days=3)
    await shop.deliver_all()
    assert await shop.status(reference) == "credited"
    assert await shop.balance() == 10


async def test_paid_after_the_end_requires_a_refund(shop):
    reference = await shop.buy()
    await shop.installation.db.execute("UPDATE checkout_attempts SET status = 'expired'")
    shop.installation.clock.advance(days=1, seconds=1)
    shop.stripe.pay(reference)
    await shop.deliver_all()
    assert await shop.status(reference) == "refund_required"
    assert await shop.balance() == 0


async def test_stripe_ends_a_session_itself(shop):
    reference = await shop.buy()
    shop.stripe.expire(reference)
    await shop.deliver_all()
    assert await shop.status(reference) == "expired"


async def test_a_shorter_life_is_as_short_as_stripe_allows(shop, monkeypatch):
    object.__setattr__(shop.installation.app_context.settings, "checkout_lifetime", 60)
    reference = await shop.buy()
    assert shop.stripe.session_of(reference)["expires_at"] == shop.installation.clock().timestamp() + 31 * 60


async def test_nothing_is_known_of_a_session_that_is_gone(shop):
    reference = await shop.buy()
    shop.stripe.sessions.clear()
    assert await shop.recover(reference) == "unpaid"
    shop.installation.clock.advance(hours=25)
    assert await shop.recover(reference) == "expired"


async def test_the_order_names_us_and_the_way_back(shop):
    answer = await shop.post(CHECKOUT, pricing_id=3)
    data = answer.json()["data"]
    session = shop.stripe.session_of(data["checkout_reference"])
    assert data["checkout_url"] == session["url"]
    assert session["metadata"] == {"checkout_reference": data["checkout_reference"], "workspace_id": shop.tenant.id}
    assert session["success_url"] == f"http://test/checkout/{data['checkout_reference']}/return"
    assert (session["amount_subtotal"], session["currency"]) == (24_900, "usd")
    _, _, given, headers = shop.stripe.asked[0]
    assert headers["idempotency-key"] == data["checkout_reference"]
    assert given["payment_intent_data"]["metadata"]["checkout_reference"] == data["checkout_reference"]


def test_the_table_knows_every_state_and_no_way_back_to_unpaid():
    assert set(TRANSITIONS) == set(AttemptStatus)
    reachable = set().union(*TRANSITIONS.values())
    assert reachable == set(AttemptStatus) - {AttemptStatus.UNPAID}
