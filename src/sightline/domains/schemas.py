"""Schemas of Console domains and tracked domains in the APIs."""

import uuid
from typing import Annotated

import msgspec

from sightline.domains import models
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.rounding import round_half_away_or_none

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


DomainName = Annotated[str, msgspec.Meta(min_length=1, max_length=2_048)]


class CompetitorInput(msgspec.Struct, frozen=True):
    """A competitor as given: its domain, and the name to look for in answers when it has one."""

    domain: DomainName
    name: Name | None = None


Aliases = Annotated[list[Name], msgspec.Meta(max_length=50)]


OwnedDomains = Annotated[list[DomainName], msgspec.Meta(max_length=50)]


Competitors = Annotated[list[DomainName | CompetitorInput], msgspec.Meta(max_length=20)]


class DomainChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """What may change of a domain; a field left out stays as it is, a list replaces the old one."""

    brand_name: Name | msgspec.UnsetType = msgspec.UNSET
    aliases: Aliases | msgspec.UnsetType = msgspec.UNSET
    owned_domains: OwnedDomains | msgspec.UnsetType = msgspec.UNSET
    competitors: Competitors | msgspec.UnsetType = msgspec.UNSET


class DomainInput(DomainChanges, frozen=True, omit_defaults=True, kw_only=True):
    """A domain to register. All but the name is optional; the brand name defaults to the first label."""

    domain: DomainName


class Domain(msgspec.Struct, frozen=True):
    """A domain that checks can be submitted for. Metrics are those of its most recent completed check."""

    id: uuid.UUID
    domain: str
    status: str
    livemode: bool
    brand_name: str
    aliases: list[str]
    owned_domains: list[str]
    competitors: list[models.Competitor]
    created_at: Timestamp
    latest_visibility_score: float | None
    latest_brand_coverage_pct: float | None
    latest_market_position: int | None
    last_scan_at: Timestamp | None
    scan_count: int


def to_domain(row: models.ConsoleDomain) -> Domain:
    return Domain(
        row.id,
        row.domain,
        row.status,
        row.livemode,
        row.brand_name,
        row.aliases,
        row.owned_domains,
        row.competitors,
        to_iso(row.created_at),
        round_half_away_or_none(row.latest_visibility_score),
        round_half_away_or_none(row.latest_brand_coverage_pct),
        row.latest_market_position,
        to_iso_or_none(row.last_scan_at),
        row.scan_count,
    )


class TrackedDomain(msgspec.Struct, frozen=True):
    """A domain that the workspace tracks. `latest_*` is what the scoreboard shows now; null is not measured."""

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
    last_full_check_at: Timestamp | None
    last_daily_check_at: Timestamp | None
    next_check_at: Timestamp | None
    next_check_scope: str | None
    prompt_count: int
    pinned_count: int
    competitor_count: int
    created_at: Timestamp


def to_tracked_domain(row: models.TrackedDomain) -> TrackedDomain:
    return TrackedDomain(
        row.id,
        row.domain,
        row.brand_name,
        row.aliases,
        row.owned_domains,
        row.status,
        row.platforms,
        round_half_away_or_none(row.latest_visibility_score),
        round_half_away_or_none(row.latest_brand_coverage_pct),
        row.latest_ai_mentions,
        row.latest_market_position,
        to_iso_or_none(row.last_full_check_at),
        to_iso_or_none(row.last_daily_check_at),
        to_iso_or_none(row.next_check_at),
        row.next_check_scope,
        row.prompt_count,
        row.pinned_count,
        row.competitor_count,
        to_iso(row.created_at),
    )
