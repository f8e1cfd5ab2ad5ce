"""A purchase survives a process that dies at any of these points: what was paid is credited once."""

import pytest

from tests.process.crashes.scenario import CREDITS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]  # two or three starts of the whole service each

PACK = {"pricing_id": 1}
CHECKOUT, RECOVER = "/credits/checkout", "/credits/checkout/recover"


@pytest.mark.parametrize(
    ("point", "attempts"),
    [
        ("after_attempt_committed", 2),  # the first one is left without a page: nobody can pay it
        ("after_provider_session", 2),  # its page was told to nobody
        ("before_write_commit", 2),
        ("after_write_commit", 1),
    ],
)
async def test_a_checkout_whose_start_was_cut_off_starts_again_and_is_credited_once(scene, point, attempts):
    with scene.serving(test_crash_at=point) as process:
        assert await scene.ask_as_buyer(process, CHECKOUT, **PACK) is None
        await scene.let_it_die(process)
    with scene.serving() as process:
        started = await scene.ask_as_buyer_until_answered(process, CHECKOUT, **PACK)
        again = await scene.ask_as_buyer_until_answered(process, CHECKOUT, **PACK)
        assert again == started
        reference = started["checkout_reference"]
        await scene.pay(reference)
        recovered = await scene.ask_as_buyer_until_answered(process, RECOVER, checkout_reference=reference)
        evidence = await scene.prove()
    assert recovered["status"] == "credited"
    assert len(evidence.attempts) == attempts
    assert [entry.delta for entry in evidence.entries] == [CREDITS, 10]


@pytest.mark.parametrize("point", ["before_settle_commit", "after_settle_commit", "before_write_commit"])
async def test_a_payment_is_credited_once_although_the_process_dies_while_crediting_it(scene, point):
    with scene.serving() as process:
        started = await scene.ask_as_buyer_until_answered(process, CHECKOUT, **PACK)
    reference = started["checkout_reference"]
    await scene.pay(reference)
    with scene.serving(test_crash_at=point) as process:
        assert await scene.ask_as_buyer(process, RECOVER, checkout_reference=reference) is None
        await scene.let_it_die(process)
    with scene.serving() as process:
        recovered = await scene.ask_as_buyer_until_answered(process, RECOVER, checkout_reference=reference)
        evidence = await scene.prove()
    assert recovered["status"] == "credited"
    assert [entry.delta for entry in evidence.entries] == [CREDITS, 10]
