"""Stripe's events and failures: forged and stale signatures, lost responses, timeouts, and a process that dies."""

import asyncio
import json
import logging
import time

import pytest
import structlog
from aiohttp import ClientTimeout

from sightline.credits.checkout import settle
from sightline.credits.providers import stripe as stripe_module
from tests.api.assertions import assert_problem
from tests.credits.buyers import CHECKOUT, RECOVER, open_buyer
from tests.fakes.stripe import KEY, SECRET, sign


async def paid(buyer) -> tuple[str, bytes]:
    reference = await buyer.buy()
    buyer.stripe.pay(reference)
    return reference, json.dumps(buyer.stripe.take_outbox()[0]).encode()


FORGED = {
    "no header": lambda body: "",
    "another secret": lambda body: sign(body, secret="whsec_guess"),
    "another body": lambda body: sign(body + b" "),
    "no version": lambda body: sign(body).replace("v1=", "v0="),
    "older than 300 s": lambda body: sign(body, at=time.time() - 302),
    "renewed time": lambda body: sign(body, at=time.time() - 900).replace(
        f"t={int(time.time() - 900)}", f"t={int(time.time())}"
    ),
    "not a time": lambda body: "t=soon,v1=" + sign(body).rpartition("=")[2],
    "no letters of ours": lambda body: "t=1,v1=\xe9",
    "garbage": lambda body: "=,=,,==",
}


@pytest.mark.parametrize("how", FORGED)
async def test_forged_stale_and_altered_signatures_are_refused(buyer, how):
    reference, body = await paid(buyer)
    before = len(buyer.stripe.requests)
    async with buyer.installation.client() as client:
        headers = {"Stripe-Signature": FORGED[how](body).encode("latin-1")}
        answer = await client.post("/webhooks/stripe", content=body, headers=headers)
    assert (answer.status_code, answer.text) == (400, "The signature is not valid.")
    assert len(buyer.stripe.requests) == before, "nobody makes us ask Stripe"
    assert await buyer.status(reference) == "unpaid"


async def test_an_altered_body_is_refused_and_a_whole_one_of_almost_300_s_is_taken(buyer):
    reference, body = await paid(buyer)
    assert await buyer.deliver_raw(body.replace(b"1900", b"1901"), sign(body)) == 400
    assert await buyer.deliver_raw(body, sign(body, at=time.time() - 290)) == 200
    assert await buyer.status(reference) == "credited"


