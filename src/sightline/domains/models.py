"""Rows of the two kinds of domain."""

import uuid
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta


class Competitor(msgspec.Struct, frozen=True):
    """A competitor of a Console domain. Market Position ranks the brand among its competitors."""

    domain: Annotated[str, Meta(description="Host name in lower case, without a leading `www`.")]
    name: Annotated[
        str | None,
        Meta(
            description="Name to look for in answers. If null, a scan looks for the first part of the domain "
            "with a capital letter: `Initech` for `initech.com`."
        ),
    ] = None


class ConsoleDomainRow(msgspec.Struct, frozen=True):
    id: uuid.UUID
    domain: str
    status: str
    livemode: bool
    brand_name: str
    aliases: list[str]
    owned_domains: list[str]
    competitors: list[Competitor]
    created_at: datetime
    latest_visibility_score: float | None
    latest_brand_coverage_pct: float | None
    latest_market_position: int | None
    last_scan_at: datetime | None
    scan_count: int


class TrackedDomainRow(msgspec.Struct, frozen=True):
    id: uuid.UUID
    domain: str
    brand_name: str
    aliases: list[str]
    owned_domains: list[str]
    status: str
    platforms: list[str]
    latest_visibility_score: float | None
    latest_brand_coverage_pct: float | None
    latest_ai_mentions: int | None
    latest_market_position: int | None
    last_full_check_at: datetime | None
    last_daily_check_at: datetime | None
    last_audit_at: datetime | None
    next_check_at: datetime | None
    next_check_scope: str | None
    prompt_count: int
    pinned_count: int
    competitor_count: int
    created_at: datetime
    chosen_platforms: list[str] | None = None
    """None stands for all platforms of the plan."""
    anchor_at: datetime | None = None
    """When the setup was completed, or the sandbox ended: the start of the domain's weeks."""
    client_id: uuid.UUID | None = None


class BrandDetails(msgspec.Struct, frozen=True):
    """The cleaned details of the brand behind a domain."""

    brand_name: str
    aliases: list[str]
    owned_domains: list[str]
    competitors: list[Competitor]


class Recomputation(msgspec.Struct, frozen=True):
    """The progress of analyzing the stored answers of a domain again, counted in scans."""

    status: str
    scans_done: int
    scans_total: int
    scans_expired: int = 0
    """How many of the scans that are done no longer have their answers, so that their figures stay."""
