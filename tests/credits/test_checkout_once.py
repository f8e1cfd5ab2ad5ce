"""Credits exactly once, whatever the order or number of webhooks, returns, recovers and reconcilers."""

import asyncio
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.credits.providers.models import ProviderUnavailable
from tests.credits.checkouts import CHECKOUT, open_shop

SIGNALS = ["webhook", "return", "recover", "reconcile"]


async def do(shop, reference: str, step: str, told: list[dict]) -> None:
    if step == "webhook":
        for event in told:
            assert await shop.deliver(event) == 200
    elif step == "return":
        assert (await shop.come_back(reference)).status_code == 200
    elif step == "recover":
        await shop.recover(reference)
    else:
        shop.installation.clock.advance(minutes=11)
        await shop.reconcile()


@pytest.mark.parametrize("order", list(itertools.permutations(SIGNALS)), ids="-".join)
async def test_every_order_credits_once(shop, order):
    reference = await shop.buy()
    payment = shop.stripe.pay(reference)
    told = shop.stripe.take_outbox()
    for step in order:
        await do(shop, reference, step, told * 2)
    assert await shop.entries() == [(10, "purchase", payment)]
    assert await shop.balance() == 10


HAPPENINGS = st.lists(
    st.sampled_from(["pay", "pay later", "arrive", "refund", "message", "old message", "drop", *SIGNALS[1:]]),
    max_size=14,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(happenings=HAPPENINGS)
def test_any_history_ends_with_the_books_of_its_payments(database_url, tmp_path_factory, happenings):
    async def live() -> None:
        path = tmp_path_factory.mktemp("shop")
        async with open_shop(database_url, path, with_stripe=True) as shop:
            await _live_through(shop, happenings)

    asyncio.run(live())


async def _live_through(shop, happenings: list[str]) -> None:
    reference = await shop.buy(2)
    stage, refunded, payment = "open", 0, ""
    waiting: list[dict] = []
    past: list[dict] = []
    for happening in happenings:
        if happening == "pay" and stage == "open":
            payment, stage = shop.stripe.pay(reference), "paid"
        elif happening == "pay later" and stage == "open":
            payment, stage = shop.stripe.pay_later(reference), "processing"
        elif happening == "arrive" and stage == "processing":
            shop.stripe.let_arrive(reference)
            stage = "paid"
        elif happening == "refund" and stage == "paid" and refunded < 7_900:
            refunded += 3_950
            shop.stripe.refund(payment, 3_950)
        waiting += shop.stripe.take_outbox()
        if happening == "message" and waiting:
            past.append(waiting.pop())  # the newest first: Stripe promises no order
            assert await shop.deliver(past[-1]) == 200
        elif happening == "old message" and past:
            assert await shop.deliver(past[0]) == 200
        elif happening == "drop" and waiting:
            waiting.pop(0)
        elif happening in SIGNALS[1:]:
            await do(shop, reference, happening, [])
        assert await shop.balance() in {0, 25, 50}
    status = await shop.recover(reference)
    expected = {"open": "unpaid", "processing": "pending", "paid": "refunded" if refunded == 7_900 else "credited"}
    assert status == expected[stage]
    assert await shop.balance() == (50 - refunded * 50 // 7_900 if stage == "paid" else 0)


async def test_many_at_once_credit_once(shop):
    reference = await shop.buy()
    payment = shop.stripe.pay(reference)
    told = shop.stripe.take_outbox()
    shop.installation.clock.advance(minutes=2)
    tasks = [
        call()
        for _ in range(4)
        for call in (
            lambda: shop.settle(reference),
            lambda: shop.recover(reference),
            lambda: shop.come_back(reference),
            lambda: shop.deliver(told[0]),
            shop.reconcile,
        )
    ]
    await asyncio.gather(*tasks)
    assert await shop.entries() == [(10, "purchase", payment)]
    assert await shop.balance() == 10


async def test_refunds_that_are_heard_of_at_once_take_once(shop):
    reference = await shop.buy(2)
    payment = shop.stripe.pay(reference)
    await shop.deliver_all()
    shop.stripe.refund(payment, 4_000)
    shop.stripe.dispute(payment, 3_900)
    events = shop.stripe.take_outbox()
    await asyncio.gather(*(shop.deliver(event) for event in events * 4))
    assert sorted(delta for delta, _, _ in await shop.entries()) == [-25, -25, 50]
    assert await shop.balance() == 0


async def test_two_checkouts_at_once_do_not_pass_the_cap_together(shop):
    """$500: two packs of $249 fit, three do not."""
    answers = await asyncio.gather(*(shop.post(CHECKOUT, pricing_id=3) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [201, 201, 409, 409, 409, 409]
    assert len(shop.stripe.sessions) == 2


async def test_reconcilers_in_many_processes_ask_once(shop):
    for _ in range(5):
        await shop.buy()
    shop.installation.clock.advance(minutes=2)
    before = len(shop.stripe.asked)
    await asyncio.gather(*(shop.reconcile() for _ in range(6)))
    assert len(shop.stripe.asked) - before == 5
    await shop.reconcile()
    assert len(shop.stripe.asked) - before == 5, "not again within the minute"
    shop.installation.clock.advance(minutes=1)
    await shop.reconcile()
    assert len(shop.stripe.asked) - before == 10


async def test_young_attempts_are_left_to_their_customers(shop):
    reference = await shop.buy()
    shop.stripe.pay(reference)
    shop.installation.clock.advance(seconds=50)
    assert await shop.reconcile() == 0
    shop.installation.clock.advance(seconds=20)
    assert await shop.reconcile() == 1


async def test_a_reconciler_outlives_a_provider_that_is_away(shop):
    references = [await shop.buy() for _ in range(5)]
    for reference in references:
        shop.stripe.pay(reference)
    shop.installation.clock.advance(minutes=2)
    shop.stripe.faults.extend(["429"] * 3)
    assert await shop.reconcile() == 0, "three refusals end the round"
    shop.installation.clock.advance(minutes=2)
    assert await shop.reconcile() == 5
    assert await shop.balance() == 50
    shop.stripe.faults.append("429")
    with pytest.raises(ProviderUnavailable):
        await shop.settle(references[0])