async def test_several_signatures_while_a_secret_is_rolled(buyer):
    reference, body = await paid(buyer)
    old = sign(body, secret="whsec_old").partition(",")[2]
    assert await buyer.deliver_raw(body, f"{sign(body)},{old}") == 200
    assert await buyer.status(reference) == "credited"


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}", b'{"object": "event"}', b"\xff\xfe", b"[" * 100_000])
async def test_signed_nonsense_is_refused_not_a_crash(buyer, body):
    assert await buyer.deliver_raw(body, sign(body)) in {200, 400}


async def test_a_huge_body_is_refused(buyer):
    body = b" " * (600 * 1024)
    assert await buyer.deliver_raw(body, sign(body)) == 413


async def test_unknown_events_and_other_peoples_checkouts_are_200(buyer):
    assert await buyer.deliver(buyer.stripe.event("customer.created", {"id": "cus_1", "object": "customer"})) == 200
    for reference in (None, "co_" + "z" * 32, "somebody-elses"):
        session = {"id": "cs_1", "object": "checkout.session", "client_reference_id": reference}
        assert await buyer.deliver(buyer.stripe.event("checkout.session.completed", session)) == 200


async def test_a_claimed_payment_that_stripe_does_not_confirm_adds_no_credits(buyer):
    """The event is signed, but the API of Stripe says otherwise: nothing is credited."""
    reference = await buyer.buy()
    session = {**buyer.stripe.find_session(reference), "status": "complete", "payment_status": "paid"}
    assert await buyer.deliver(buyer.stripe.event("checkout.session.completed", session)) == 200
    assert await buyer.status(reference) == "unpaid"
    assert await buyer.balance() == 0


async def test_our_own_failure_is_5xx_so_that_stripe_retries(buyer):
    reference, body = await paid(buyer)
    buyer.stripe.faults.extend(["500", "500"])
    assert await buyer.deliver_raw(body) == 503
    assert await buyer.status(reference) == "unpaid"
    assert await buyer.deliver_raw(body) == 200
    assert await buyer.status(reference) == "credited"


async def test_without_a_signing_secret_nothing_is_taken(database_url, tmp_path):
    async with open_buyer(database_url, tmp_path, with_stripe=True, stripe_webhook_secret=" ") as buyer:
        assert await buyer.deliver_raw(b"{}", sign(b"{}", secret="")) == 503


@pytest.mark.parametrize("fault", ["500", "reset", "lost"])
async def test_one_failure_is_retried_and_makes_one_session(buyer, fault):
    buyer.stripe.faults.append(fault)
    reference = await buyer.buy()
    assert len(buyer.stripe.sessions) == 1
    keys = [headers["idempotency-key"] for method, _, _, headers in buyer.stripe.requests if method == "POST"]
    assert keys == [reference, reference]


@pytest.fixture
async def hasty_buyer(database_url, tmp_path, monkeypatch):
    # Two silences of Stripe would take half a minute.
    monkeypatch.setattr(stripe_module, "TIMEOUT", ClientTimeout(total=0.2))
    async with open_buyer(database_url, tmp_path, with_stripe=True, spend_cap_cents=50_000) as opened:
        yield opened


@pytest.mark.parametrize(
    "faults", [["500", "500"], ["429"], ["307"], ["reset", "reset"], ["silence", "silence"]], ids=str
)
async def test_an_unreachable_provider_returns_503_and_leaves_no_checkout_open(hasty_buyer, faults):
    buyer = hasty_buyer
    buyer.stripe.faults.extend(faults)
    answer = await buyer.post(CHECKOUT, "same", pricing_id=4 - 1)
    problem = assert_problem(answer, 503, "service_unavailable")
    assert problem["retry_after"] == int(answer.headers["retry-after"]) > 0
    rows = await buyer.installation.db.fetch("SELECT status, reason FROM checkout_attempts")
    assert [tuple(row) for row in rows] == [("expired", "The provider was not reachable.")]
    assert (await buyer.post(CHECKOUT, "same", pricing_id=3)).status_code == 201, "the key was released"


async def test_recover_while_the_provider_is_away_is_503(buyer):
    reference, _ = await paid(buyer)
    buyer.stripe.faults.append("429")
    assert_problem(await buyer.post(RECOVER, checkout_reference=reference), 503, "service_unavailable")
    buyer.stripe.faults.append("429")
    page = await buyer.return_from_checkout(reference)
    assert page.status_code == 200 and "The payment cannot be confirmed yet" in page.text
    assert await buyer.recover(reference) == "credited"


async def test_a_wrong_key_is_503_and_never_logged(database_url, tmp_path):
    wrong = KEY[:-4] + "ffff"
    async with open_buyer(database_url, tmp_path, with_stripe=True, stripe_api_key=wrong) as buyer:
        with structlog.testing.capture_logs() as logs:
            assert_problem(await buyer.post(CHECKOUT, pricing_id=1), 503, "service_unavailable")
        assert any(line["event"] == "stripe_refused" and line["status"] == 401 for line in logs)
        assert wrong not in str(logs) and SECRET not in str(logs)


async def test_secrets_are_not_in_the_log_of_a_purchase(buyer, caplog):
    with caplog.at_level(logging.DEBUG), structlog.testing.capture_logs() as logs:
        reference, body = await paid(buyer)
        await buyer.deliver_raw(body)
        await buyer.deliver_raw(body, "t=1,v1=x")
    text = str(logs) + caplog.text.replace(f"Bearer {KEY}", "KEY IN CLEAR")
    assert SECRET not in text and KEY not in text and "KEY IN CLEAR" not in text
    assert reference not in str(logs), "the reference is a secret: it shows the payment"


class Killed(BaseException):
    """Raised in place of a dead process: no handler of ours runs."""


async def test_a_crash_between_attempt_and_provider_leaves_an_attempt_that_nobody_can_pay(buyer, monkeypatch):
    async def die(*_, **__):
        raise Killed

    stripe = buyer.installation.app_context.payments.stripe
    # A process that dies at this point runs nothing after it.
    monkeypatch.setattr(type(stripe), "start_order", die)
    with pytest.raises(Killed):
        await buyer.post(CHECKOUT, pricing_id=3)
    monkeypatch.undo()
    row = await buyer.installation.db.fetchrow("SELECT status, provider_session, checkout_url FROM checkout_attempts")
    assert tuple(row) == ("unpaid", None, None)
    await buyer.installation.db.execute("UPDATE credit_packs SET price_cents = 26000 WHERE pricing_id = 3")
    assert_problem(await buyer.post(CHECKOUT, pricing_id=3), 409, "spend_cap_exceeded")
    buyer.installation.clock.advance(minutes=2)
    await buyer.buy(3)
    states = await buyer.installation.db.fetch("SELECT status FROM checkout_attempts ORDER BY created_at")
    assert [row[0] for row in states] == ["expired", "unpaid"], "another process cannot be creating its page any more"


async def test_a_session_that_was_made_by_a_process_that_died_is_found_by_its_message(buyer):
    reference = await buyer.buy()
    await buyer.installation.db.execute("UPDATE checkout_attempts SET provider_session = NULL, checkout_url = NULL")
    buyer.stripe.pay(reference)
    assert await buyer.recover(reference) == "unpaid", "nothing names the session yet"
    await buyer.deliver_all()
    assert await buyer.status(reference) == "credited"
    assert await buyer.recover(reference) == "credited"
    assert await buyer.balance() == 10


async def test_no_transaction_is_open_while_the_provider_is_asked(buyer, monkeypatch):
    reference, _ = await paid(buyer)
    seen = []
    both = asyncio.Barrier(2)
    original = stripe_module.StripePayments.find_order

    async def look(self, *given, **find_provider):
        await both.wait()  # else one of them may be at its own transaction while the other looks
        seen.append(await buyer.installation.db.fetchval(_IDLE))
        await both.wait()
        return await original(self, *given, **find_provider)

    # Only from inside the call can a test look at what is open meanwhile.
    monkeypatch.setattr(stripe_module.StripePayments, "find_order", look)
    await asyncio.gather(buyer.settle(reference), buyer.recover(reference))
    assert seen == [0, 0]


_IDLE = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"


def test_only_one_function_adds_purchases():
    import pathlib

    root = pathlib.Path(settle.__file__).parents[1]
    files = [path for path in root.rglob("*.py") if "NewEntry(" in (text := path.read_text()) and '"purchase"' in text]
    assert [path.name for path in files if path.name != "models.py"] == ["settle.py"]
