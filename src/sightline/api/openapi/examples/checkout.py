"""Examples of buying credits."""

from collections.abc import Mapping

import msgspec

from sightline.api.openapi.examples.example import Example, envelope, page
from sightline.credits.checkout.states import AttemptStatus
from sightline.credits.schemas import Checkout, CheckoutAttempt

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


EXAMPLES: Mapping[str, Example] = {
    "start_checkout": Example(
        envelope(Checkout(_REFERENCE, "https://checkout.stripe.com/c/pay/cs_live_Example")),
        {"pricing_id": 2},
    ),
    "recover_checkout": Example(envelope(_ATTEMPT), {"checkout_reference": _REFERENCE}),
    "list_checkouts": Example(page(msgspec.structs.replace(_ATTEMPT, livemode=False))),
}
