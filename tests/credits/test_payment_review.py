"""Payments in review: logged, mailed to the operator once, listed and resolved."""

import re

import msgspec
import pytest
import structlog

from sightline.credits.checkout.queries import list_payments_in_review_any_workspace
from sightline.credits.checkout.review import report_payments_any_workspace, resolve_payment
from sightline.errors import Problem
from sightline.mail.emails import OutgoingEmail
from sightline.presentation.catalogs import PSEUDO
from tests.web.untranslated import find_untranslated_in_email


async def enter_review(buyer) -> str:
    """Pay an order that differs by a cent."""
    reference = await buyer.buy()
    buyer.stripe.pay(reference)
    buyer.stripe.find_session(reference)["amount_total"] -= 1
    assert await buyer.recover(reference) == "reconciliation"
    return reference


async def report(buyer, to: str | None = "ops@acme.com") -> list[OutgoingEmail]:
    """Report as the worker does, and return all e-mails that wait."""
    settings = buyer.installation.app_context.settings.model_copy(update={"operator_email": to})
    await report_payments_any_workspace(buyer.installation.db, settings, now=buyer.installation.clock())
    rows = await buyer.installation.db.fetch("SELECT payload FROM jobs WHERE kind = 'mail.send' ORDER BY id")
    return [msgspec.json.decode(row[0], type=OutgoingEmail) for row in rows]


async def resolve(buyer, reference: str, resolution: str) -> str:
    async with buyer.installation.db.transaction() as tx:
        now = buyer.installation.clock()
        resolved = await resolve_payment(tx, reference, resolution, note="Looked at it", rules=buyer.rules, now=now)
    return resolved.status


async def test_a_payment_in_review_is_a_warning_and_mailed_once(buyer):
    with structlog.testing.capture_logs() as logs:
        reference = await enter_review(buyer)
    (warning,) = [line for line in logs if line["event"] == "payment_in_review"]
    assert (warning["log_level"], warning["status"], warning["workspace_id"]) == (
        "warning",
        "reconciliation",
        buyer.tenant.id,
    )
    assert reference not in str(logs), "a reference is a secret"
    assert await report(buyer, None) == []
    (email,) = await report(buyer)
    assert await report(buyer) == [email]
    assert email.to == "ops@acme.com" and email.subject == "A payment needs review"
    assert (
        reference in email.text
        and "The customer paid 18.99 USD before tax, but the order was for 19.00 USD." in email.text
    )


async def test_the_operator_reads_of_a_payment_in_their_language(buyer):
    reference = await enter_review(buyer)
    operator = await buyer.installation.user()
    await buyer.installation.db.execute("UPDATE users SET language = $1 WHERE id = $2", PSEUDO, operator.id)
    (email,) = await report(buyer, operator.email)
    commands = [line for line in email.text.splitlines() if line.startswith("  sightline credits reconciliations")]
    assert len(commands) == 3 and reference in commands[1] and reference in commands[2]
    text = "\n".join(line for line in email.text.splitlines() if line not in commands)
    assert find_untranslated_in_email(email.subject, text) == []


async def test_a_payment_that_needs_review_again_is_mailed_again(buyer):
    reference = await enter_review(buyer)
    await report(buyer)
    buyer.installation.clock.advance(minutes=1)
    payment = (await buyer.attempt(reference))["payment_reference"]
    refund = buyer.stripe.refund(payment, 1_899)
    assert await buyer.recover(reference) == "refunded"
    assert len(await report(buyer)) == 1
    buyer.installation.clock.advance(minutes=1)
    buyer.stripe.fail_refund(refund)
    assert await buyer.recover(reference) == "refund_required"
    first, second = await report(buyer)
    assert "refund required" not in first.text and "refund required" in second.text
    (why,) = re.findall(r"Reason: (.+)", first.text)
    assert f"Reason: {why} The refund failed." in second.text, "the first reason stays"


async def test_an_accepted_payment_is_credited_once_and_stays_so(buyer):
    reference = await enter_review(buyer)
    ((listed, workspace),) = await list_payments_in_review_any_workspace(buyer.installation.db)
    assert (listed.reference, workspace) == (reference, buyer.tenant.workspace.name)
    assert await resolve(buyer, reference, "credited") == "credited"
    with pytest.raises(Problem, match="No payment in review"):
        await resolve(buyer, reference, "credited")
    await buyer.deliver_all()
    assert await buyer.recover(reference) == "credited"
    assert await buyer.balance() == 10
    assert await list_payments_in_review_any_workspace(buyer.installation.db) == []
    assert (await buyer.attempt(reference))["reason"] == "Resolved by the operator: Looked at it"
    payment = (await buyer.attempt(reference))["payment_reference"]
    buyer.stripe.refund(payment, 1_899)
    assert await buyer.recover(reference) == "refunded"
    assert await buyer.balance() == 0, "the credits go back with the money, as of any purchase"


async def test_returned_money_resolves_without_credits_and_a_first_payment_stays_credited(buyer):
    reference = await enter_review(buyer)
    assert await resolve(buyer, reference, "refunded") == "refunded"
    assert await buyer.recover(reference) == "refunded"
    twice = await buyer.buy()
    buyer.stripe.pay(twice)
    buyer.stripe.copy_session(twice)
    await buyer.deliver_all()
    assert await buyer.status(twice) == "refund_required"
    with pytest.raises(Problem, match="paid twice"):
        await resolve(buyer, twice, "credited")
    assert await resolve(buyer, twice, "refunded") == "credited"
    assert await buyer.balance() == 10


async def test_test_money_is_never_accepted_for_live_credits(buyer):
    reference = await enter_review(buyer)
    await buyer.installation.db.execute("UPDATE checkout_attempts SET provider_session = 'cs_test_1'")
    with pytest.raises(Problem, match="test money"):
        await resolve(buyer, reference, "credited")
    assert await buyer.balance() == 0
