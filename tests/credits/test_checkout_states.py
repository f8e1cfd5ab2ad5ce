"""The states of a checkout that is paid through Stripe."""

import pytest

from sightline.credits.checkout.states import TRANSITIONS, AttemptStatus
from tests.credits.buyers import CHECKOUT, CHECKOUTS, open_buyer

WAYS = ["webhook", "return", "recover", "reconciler"]


async def hear(buyer, reference: str, way: str) -> None:
    """Learn the result of the payment in one of the four ways; the others stay silent."""
    if way == "webhook":
        await buyer.deliver_all()
    elif way == "return":
        assert (await buyer.return_from_checkout(reference)).status_code == 200
    elif way == "recover":
        await buyer.recover(reference)
    else:
        buyer.installation.clock.advance(minutes=11)
        await buyer.reconcile()


async def test_returning_without_a_payment_adds_no_credits(buyer):
    reference = await buyer.buy()
    page = await buyer.return_from_checkout(reference)
    assert page.status_code == 200 and "No payment received" in page.text
    assert await buyer.status(reference) == "unpaid"
    assert await buyer.balance() == 0


@pytest.mark.parametrize("way", WAYS)
async def test_a_paid_order_is_credited_however_it_becomes_known(buyer, way):
    reference = await buyer.buy(2)
    payment = buyer.stripe.pay(reference)
    await hear(buyer, reference, way)
    assert await buyer.status(reference) == "credited"
    assert await buyer.entries() == [(50, "purchase", payment)]
    assert await buyer.balance() == 50
    listed = (await buyer.browser.get(CHECKOUTS)).json()["data"]
    assert [(row["checkout_reference"], row["status"], row["payment_reference"]) for row in listed] == [
        (reference, "credited", payment)
    ]


@pytest.mark.parametrize("way", WAYS)
async def test_money_that_takes_days_is_pending_until_it_arrives(buyer, way):
    reference = await buyer.buy()
    payment = buyer.stripe.pay_later(reference)
    await hear(buyer, reference, way)
    assert await buyer.status(reference) == "pending"
    assert await buyer.balance() == 0
    buyer.installation.clock.advance(days=5)
    await buyer.reconcile()
    assert await buyer.status(reference) == "pending", "what is on its way does not expire"
    buyer.stripe.complete_payment(reference)
    await hear(buyer, reference, way)
    assert await buyer.status(reference) == "credited"
    assert await buyer.entries() == [(10, "purchase", payment)]


async def test_money_that_never_arrives_ends_the_attempt(buyer):
    reference = await buyer.buy()
    buyer.stripe.pay_later(reference)
    await buyer.deliver_all()
    buyer.stripe.fail_payment(reference)
    await buyer.deliver_all()
    assert (await buyer.attempt(reference))["status"] == "expired"
    assert await buyer.balance() == 0


async def test_prices_exclude_tax_and_tax_is_added_at_checkout(buyer):
    reference = await buyer.buy(2)
    assert buyer.stripe.find_session(reference)["automatic_tax"]["enabled"] is True
    buyer.stripe.pay(reference, tax=1_501)
    assert await buyer.recover(reference) == "credited"
    assert await buyer.balance() == 50


async def test_an_account_without_stripe_tax_leaves_the_tax_out(database_url, tmp_path):
    async with open_buyer(database_url, tmp_path, with_stripe=True, stripe_automatic_tax=False) as buyer:
        reference = await buyer.buy(2)
        assert buyer.stripe.find_session(reference)["automatic_tax"]["enabled"] is False


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
async def test_a_payment_that_differs_from_its_order_goes_to_reconciliation_and_adds_no_credits(buyer, difference):
    reference = await buyer.buy()
    session = buyer.stripe.find_session(reference)
    payment = buyer.stripe.pay(reference)
    session |= DIFFERENCES[difference]
    assert await buyer.recover(reference) == "reconciliation"
    session |= {"amount_subtotal": 1_900, "amount_total": 1_900, "currency": "usd", "client_reference_id": reference}
    assert await buyer.recover(reference) == "reconciliation", "support decides, not a second look"
    assert (await buyer.attempt(reference))["payment_reference"] == payment
    assert (await buyer.balance(), await buyer.entries()) == (0, [])
    buyer.stripe.refund(payment, session["amount_total"])
    assert await buyer.recover(reference) == "refunded"
    assert (await buyer.balance(), await buyer.entries()) == (0, [])


