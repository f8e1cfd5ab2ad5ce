"""Rows of credits, and values derived from them."""

import uuid
from datetime import datetime
from typing import Literal, get_args

import msgspec

Reason = Literal[
    "purchase", "scan_consumption", "refund", "action_consumption", "manual_adjustment", "promotional_grant"
]
REASONS: tuple[Reason, ...] = get_args(Reason)


class LedgerEntry(msgspec.Struct, frozen=True):
    """One change of the balance. Entries never change: a correction is an entry of its own."""

    id: uuid.UUID
    delta: int
    reason: Reason
    scan_id: uuid.UUID | None
    payment_reference: str | None
    description: str
    created_at: datetime


class Pack(msgspec.Struct, frozen=True):
    """Credits at a price without tax. A retired pack is no longer sold; purchases of it stay."""

    pricing_id: int
    credits: int
    price_cents: int
    currency: str
    name: str
    description: str
    badge: str | None
    active: bool


class PackOffer(msgspec.Struct, frozen=True):
    """A pack, and the reason why a workspace cannot buy it, if there is one."""

    pack: Pack
    unavailable_reason: str | None


class Spend(msgspec.Struct, frozen=True):
    """What a workspace may spend on credits in a calendar month, and has spent in this one."""

    spend_cap_cents: int
    current_month_spend_cents: int


class LedgerDiscrepancy(msgspec.Struct, frozen=True):
    """Something in the ledger that does not add up."""

    workspace_id: uuid.UUID
    livemode: bool
    kind: str
    subject: str
    detail: str
