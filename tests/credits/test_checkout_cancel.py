"""Checkouts that the buyer leaves or replaces: the session at Stripe is expired at once, or by the reconciler."""

from tests.api.assertions import assert_problem
from tests.credits.buyers import CHECKOUT


async def cancel(buyer, reference: str):
    async with buyer.installation.client() as client:
        return await client.get(f"/checkout/{reference}/cancel")


async def test_leaving_stripe_expires_the_session(buyer):
    reference = await buyer.buy(3)
    assert buyer.stripe.find_session(reference)["cancel_url"] == f"http://test/checkout/{reference}/cancel"
    page = await cancel(buyer, reference)
    assert page.status_code == 200 and "This checkout has ended" in page.text
    assert buyer.stripe.find_session(reference)["status"] == "expired"
    assert (await buyer.attempt(reference))["reason"] == "The buyer left or replaced it unpaid."
    assert (await cancel(buyer, "co_" + "z" * 32)).status_code == 404


async def test_another_checkout_expires_the_session_before_so_that_it_frees_the_cap(buyer):
    first, second, third = await buyer.buy(3), await buyer.buy(3), await buyer.buy(3)
    assert [await buyer.status(each) for each in (first, second, third)] == ["expired", "expired", "unpaid"]
    states = [buyer.stripe.find_session(each)["status"] for each in (first, second, third)]
    assert states == ["expired", "expired", "open"]


async def test_what_was_paid_meanwhile_counts(buyer):
    paid = await buyer.buy(3)
    payment = buyer.stripe.pay(paid)
    later = await buyer.buy(3)
    assert await buyer.status(paid) == "credited"
    buyer.stripe.pay_later(later)
    assert "is being processed" in (await cancel(buyer, later)).text
    assert_problem(await buyer.post(CHECKOUT, pricing_id=1), 409, "spend_cap_exceeded")
    buyer.installation.clock.advance(days=3)
    assert_problem(await buyer.post(CHECKOUT, pricing_id=1), 409, "spend_cap_exceeded")
    assert await buyer.entries() == [(200, "purchase", payment)]


async def test_while_stripe_is_away_it_holds_the_cap_and_the_reconciler_closes_it(buyer):
    await buyer.installation.db.execute("UPDATE credit_packs SET price_cents = 30000 WHERE pricing_id = 3")
    reference = await buyer.buy(3)
    buyer.stripe.faults.append("429")
    assert "cannot be confirmed yet" in (await cancel(buyer, reference)).text
    buyer.stripe.faults.append("429")
    assert_problem(await buyer.post(CHECKOUT, pricing_id=3), 409, "spend_cap_exceeded")
    assert buyer.stripe.find_session(reference)["status"] == "open"
    buyer.installation.clock.advance(minutes=1)
    assert await buyer.reconcile() == 1
    assert buyer.stripe.find_session(reference)["status"] == "expired"
    await buyer.buy(3)


async def test_an_expiry_whose_response_was_lost_is_asked_for_again(buyer):
    reference = await buyer.buy(3)
    buyer.stripe.faults.extend(["", "lost", "429"])  # the lookup, the expiry, its retry
    assert "cannot be confirmed yet" in (await cancel(buyer, reference)).text
    assert await buyer.status(reference) == "unpaid"
    assert "has ended" in (await cancel(buyer, reference)).text