async def test_paid_after_the_pack_was_retired_requires_a_refund(buyer):
    reference = await buyer.buy()
    await buyer.installation.db.execute("UPDATE credit_packs SET active = false WHERE pricing_id = 1")
    payment = buyer.stripe.pay(reference)
    assert await buyer.recover(reference) == "refund_required"
    assert await buyer.balance() == 0
    refund = buyer.stripe.refund(payment, 1_900)
    assert await buyer.recover(reference) == "refunded"
    buyer.stripe.fail_refund(refund)
    assert await buyer.recover(reference) == "refund_required"
    assert await buyer.entries() == []


async def test_a_changed_price_concerns_later_checkouts_only(buyer):
    reference = await buyer.buy()
    await buyer.installation.db.execute("UPDATE credit_packs SET price_cents = 9900, credits = 7 WHERE pricing_id = 1")
    buyer.stripe.pay(reference)
    assert await buyer.recover(reference) == "credited"
    assert await buyer.balance() == 10


async def test_a_second_payment_requires_a_refund_and_credits_nothing(buyer):
    reference = await buyer.buy()
    first = buyer.stripe.pay(reference)
    await buyer.deliver_all()
    second = buyer.stripe.copy_session(reference)
    await buyer.deliver_all()
    assert await buyer.status(reference) == "refund_required"
    assert await buyer.entries() == [(10, "purchase", first)]
    buyer.stripe.refund(second, 1_900)
    await buyer.deliver_all()
    assert await buyer.status(reference) == "credited", "the surplus went back, the purchase stands"
    assert await buyer.entries() == [(10, "purchase", first)]
    assert await buyer.balance() == 10


async def test_an_unpaid_attempt_expires_after_a_day_and_cannot_be_paid_afterwards(buyer):
    reference = await buyer.buy()
    buyer.installation.clock.advance(hours=23)
    await buyer.reconcile()
    assert await buyer.status(reference) == "unpaid"
    buyer.installation.clock.advance(hours=1, minutes=1)
    assert await buyer.reconcile() == 1
    assert await buyer.status(reference) == "expired"
    assert buyer.stripe.find_session(reference)["status"] == "expired", "closed at Stripe before it was closed here"


async def test_paid_in_time_but_heard_of_late_is_credited(buyer):
    """The time of the payment counts, not the time at which it becomes known."""
    reference = await buyer.buy()
    buyer.stripe.pay(reference)
    await buyer.installation.db.execute("UPDATE checkout_attempts SET status = 'expired'")
    buyer.installation.clock.advance(days=3)
    await buyer.deliver_all()
    assert await buyer.status(reference) == "credited"
    assert await buyer.balance() == 10


async def test_paid_after_the_end_requires_a_refund(buyer):
    reference = await buyer.buy()
    await buyer.installation.db.execute("UPDATE checkout_attempts SET status = 'expired'")
    buyer.installation.clock.advance(days=1, seconds=1)
    buyer.stripe.pay(reference)
    await buyer.deliver_all()
    assert await buyer.status(reference) == "refund_required"
    assert await buyer.balance() == 0


async def test_stripe_ends_a_session_itself(buyer):
    reference = await buyer.buy()
    buyer.stripe.expire(reference)
    await buyer.deliver_all()
    assert await buyer.status(reference) == "expired"


async def test_a_shorter_life_is_as_short_as_stripe_allows(buyer, monkeypatch):
    object.__setattr__(buyer.installation.app_context.settings, "checkout_lifetime", 60)
    reference = await buyer.buy()
    assert buyer.stripe.find_session(reference)["expires_at"] == buyer.installation.clock().timestamp() + 31 * 60


async def test_nothing_is_known_of_a_session_that_is_gone(buyer):
    reference = await buyer.buy()
    buyer.stripe.sessions.clear()
    assert await buyer.recover(reference) == "unpaid"
    buyer.installation.clock.advance(hours=25)
    assert await buyer.recover(reference) == "expired"


async def test_the_order_names_us_and_the_way_back(buyer):
    answer = await buyer.post(CHECKOUT, pricing_id=3)
    data = answer.json()["data"]
    session = buyer.stripe.find_session(data["checkout_reference"])
    assert data["checkout_url"] == session["url"]
    assert session["metadata"] == {"checkout_reference": data["checkout_reference"], "workspace_id": buyer.tenant.id}
    assert session["success_url"] == f"http://test/checkout/{data['checkout_reference']}/return"
    assert (session["amount_subtotal"], session["currency"]) == (24_900, "usd")
    _, _, given, headers = buyer.stripe.requests[0]
    assert headers["idempotency-key"] == data["checkout_reference"]
    assert given["payment_intent_data"]["metadata"]["checkout_reference"] == data["checkout_reference"]


def test_every_state_is_declared_and_none_leads_back_to_unpaid():
    assert set(TRANSITIONS) == set(AttemptStatus)
    reachable = set().union(*TRANSITIONS.values())
    assert reachable == set(AttemptStatus) - {AttemptStatus.UNPAID}
