"""Examples of tracked competitors."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.api.openapi.examples.example import TRACKED_DOMAIN_ID, Example, envelope, page
from sightline.competitors.schemas import ReviewedCompetitor, TrackedCompetitor

_ID = UUID("01990f67-1c35-7e08-b6d2-94a7c05e3f18")
PATH_IDS: Mapping[str, str] = {"competitor_id": str(_ID)}


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
    id=UUID("01990f66-5b0b-7a62-8d4e-30f9b71c25e6"),
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

EXAMPLES: Mapping[str, Example] = {
    "list_competitors": Example(page(_DETECTED, _ADDED)),
    "read_competitor": Example(envelope(_DETECTED)),
    "list_suggested_competitors": Example(page(_SUGGESTED)),
    "dismiss_domain_competitor": Example(envelope(msgspec.structs.replace(_SUGGESTED, status="dismissed"))),
}
