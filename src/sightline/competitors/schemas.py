"""Schema of a tracked competitor in the Data API."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.competitors.models import CompetitorRow, CompetitorStatus, DiscoverySource
from sightline.kit.clock import Timestamp, to_iso


class TrackedCompetitor(msgspec.Struct, frozen=True):
    """A competitor that someone in the workspace confirmed."""

    id: Annotated[uuid.UUID, Meta(description="Id of the competitor, used as `competitor_id`.")]
    domain_id: Annotated[uuid.UUID, Meta(description="Tracked domain that the competitor belongs to.")]
    competitor_domain: Annotated[str, Meta(description="Domain of the competitor.")]
    display_name: Annotated[
        str | None,
        Meta(
            description="Name that the competitor's own site declares. Null if it declares none; it is never "
            "inferred from the domain."
        ),
    ]
    discovery_source: Annotated[
        DiscoverySource,
        Meta(description="`added_by_you`: entered by someone in the workspace. `detected`: found in AI answers."),
    ]
    user_confirmed: Annotated[bool, Meta(description="Always true: only confirmed competitors are listed.")]
    discovered_at: Annotated[Timestamp, Meta(description="When the competitor was first found.")]
    last_updated: Annotated[
        Timestamp, Meta(description="When the record last changed. The list is sorted by this time, newest first.")
    ]


class ReviewedCompetitor(msgspec.Struct, frozen=True, kw_only=True):
    """A competitor in any state of its review."""

    id: Annotated[uuid.UUID, Meta(description="Id of the competitor, used as `competitor_id`.")]
    name: Annotated[str | None, Meta(description="Name that answers use for it. Null if it was entered by domain.")]
    competitor_domain: Annotated[str | None, Meta(description="Domain of the competitor. Null if it is not known.")]
    status: Annotated[
        CompetitorStatus,
        Meta(
            description="`suggested`: found in answers and not reviewed. `confirmed`: measured. `dismissed`: not a "
            "rival. `hidden`: confirmed once, and not measured now."
        ),
    ]
    last_updated: Annotated[Timestamp, Meta(description="When the record last changed.")]


def to_reviewed_competitor(row: CompetitorRow) -> ReviewedCompetitor:
    return ReviewedCompetitor(
        id=row.id,
        name=row.found_as or next(iter(row.all_names), None),
        competitor_domain=row.competitor_domain,
        status=row.status,
        last_updated=to_iso(row.last_updated),
    )


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
