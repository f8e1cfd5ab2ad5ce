"""Money that goes back: refunds, partial refunds, disputes, and what comes back of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.credits.checkout.reversals import returned_share


async def bought(shop, pricing_id: int = 2, *, tax: int = 0) -> tuple[str, str]:
    reference = await shop.buy(pricing_id)
    payment = shop.stripe.pay(reference, tax=tax)
    await shop.deliver_all()
    return reference, payment


async def test_a_full_refund_takes_the_credits_and_repeats_the_order_id(shop):
    reference, payment = await bought(shop)
    shop.stripe.refund(payment, 7_900)
    await shop.deliver_all()
    assert await shop.status(reference) == "refunded"
    assert await shop.entries() == [(50, "purchase", payment), (-50, "refund", payment)]
    assert await shop.balance() == 0


async def test_a_partial_refund_takes_its_share_and_the_state_stays_credited(shop):
    reference, payment = await bought(shop)
    shop.stripe.refund(payment, 2_000)  # 12.66 credits
    await shop.deliver_all()
    assert await shop.status(reference) == "credited"
    assert await shop.balance() == 38
    assert (await shop.attempt(reference))["refunded_cents"] == 2_000
    shop.stripe.refund(payment, 2_000)  # 25.3 together
    await shop.deliver_all()
    assert await shop.balance() == 25
    shop.stripe.refund(payment, 3_900)
    await shop.deliver_all()
    assert [delta for delta, _, _ in await shop.entries()] == [50, -12, -13, -25]
    assert (await shop.status(reference), await shop.balance()) == ("refunded", 0)


async def test_a_refund_of_a_few_cents_takes_nothing_alone_but_counts(shop):
    reference, payment = await bought(shop)
    for _ in range(2):
        shop.stripe.refund(payment, 100)
        await shop.deliver_all()
    assert [delta for delta, _, _ in await shop.entries()] == [50, -1]
    assert (await shop.attempt(reference))["refunded_cents"] == 200


async def test_tax_is_refunded_with_the_rest_and_never_counts_as_spent(shop):
    reference, payment = await bought(shop, tax=2_100)
    shop.stripe.refund(payment, 5_000)  # half of what was charged
    await shop.deliver_all()
    attempt = await shop.attempt(reference)
    assert (attempt["refunded_cents"], attempt["refunded_credits"], await shop.balance()) == (3_950, 25, 25)
    shop.stripe.refund(payment, 5_000)
    await shop.deliver_all()
    assert (await shop.attempt(reference))["refunded_cents"] == 7_900
    assert await shop.balance() == 0


async def test_a_balance_may_go_below_zero_by_a_refund(shop):
    _, payment = await bought(shop)
    await shop.installation.db.execute(
        """WITH spent AS (INSERT INTO credit_entries (workspace_id, id, livemode, delta, reason, description, cause,
                                                      created_at)
                          VALUES ($1, gen_random_uuid(), true, -45, 'manual_adjustment', 'Spent', 'x', now()))
           UPDATE credit_accounts SET balance = balance - 45 WHERE workspace_id = $1 AND livemode""",
        shop.tenant.workspace.id,
    )
    shop.stripe.refund(payment, 7_900)
    await shop.deliver_all()
    assert await shop.balance() == -45


async def test_duplicates_and_any_order_change_nothing(shop):
    reference, payment = await bought(shop)
    shop.stripe.refund(payment, 2_000)
    shop.stripe.refund(payment, 1_000)
    events = shop.stripe.take_outbox()
    for event in [*reversed(events), *events, *events]:
        assert await shop.deliver(event) == 200
    assert await shop.recover(reference) == "credited"
    assert sorted(delta for delta, _, _ in await shop.entries()) == [-12, -6, 50]
    assert await shop.balance() == 50 - 18


async def test_a_refund_that_is_heard_of_before_the_payment_settles_both(shop):
    reference = await shop.buy(2)
    payment = shop.stripe.pay(reference)
    shop.stripe.refund(payment, 7_900)
    for event in reversed(shop.stripe.take_outbox()):
        assert await shop.deliver(event) == 200
    assert await shop.entries() == [(50, "purchase", payment), (-50, "refund", payment)]
    assert (await shop.status(reference), await shop.balance()) == ("refunded", 0)


async def test_a_refund_that_fails_gives_the_credits_back(shop):
    reference, payment = await bought(shop)
    refund = shop.stripe.refund(payment, 7_900, status="pending")
    pending = shop.stripe.take_outbox()
    for event in pending:
        await shop.deliver(event)
    assert (await shop.status(reference), await shop.balance()) == ("refunded", 0)
    shop.stripe.let_refund_fail(refund)
    await shop.deliver_all()
    for event in pending:
        await shop.deliver(event)
    assert (await shop.status(reference), await shop.balance()) == ("credited", 50)
    assert (await shop.attempt(reference))["refunded_cents"] == 0
    shop.stripe.refund(payment, 7_900)
    await shop.deliver_all()
    assert (await shop.status(reference), await shop.balance()) == ("refunded", 0)


async def test_a_dispute_withdraws_and_a_won_one_reinstates(shop):
    reference, payment = await bought(shop)
    dispute = shop.stripe.dispute(payment, 7_900)
    withdrawn = shop.stripe.take_outbox()
    for event in withdrawn * 2:
        await shop.deliver(event)
    assert (await shop.status(reference), await shop.balance()) == ("refunded", 0)
    shop.stripe.win(dispute)
    reinstated = shop.stripe.take_outbox()
    for event in (reinstated + withdrawn) * 2:
        await shop.deliver(event)
    assert [delta for delta, _, _ in await shop.entries()] == [50, -50, 50]
    assert (await shop.status(reference), await shop.balance()) == ("credited", 50)


async def test_an_inquiry_without_a_withdrawal_takes_nothing(shop):
    reference, payment = await bought(shop)
    dispute = shop.stripe.disputes[shop.stripe.dispute(payment, 7_900)]
    dispute |= {"status": "warning_needs_response", "balance_transactions": []}
    await shop.deliver_all()
    assert (await shop.status(reference), await shop.balance()) == ("credited", 50)


async def test_a_dispute_after_a_refund_never_takes_more_than_was_bought(shop):
    reference, payment = await bought(shop)
    shop.stripe.refund(payment, 4_000)
    shop.stripe.dispute(payment, 7_900)
    await shop.deliver_all()
    assert (await shop.status(reference), await shop.balance()) == ("refunded", 0)
    assert (await shop.attempt(reference))["refunded_credits"] == 50


async def test_a_refund_of_another_product_is_none_of_our_business(shop):
    await bought(shop)
    event = shop.stripe.event("charge.refunded", {"id": "ch_x", "object": "charge", "payment_intent": "pi_of_others"})
    assert await shop.deliver(event) == 200
    event = shop.stripe.event("charge.refunded", {"id": "ch_x", "object": "charge", "payment_intent": None})
    assert await shop.deliver(event) == 200
    assert await shop.balance() == 50


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
