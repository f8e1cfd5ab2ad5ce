"""Tracked domains, read only."""

import uuid

import msgspec

from sightline.api.edge.envelope import One, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import operation
from sightline.domains import models, tracked
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.ids import parse_id
from sightline.kit.rounding import round_half_away_or_none


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


def shape_tracked(row: models.TrackedDomain) -> TrackedDomain:
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


@operation("data", "GET", "/domains", tag="Domains", summary="List tracked domains", paged=True, data_api="read")
async def list_tracked_domains(exchange: Exchange) -> Page[TrackedDomain]:
    """Most recently added first, 50 to a page."""
    paging = exchange.paging("data.domains")
    rows = await tracked.list_tracked_domains(
        exchange.db, exchange.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(shape_tracked))


@operation(
    "data",
    "GET",
    "/domains/{domain_id}",
    tag="Domains",
    summary="Read a tracked domain",
    data_api="read",
    problems=("domain_not_found",),
)
async def read_tracked_domain(exchange: Exchange, domain_id: str) -> One[TrackedDomain]:
    """One tracked domain. A Console domain is not readable here."""
    return One(shape_tracked(await tracked.read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))))
