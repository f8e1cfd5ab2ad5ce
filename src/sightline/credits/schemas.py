"""Schemas of credits and checkouts in the Console API."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.accounts.models import LIVEMODE_MEANING
from sightline.credits import models
from sightline.credits.checkout.states import AttemptRow, AttemptStatus
from sightline.credits.models import Reason
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import EVENT_TIME, WORKSPACE_ID, Example


class Balance(msgspec.Struct, frozen=True):
    """The credits of a workspace, and its spending this month."""

    balance: Annotated[int, Meta(description="Credits that are left. Negative only after a payment was reversed.")]
    spend_cap_cents: Annotated[
        int, Meta(description="Spending limit of the workspace for credits in a calendar month (UTC), in US cents.")
    ]
    current_month_spend_cents: Annotated[
        int, Meta(description="Purchases credited in this calendar month (UTC) minus their refunds, in US cents.")
    ]
    livemode: Annotated[bool, Meta(description=LIVEMODE_MEANING)]


class CreditsLowData(msgspec.Struct, frozen=True):
    """Data of the event `credits.low`."""

    balance: Annotated[int, Meta(description="Credits that are left.")]
    threshold: Annotated[int, Meta(description="The operator's threshold: a balance below it counts as low.")]
    workspace_id: Annotated[uuid.UUID, Meta(description="Workspace whose balance is low.")]
    livemode: Annotated[bool, Meta(description="False for the balance of test mode.")]


class Entry(msgspec.Struct, frozen=True):
    """One change to the credit balance."""

    id: Annotated[uuid.UUID, Meta(description="Id of the ledger entry.")]
    delta: Annotated[
        int, Meta(description="Change to the balance. A positive number adds credits, a negative number removes them.")
    ]
    reason: Annotated[
        Reason,
        Meta(
            description="Why the balance changed: `purchase`, `scan_consumption` (a scan was charged), `refund` "
            "(credits of a scan were returned, or credits were removed because their payment was refunded), "
            "`manual_adjustment` or `promotional_grant` (by the operator) or `action_consumption` (another charge, not "
            "in use now)."
        ),
    ]
    scan_id: Annotated[
        uuid.UUID | None,
        Meta(description="Scan that the credits were charged or refunded for. Null for other entries."),
    ]
    payment_reference: Annotated[
        str | None,
        Meta(
            description="Id of the payment at the payment provider, for a purchase and its refund. Null for other "
            "entries."
        ),
    ]
    description: Annotated[str, Meta(description="Short text for people.")]
    created_at: Annotated[Timestamp, Meta(description="When the entry was made.")]


class Pack(msgspec.Struct, frozen=True):
    """A pack of credits. Prices are in US dollars and exclude tax, which is added at checkout."""

    pricing_id: Annotated[int, Meta(description="Id of the pack. Send it to start a checkout.")]
    credits: Annotated[int, Meta(description="Number of credits in the pack.")]
    price_cents: Annotated[int, Meta(description="Price in US cents, without tax.")]
    name: Annotated[str, Meta(description="Display name of the pack.")]
    description: Annotated[str, Meta(description="What the credits are enough for, as a sentence.")]
    badge: Annotated[
        str | None, Meta(description="Short label that highlights the pack, such as `Popular`. Null for most packs.")
    ]
    available: Annotated[
        bool, Meta(description="False if the price exceeds what is left of this month's spending limit.")
    ]
    unavailable_reason: Annotated[
        str | None, Meta(description="Why the pack cannot be bought now, as a sentence. Null if it is available.")
    ]


def to_entry(row: models.LedgerEntry) -> Entry:
    return Entry(
        row.id, row.delta, row.reason, row.scan_id, row.payment_reference, row.description, to_iso(row.created_at)
    )


def to_pack(offer: models.PackOffer) -> Pack:
    row, reason = offer.pack, offer.unavailable_reason
    return Pack(
        row.pricing_id, row.credits, row.price_cents, row.name, row.description, row.badge, reason is None, reason
    )


class CheckoutInput(msgspec.Struct, frozen=True):
    """A pack to buy."""

    pricing_id: Annotated[int, Meta(description="Pack to buy, from the list of packs.", ge=1, le=2_147_483_647)]


class RecoverInput(msgspec.Struct, frozen=True):
    """A checkout whose payment to check."""

    checkout_reference: Annotated[
        str, Meta(description="Reference of the checkout to look up.", min_length=1, max_length=200)
    ]


class Checkout(msgspec.Struct, frozen=True):
    """A checkout that was started. Send the buyer to `checkout_url`, and check the payment afterwards."""

    checkout_reference: Annotated[
        str, Meta(description="Reference of the checkout. Store it: you need it to check the payment.")
    ]
    checkout_url: Annotated[str, Meta(description="Address of the page where the buyer pays.")]


class CheckoutAttempt(msgspec.Struct, frozen=True):
    """An attempt to buy a pack, and the state of its payment."""

    checkout_reference: Annotated[str, Meta(description="Reference of the checkout.")]
    status: Annotated[
        AttemptStatus,
        Meta(
            description="`unpaid`, `pending` (the payment is being processed), `credited`, `expired` or "
            "`refunded`. With `reconciliation` (the payment differs from the order) and `refund_required` (paid twice "
            "or too late), the operator reviews the payment; you do not need to do anything."
        ),
    ]
    pricing_id: Annotated[int, Meta(description="Pack that is bought.")]
    credits: Annotated[int, Meta(description="Number of credits in the pack when the checkout was started.")]
    amount_cents: Annotated[
        int, Meta(description="Price of the pack when the checkout was started, in cents, without tax.")
    ]
    currency: Annotated[str, Meta(description="ISO 4217 currency code in lower case.")]
    payment_reference: Annotated[
        str | None, Meta(description="Id of the payment at the payment provider. Null until there is one.")
    ]
    livemode: Annotated[bool, Meta(description=LIVEMODE_MEANING)]
    created_at: Annotated[Timestamp, Meta(description="When the checkout was started.")]
    updated_at: Annotated[Timestamp, Meta(description="When the status last changed.")]


def to_checkout_attempt(attempt: AttemptRow) -> CheckoutAttempt:
    return CheckoutAttempt(
        attempt.reference,
        attempt.status,
        attempt.pricing_id,
        attempt.credits,
        attempt.amount_cents,
        attempt.currency,
        attempt.payment_reference,
        attempt.livemode,
        to_iso(attempt.created_at),
        to_iso(attempt.updated_at),
    )


# Examples

_SCAN_ID = uuid.UUID("01990f6b-7d0e-7a51-9b2c-8e4f60d1c3a7")
EXAMPLE_ENTRIES = [
    Entry(
        id=uuid.UUID("01990f6b-7d10-7d3a-8c15-2b9e74f0a6d1"),
        delta=-3,
        reason="scan_consumption",
        scan_id=_SCAN_ID,
        payment_reference=None,
        description="Console Check of acme.com on 3 platforms",
        created_at="2026-11-14T09:28:41.660205+00:00",
    ),
    Entry(
        id=uuid.UUID("01990f69-03c8-7e92-a47d-51c6b80f9e23"),
        delta=50,
        reason="purchase",
        scan_id=None,
        payment_reference="pi_3PExample0000000001",
        description="50 credits",
        created_at="2026-11-13T16:04:12.045981+00:00",
    ),
]

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

EXAMPLES = {
    "read_balance": Example(
        Balance(balance=47, spend_cap_cents=150_000, current_month_spend_cents=7_900, livemode=False)
    ),
    "list_ledger": Example(EXAMPLE_ENTRIES),
    "list_packs": Example(
        [
            Pack(
                pricing_id=2,
                credits=50,
                price_cents=7_900,
                name="50 credits",
                description="Ten scans on five platforms.",
                badge="Popular",
                available=True,
                unavailable_reason=None,
            ),
            Pack(
                pricing_id=4,
                credits=1_000,
                price_cents=99_000,
                name="1,000 credits",
                description="One scan a week for four weeks, for each of 50 domains, on five platforms.",
                badge=None,
                available=False,
                unavailable_reason="It costs 990.00 USD, but only 510.00 USD of this month's spending limit is left.",
            ),
        ]
    ),
    "start_checkout": Example(
        Checkout(_REFERENCE, "https://checkout.stripe.com/c/pay/cs_live_Example"),
        {"pricing_id": 2},
    ),
    "recover_checkout": Example(_ATTEMPT, {"checkout_reference": _REFERENCE}),
    "list_checkouts": Example([msgspec.structs.replace(_ATTEMPT, livemode=False)]),
}

EVENT_EXAMPLES = {
    "credits.low": (EVENT_TIME, CreditsLowData(balance=4, threshold=10, workspace_id=WORKSPACE_ID, livemode=True))
}
