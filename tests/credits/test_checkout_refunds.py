"""Refunds, partial refunds and disputes, and reversals that are undone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.credits.checkout.reversals import returned_share
from tests.property_testing import prove


async def bought(buyer, pricing_id: int = 2, *, tax: int = 0) -> tuple[str, str]:
    reference = await buyer.buy(pricing_id)
    payment = buyer.stripe.pay(reference, tax=tax)
    await buyer.deliver_all()
    return reference, payment


async def test_a_full_refund_takes_the_credits_and_repeats_the_order_id(buyer):
    reference, payment = await bought(buyer)
    buyer.stripe.refund(payment, 7_900)
    await buyer.deliver_all()
    assert await buyer.status(reference) == "refunded"
    assert await buyer.entries() == [(50, "purchase", payment), (-50, "refund", payment)]
    assert await buyer.balance() == 0


async def test_a_partial_refund_takes_its_share_and_the_state_stays_credited(buyer):
    reference, payment = await bought(buyer)
    buyer.stripe.refund(payment, 2_000)  # 12.66 credits
    await buyer.deliver_all()
    assert await buyer.status(reference) == "credited"
    assert await buyer.balance() == 38
    assert (await buyer.attempt(reference))["refunded_cents"] == 2_000
    buyer.stripe.refund(payment, 2_000)  # 25.3 together
    await buyer.deliver_all()
    assert await buyer.balance() == 25
    buyer.stripe.refund(payment, 3_900)
    await buyer.deliver_all()
    assert [delta for delta, _, _ in await buyer.entries()] == [50, -12, -13, -25]
    assert (await buyer.status(reference), await buyer.balance()) == ("refunded", 0)


async def test_a_refund_of_a_few_cents_takes_nothing_alone_but_counts(buyer):
    reference, payment = await bought(buyer)
    for _ in range(2):
        buyer.stripe.refund(payment, 100)
        await buyer.deliver_all()
    assert [delta for delta, _, _ in await buyer.entries()] == [50, -1]
    assert (await buyer.attempt(reference))["refunded_cents"] == 200


async def test_tax_is_refunded_with_the_rest_and_never_counts_as_spent(buyer):
    reference, payment = await bought(buyer, tax=2_100)
    buyer.stripe.refund(payment, 5_000)  # half of what was charged
    await buyer.deliver_all()
    attempt = await buyer.attempt(reference)
    assert (attempt["refunded_cents"], attempt["refunded_credits"], await buyer.balance()) == (3_950, 25, 25)
    buyer.stripe.refund(payment, 5_000)
    await buyer.deliver_all()
    assert (await buyer.attempt(reference))["refunded_cents"] == 7_900
    assert await buyer.balance() == 0


async def test_a_balance_may_go_below_zero_by_a_refund(buyer):
    _, payment = await bought(buyer)
    await buyer.installation.db.execute(
        """WITH spent AS (INSERT INTO credit_entries (workspace_id, id, livemode, delta, reason, description, cause,
                                                      created_at)
                          VALUES ($1, gen_random_uuid(), true, -45, 'manual_adjustment', 'Spent', 'x', now()))
           UPDATE credit_accounts SET balance = balance - 45 WHERE workspace_id = $1 AND livemode""",
        buyer.tenant.workspace.id,
    )
    buyer.stripe.refund(payment, 7_900)
    await buyer.deliver_all()
    assert await buyer.balance() == -45


async def test_duplicates_and_any_order_change_nothing(buyer):
    reference, payment = await bought(buyer)
    buyer.stripe.refund(payment, 2_000)
    buyer.stripe.refund(payment, 1_000)
    events = buyer.stripe.take_outbox()
    for event in [*reversed(events), *events, *events]:
        assert await buyer.deliver(event) == 200
    assert await buyer.recover(reference) == "credited"
    assert sorted(delta for delta, _, _ in await buyer.entries()) == [-12, -6, 50]
    assert await buyer.balance() == 50 - 18


async def test_a_refund_that_is_heard_of_before_the_payment_settles_both(buyer):
    reference = await buyer.buy(2)
    payment = buyer.stripe.pay(reference)
    buyer.stripe.refund(payment, 7_900)
    for event in reversed(buyer.stripe.take_outbox()):
        assert await buyer.deliver(event) == 200
    assert await buyer.entries() == [(50, "purchase", payment), (-50, "refund", payment)]
    assert (await buyer.status(reference), await buyer.balance()) == ("refunded", 0)


async def test_a_refund_that_fails_gives_the_credits_back(buyer):
    reference, payment = await bought(buyer)
    refund = buyer.stripe.refund(payment, 7_900, status="pending")
    pending = buyer.stripe.take_outbox()
    for event in pending:
        await buyer.deliver(event)
    assert (await buyer.status(reference), await buyer.balance()) == ("refunded", 0)
    buyer.stripe.fail_refund(refund)
    await buyer.deliver_all()
    for event in pending:
        await buyer.deliver(event)
    assert (await buyer.status(reference), await buyer.balance()) == ("credited", 50)
    assert (await buyer.attempt(reference))["refunded_cents"] == 0
    buyer.stripe.refund(payment, 7_900)
    await buyer.deliver_all()
    assert (await buyer.status(reference), await buyer.balance()) == ("refunded", 0)


async def test_a_dispute_withdraws_and_a_won_one_reinstates(buyer):
    reference, payment = await bought(buyer)
    dispute = buyer.stripe.dispute(payment, 7_900)
    withdrawn = buyer.stripe.take_outbox()
    for event in withdrawn * 2:
        await buyer.deliver(event)
    assert (await buyer.status(reference), await buyer.balance()) == ("refunded", 0)
    buyer.stripe.win(dispute)
    reinstated = buyer.stripe.take_outbox()
    for event in (reinstated + withdrawn) * 2:
        await buyer.deliver(event)
    assert [delta for delta, _, _ in await buyer.entries()] == [50, -50, 50]
    assert (await buyer.status(reference), await buyer.balance()) == ("credited", 50)


async def test_an_inquiry_without_a_withdrawal_takes_nothing(buyer):
    reference, payment = await bought(buyer)
    dispute = buyer.stripe.disputes[buyer.stripe.dispute(payment, 7_900)]
    dispute |= {"status": "warning_needs_response", "balance_transactions": []}
    await buyer.deliver_all()
    assert (await buyer.status(reference), await buyer.balance()) == ("credited", 50)


async def test_a_dispute_after_a_refund_never_takes_more_than_was_bought(buyer):
    reference, payment = await bought(buyer)
    buyer.stripe.refund(payment, 4_000)
    buyer.stripe.dispute(payment, 7_900)
    await buyer.deliver_all()
    assert (await buyer.status(reference), await buyer.balance()) == ("refunded", 0)
    assert (await buyer.attempt(reference))["refunded_credits"] == 50


async def test_a_refund_of_another_product_is_none_of_our_business(buyer):
    await bought(buyer)
    event = buyer.stripe.event("charge.refunded", {"id": "ch_x", "object": "charge", "payment_intent": "pi_of_others"})
    assert await buyer.deliver(event) == 200
    event = buyer.stripe.event("charge.refunded", {"id": "ch_x", "object": "charge", "payment_intent": None})
    assert await buyer.deliver(event) == 200
    assert await buyer.balance() == 50


@prove
@given(st.integers(1, 10_000), st.integers(1, 10_000_000), st.lists(st.integers(0, 10_000_000), max_size=8))
def test_shares_add_up_and_never_exceed_the_whole(whole, total, parts):
    shares = [returned_share(whole, sum(parts[: n + 1]), total) for n in range(len(parts))]
    assert shares == sorted(shares)
    assert all(0 <= share <= whole for share in shares)
    assert returned_share(whole, total, total) == whole
    if total > 1:
        assert returned_share(whole, total - 1, total) < whole or whole == 0


@pytest.mark.parametrize("returned", [0, 1])
def test_nothing_returned_takes_nothing(returned):
    assert returned_share(1, returned, 2) == 0
