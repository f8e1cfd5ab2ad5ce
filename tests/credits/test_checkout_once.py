"""A payment is credited exactly once, whatever the order and number of events, returns, recoveries and reconcilers."""

import asyncio
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.credits.providers.models import ProviderUnavailable
from tests.credits.buyers import CHECKOUT, open_buyer

SIGNALS = ["webhook", "return", "recover", "reconcile"]


async def do(buyer, reference: str, step: str, events: list[dict]) -> None:
    if step == "webhook":
        for event in events:
            assert await buyer.deliver(event) == 200
    elif step == "return":
        assert (await buyer.return_from_checkout(reference)).status_code == 200
    elif step == "recover":
        await buyer.recover(reference)
    else:
        buyer.installation.clock.advance(minutes=11)
        await buyer.reconcile()


@pytest.mark.parametrize("order", list(itertools.permutations(SIGNALS)), ids="-".join)
async def test_every_order_credits_once(buyer, order):
    reference = await buyer.buy()
    payment = buyer.stripe.pay(reference)
    events = buyer.stripe.take_outbox()
    for step in order:
        await do(buyer, reference, step, events * 2)
    assert await buyer.entries() == [(10, "purchase", payment)]
    assert await buyer.balance() == 10


HAPPENINGS = st.lists(
    st.sampled_from(["pay", "pay later", "arrive", "refund", "message", "old message", "drop", *SIGNALS[1:]]),
    max_size=14,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(happenings=HAPPENINGS)
def test_any_history_ends_with_the_books_of_its_payments(database_url, tmp_path_factory, happenings):
    async def live() -> None:
        path = tmp_path_factory.mktemp("shop")
        async with open_buyer(database_url, path, with_stripe=True) as buyer:
            await _live_through(buyer, happenings)

    asyncio.run(live())


async def _live_through(buyer, happenings: list[str]) -> None:
    reference = await buyer.buy(2)
    stage, refunded, payment = "open", 0, ""
    waiting: list[dict] = []
    past: list[dict] = []
    for happening in happenings:
        if happening == "pay" and stage == "open":
            payment, stage = buyer.stripe.pay(reference), "paid"
        elif happening == "pay later" and stage == "open":
            payment, stage = buyer.stripe.pay_later(reference), "processing"
        elif happening == "arrive" and stage == "processing":
            buyer.stripe.complete_payment(reference)
            stage = "paid"
        elif happening == "refund" and stage == "paid" and refunded < 7_900:
            refunded += 3_950
            buyer.stripe.refund(payment, 3_950)
        waiting += buyer.stripe.take_outbox()
        if happening == "message" and waiting:
            past.append(waiting.pop())  # the newest first: Stripe promises no order
            assert await buyer.deliver(past[-1]) == 200
        elif happening == "old message" and past:
            assert await buyer.deliver(past[0]) == 200
        elif happening == "drop" and waiting:
            waiting.pop(0)
        elif happening in SIGNALS[1:]:
            await do(buyer, reference, happening, [])
        assert await buyer.balance() in {0, 25, 50}
    status = await buyer.recover(reference)
    expected = {"open": "unpaid", "processing": "pending", "paid": "refunded" if refunded == 7_900 else "credited"}
    assert status == expected[stage]
    assert await buyer.balance() == (50 - refunded * 50 // 7_900 if stage == "paid" else 0)


async def test_many_at_once_credit_once(buyer):
    reference = await buyer.buy()
    payment = buyer.stripe.pay(reference)
    events = buyer.stripe.take_outbox()
    buyer.installation.clock.advance(minutes=2)
    tasks = [
        call()
        for _ in range(4)
        for call in (
            lambda: buyer.settle(reference),
            lambda: buyer.recover(reference),
            lambda: buyer.return_from_checkout(reference),
            lambda: buyer.deliver(events[0]),
            buyer.reconcile,
        )
    ]
    await asyncio.gather(*tasks)
    assert await buyer.entries() == [(10, "purchase", payment)]
    assert await buyer.balance() == 10


async def test_refunds_that_are_heard_of_at_once_take_once(buyer):
    reference = await buyer.buy(2)
    payment = buyer.stripe.pay(reference)
    await buyer.deliver_all()
    buyer.stripe.refund(payment, 4_000)
    buyer.stripe.dispute(payment, 3_900)
    events = buyer.stripe.take_outbox()
    await asyncio.gather(*(buyer.deliver(event) for event in events * 4))
    assert sorted(delta for delta, _, _ in await buyer.entries()) == [-25, -25, 50]
    assert await buyer.balance() == 0


async def test_concurrent_checkouts_do_not_exceed_the_spending_limit(buyer):
    """$500: two packs of $249 fit, three do not. One that is started later may replace one that is not paid."""
    answers = await asyncio.gather(*(buyer.post(CHECKOUT, pricing_id=3) for _ in range(6)))
    statuses = [answer.status_code for answer in answers]
    assert set(statuses) <= {201, 409} and statuses.count(201) >= 2
    assert 1 <= [session["status"] for session in buyer.stripe.sessions.values()].count("open") <= 2
    held = "SELECT sum(amount_cents) FROM checkout_attempts WHERE status = 'unpaid'"
    assert await buyer.installation.db.fetchval(held) <= 50_000


async def test_reconcilers_in_many_processes_ask_once(buyer):
    for _ in range(5):
        buyer.stripe.pay_later(await buyer.buy())
        buyer.stripe.outbox.clear()
    buyer.installation.clock.advance(minutes=2)
    before = len(buyer.stripe.requests)
    await asyncio.gather(*(buyer.reconcile() for _ in range(6)))
    assert len(buyer.stripe.requests) - before == 5
    await buyer.reconcile()
    assert len(buyer.stripe.requests) - before == 5, "not again within the minute"
    buyer.installation.clock.advance(minutes=1)
    await buyer.reconcile()
    assert len(buyer.stripe.requests) - before == 10


async def test_young_attempts_are_left_to_their_customers(buyer):
    reference = await buyer.buy()
    buyer.stripe.pay(reference)
    buyer.installation.clock.advance(seconds=50)
    assert await buyer.reconcile() == 0
    buyer.installation.clock.advance(seconds=20)
    assert await buyer.reconcile() == 1


async def test_a_reconciler_outlives_a_provider_that_is_away(buyer):
    references = []
    for _ in range(5):
        references.append(await buyer.buy())
        buyer.stripe.pay_later(references[-1])
    await buyer.deliver_all()
    for reference in references:
        buyer.stripe.complete_payment(reference)
    buyer.installation.clock.advance(minutes=2)
    buyer.stripe.faults.extend(["429"] * 3)
    assert await buyer.reconcile() == 0, "three refusals end the round"
    buyer.installation.clock.advance(minutes=2)
    assert await buyer.reconcile() == 5
    assert await buyer.balance() == 50
    buyer.stripe.faults.append("429")
    with pytest.raises(ProviderUnavailable):
        await buyer.settle(references[0])
