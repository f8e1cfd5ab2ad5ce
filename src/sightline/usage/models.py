"""Recognized keys and sessions, and the figures of /usage."""

import uuid
from datetime import date, datetime

import msgspec

from sightline.api_keys.addresses import Network
from sightline.api_keys.format import KeyKind
from sightline.plans.table import Plan


class RateLimits(msgspec.Struct, frozen=True):
    per_minute: int
    per_month: int


class RecognizedKey(msgspec.Struct, frozen=True):
    """A key that exists, with the rights of its maker as of now and its counts against its limits.

    `minute_count` is None when the request was not counted: refused by a limit, or not admissible at all.
    """

    workspace_id: uuid.UUID
    key_id: uuid.UUID
    kind: KeyKind
    livemode: bool
    scopes: list[str]
    created_by: uuid.UUID
    revoked_at: datetime | None
    ends_at: datetime | None
    """When this secret stops working: with its key, or a day after it was replaced."""
    is_replaced: bool
    """Whether the key was rotated and this is its previous secret."""
    allowed_addresses: list[Network]
    address_allowed: bool
    plan: Plan
    role: str | None
    console_enabled: bool
    per_minute: int
    per_month: int
    minute_count: int | None
    month_count: int | None
    month_before: int


class WorkspaceUsage(msgspec.Struct, frozen=True):
    last_hour: int
    last_24h: int
    month_to_date: int
    error_rate_24h_pct: float | None
    as_of: datetime


class DailyUsage(msgspec.Struct, frozen=True):
    """The requests with keys of a workspace on one day (UTC), and how many had a status of 400 or above."""

    day: date
    requests: int
    errors: int
