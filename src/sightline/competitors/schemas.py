"""Schema of a tracked competitor in the Data API."""

import uuid

import msgspec

from sightline.competitors.models import CompetitorRow, DiscoverySource
from sightline.kit.clock import Timestamp, to_iso


class TrackedCompetitor(msgspec.Struct, frozen=True):
    """A competitor that somebody in the workspace confirmed."""

    id: uuid.UUID
    domain_id: uuid.UUID
    competitor_domain: str
    display_name: str | None
    discovery_source: DiscoverySource
    user_confirmed: bool
    discovered_at: Timestamp
    last_updated: Timestamp


def to_tracked_competitor(row: CompetitorRow) -> TrackedCompetitor:
    assert row.competitor_domain is not None, "none is confirmed without a domain"
    return TrackedCompetitor(
        row.id,
        row.domain_id,
        row.competitor_domain,
        row.display_name,
        row.discovery_source,
        row.status == "confirmed",
        to_iso(row.discovered_at),
        to_iso(row.last_updated),
    )
