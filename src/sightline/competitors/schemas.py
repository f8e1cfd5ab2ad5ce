"""Schema of a tracked competitor in the Data API."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.competitors.models import CompetitorRow, CompetitorStatus, DiscoverySource
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example


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


# Examples

_ID = uuid.UUID("01990f67-1c35-7e08-b6d2-94a7c05e3f18")
PATH_IDS = {"data": {"competitor_id": str(_ID)}}


_DETECTED = TrackedCompetitor(
    id=_ID,
    domain_id=TRACKED_DOMAIN_ID,
    competitor_domain="globex.com",
    display_name="Globex",
    discovery_source="detected",
    user_confirmed=True,
    discovered_at="2026-11-03T06:41:09.530118+00:00",
    last_updated="2026-11-12T14:20:55.781004+00:00",
)
_ADDED = TrackedCompetitor(
    id=uuid.UUID("01990f66-5b0b-7a62-8d4e-30f9b71c25e6"),
    domain_id=TRACKED_DOMAIN_ID,
    competitor_domain="initech.com",
    display_name=None,
    discovery_source="added_by_you",
    user_confirmed=True,
    discovered_at="2026-11-02T08:16:02.090377+00:00",
    last_updated="2026-11-02T08:16:02.090377+00:00",
)

_SUGGESTED = ReviewedCompetitor(
    id=_ID,
    name="Hooli",
    competitor_domain=None,
    status="suggested",
    last_updated="2026-11-12T14:20:55.781004+00:00",
)
EXAMPLES = {
    "list_suggested_competitors": Example([_SUGGESTED]),
    "dismiss_domain_competitor": Example(msgspec.structs.replace(_SUGGESTED, status="dismissed")),
    "list_competitors": Example([_DETECTED, _ADDED]),
    "read_competitor": Example(_DETECTED),
}
