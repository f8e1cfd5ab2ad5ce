"""Schemas of credits and checkouts in the Console API."""

import uuid
from typing import Annotated

import msgspec

from sightline.credits import models
from sightline.credits.models import Reason
from sightline.credits.states import Attempt, AttemptStatus
from sightline.kit.clock import Timestamp, to_iso


class Balance(msgspec.Struct, frozen=True):
    """What a workspace has and may spend."""

    balance: int
    spend_cap_cents: int
    current_month_spend_cents: int
    livemode: bool


class Entry(msgspec.Struct, frozen=True):
    """One movement of credits."""

    id: uuid.UUID
    delta: int
    reason: Reason
    scan_id: uuid.UUID | None
    payment_reference: str | None
    description: str
    created_at: Timestamp


class Pack(msgspec.Struct, frozen=True):
    """Credits at a price. Prices are in US dollars and exclude tax; tax is added at checkout."""

    pricing_id: int
    credits: int
    price_cents: int
    name: str
    description: str
    badge: str | None


def to_entry(row: models.LedgerEntry) -> Entry:
    return Entry(
        row.id, row.delta, row.reason, row.scan_id, row.payment_reference, row.description, to_iso(row.created_at)
    )


def to_pack(row: models.Pack) -> Pack:
    return Pack(row.pricing_id, row.credits, row.price_cents, row.name, row.description, row.badge)


class CheckoutInput(msgspec.Struct, frozen=True):
    pricing_id: Annotated[int, msgspec.Meta(ge=1, le=2_147_483_647)]


class RecoverInput(msgspec.Struct, frozen=True):
    checkout_reference: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Checkout(msgspec.Struct, frozen=True):
    """A purchase that was started. Send the person to the page; what comes of it is told by the attempt."""

    checkout_reference: str
    checkout_url: str


class CheckoutAttempt(msgspec.Struct, frozen=True):
    """One try to buy a pack, and where its payment stands."""

    checkout_reference: str
    status: AttemptStatus
    pricing_id: int
    credits: int
    amount_cents: int
    currency: str
    payment_reference: str | None
    livemode: bool
    created_at: Timestamp
    updated_at: Timestamp


def to_checkout_attempt(attempt: Attempt) -> CheckoutAttempt:
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
