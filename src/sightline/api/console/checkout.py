"""Buying credits: start a checkout, check its payment, list recent checkouts."""

from sightline.api.console.credits import RESOURCE
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.credits.checkout import attempts, recover, start
from sightline.credits.checkout.states import AttemptRow
from sightline.credits.ledger import build_credit_rules
from sightline.credits.schemas import Checkout, CheckoutAttempt, CheckoutInput, RecoverInput, to_checkout_attempt


async def _start(exchange: Exchange) -> start.StartedCheckout:
    app_context, payload = exchange.app_context, exchange.decode_body(CheckoutInput)
    rules = start.build_checkout_rules(app_context.settings)
    return await start.start_checkout(
        app_context.db, exchange.actor, payload.pricing_id, app_context.payments, rules, now=exchange.now
    )


@RESOURCE.operation(
    "POST",
    "/credits/checkout",
    summary="Start a checkout",
    access="session",
    payer_only=True,
    body=CheckoutInput,
    prepare=_start,
    success_status=201,
    problems=("billing_permission_required", "spend_cap_exceeded"),
)
async def start_checkout(exchange: Exchange) -> Envelope[Checkout]:
    """Start the purchase of a pack, and return the address of the page where the buyer pays.

    Only the payer of the workspace can start a checkout (see `is_payer` in `GET /session`); API keys cannot. A new
    checkout replaces all unpaid ones: Sightline asks the payment provider to close their payment pages. If the provider
    does not respond, Sightline tries again later. Until a page is closed, its checkout counts against the monthly
    spending limit. A payment that was made before its page closed is credited. An unpaid checkout expires after a day.
    While the operator has paused purchases, the response is 503 `service_unavailable`.
    """
    started: start.StartedCheckout = exchange.prepared
    await start.finish_checkout(exchange.tx, started)
    return Envelope(Checkout(started.attempt.reference, started.order.url))


async def _recover(exchange: Exchange) -> AttemptRow:
    app_context, payload = exchange.app_context, exchange.decode_body(RecoverInput)
    return await recover.recover_attempt(
        app_context.db,
        exchange.actor,
        app_context.payments,
        payload.checkout_reference,
        rules=build_credit_rules(app_context.settings),
        now=exchange.now,
    )


@RESOURCE.operation(
    "POST",
    "/credits/checkout/recover",
    summary="Check a payment",
    access="session",
    payer_only=True,
    body=RecoverInput,
    prepare=_recover,
    problems=("billing_permission_required", "not_found"),
)
async def recover_checkout(exchange: Exchange) -> Envelope[CheckoutAttempt]:
    """Ask the payment provider for the result of a checkout, and credit the payment if it matches the checkout.

    Sightline also does this by itself. Call this operation if the credits have not arrived. Only the payer of the
    workspace can check a payment. A payment is credited only once, even if you check it several times. This also works
    while purchases are paused.
    """
    return Envelope(to_checkout_attempt(exchange.prepared))


@RESOURCE.operation(
    "GET",
    "/credits/checkouts",
    summary="List checkouts",
    sdk="credits.checkouts",
    paged=True,
    saves_copy=False,
)
async def list_checkouts(exchange: Exchange) -> Page[CheckoutAttempt]:
    """List the checkouts of the workspace, newest first, 50 per page.

    Each status is the last one that Sightline has verified. To verify it again, check the payment.
    """
    paging = exchange.paging("console.checkouts")
    rows = await attempts.list_attempts(
        exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_checkout_attempt))
