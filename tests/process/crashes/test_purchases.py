"""A payment is credited exactly once, even if the service crashes at any of these points."""

import pytest

from tests.process.crashes.scenario import CREDITS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]  # each test starts the whole service two or three times

PACK = {"pricing_id": 1}
CHECKOUT, RECOVER = "/credits/checkout", "/credits/checkout/recover"


@pytest.mark.parametrize(
    ("point", "attempts"),
    [
        ("after_attempt_committed", 2),  # the first attempt has no payment page, so it cannot be paid
        ("after_provider_session", 2),  # the buyer never got the address of the first payment page
        ("before_write_commit", 2),
        ("after_write_commit", 1),
    ],
)
async def test_a_checkout_interrupted_by_a_crash_can_be_retried_and_is_credited_once(scenario, point, attempts):
    with scenario.serving(test_crash_at=point) as process:
        assert await scenario.post_as_buyer(process, CHECKOUT, **PACK) is None
        await scenario.wait_for_crash(process)
    with scenario.serving() as process:
        started = await scenario.post_as_buyer_until_accepted(process, CHECKOUT, **PACK)
        again = await scenario.post_as_buyer_until_accepted(process, CHECKOUT, **PACK)
        assert again == started
        reference = started["checkout_reference"]
        await scenario.pay(reference)
        recovered = await scenario.post_as_buyer_until_accepted(process, RECOVER, checkout_reference=reference)
        evidence = await scenario.verify()
    assert recovered["status"] == "credited"
    assert len(evidence.attempts) == attempts
    assert [entry.delta for entry in evidence.entries] == [CREDITS, 10]


@pytest.mark.parametrize("point", ["before_settle_commit", "after_settle_commit", "before_write_commit"])
async def test_a_payment_is_credited_once_if_the_service_crashes_while_crediting_it(scenario, point):
    with scenario.serving() as process:
        started = await scenario.post_as_buyer_until_accepted(process, CHECKOUT, **PACK)
    reference = started["checkout_reference"]
    await scenario.pay(reference)
    with scenario.serving(test_crash_at=point) as process:
        assert await scenario.post_as_buyer(process, RECOVER, checkout_reference=reference) is None
        await scenario.wait_for_crash(process)
    with scenario.serving() as process:
        recovered = await scenario.post_as_buyer_until_accepted(process, RECOVER, checkout_reference=reference)
        evidence = await scenario.verify()
    assert recovered["status"] == "credited"
    assert [entry.delta for entry in evidence.entries] == [CREDITS, 10]
