"""How the reference speaks of buying credits."""

from collections.abc import Mapping

from sightline.api.edge.envelope import Meta, One, Page, PageMeta
from sightline.api.openapi.example import REQUEST_ID, Example
from sightline.credits.schemas import Checkout, CheckoutAttempt
from sightline.credits.states import AttemptStatus

_REFERENCE = "co_7Qm2ExampleExampleExample1234x9K"
_ATTEMPT = CheckoutAttempt(
    checkout_reference=_REFERENCE,
    status=AttemptStatus.CREDITED,
    pricing_id=2,
    credits=50,
    amount_cents=7_900,
    currency="usd",
    payment_reference="pi_3QExampleExample",
    livemode=True,
    created_at="2026-11-14T09:30:00.123456+00:00",
    updated_at="2026-11-14T09:31:22.804115+00:00",
)

MEANINGS: Mapping[str, str] = {
    "checkout_reference": "Names the checkout. Keep it: whoever has it can see what became of the payment.",
    "checkout_url": "The hosted page on which the pack is paid.",
    "CheckoutAttempt.status": "`unpaid`, `pending` (the money is on its way), `credited`, `expired` or `refunded`; "
    "`reconciliation` and `refund_required` are looked at by support.",
    "CheckoutAttempt.pricing_id": "The pack that is bought.",
    "CheckoutInput.pricing_id": "The pack to buy, from the list of packs.",
    "CheckoutAttempt.credits": "Credits of the pack when the checkout was started.",
    "amount_cents": "Price of the pack when the checkout was started, without tax.",
    "currency": "ISO 4217, in lower case.",
    "CheckoutAttempt.payment_reference": "The provider's own id of the payment; null while there is none.",
    "updated_at": "When the state last changed.",
}

EXAMPLES: Mapping[str, Example] = {
    "start_checkout": Example(
        One(
            Checkout(_REFERENCE, "https://checkout.stripe.com/c/pay/cs_live_Example"),
            Meta(REQUEST_ID),
        ),
        {"pricing_id": 2},
    ),
    "recover_checkout": Example(One(_ATTEMPT, Meta(REQUEST_ID)), {"checkout_reference": _REFERENCE}),
    "list_checkouts": Example(Page([_ATTEMPT], PageMeta(has_more=False, next_cursor=None, request_id=REQUEST_ID))),
}
