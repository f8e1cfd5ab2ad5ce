"""How the reference speaks of competitors."""

from collections.abc import Mapping
from uuid import UUID

from sightline.api.edge.envelope import Meta, One, Page, PageMeta
from sightline.api.openapi.example import REQUEST_ID, Example
from sightline.competitors.schemas import TrackedCompetitor

TAGS: Mapping[str, str] = {
    "Data: Competitors": "Whom a tracked domain is measured against: those that somebody in the workspace confirmed.",
}

_ID = UUID("01990f67-1c35-7e08-b6d2-94a7c05e3f18")
_DOMAIN_ID = UUID("01990f66-5b08-7d90-a1f4-e27c3b96084d")
PATH_IDS: Mapping[str, str] = {"competitor_id": str(_ID)}

MEANINGS: Mapping[str, str] = {
    "TrackedCompetitor.id": "Names the competitor as `competitor_id`.",
    "TrackedCompetitor.domain_id": "The tracked domain that it belongs to.",
    "competitor_domain": "The competitor's domain.",
    "display_name": "The name that the competitor's own site declares, or null. Never inferred from the domain.",
    "discovery_source": "`added_by_you`: entered by someone in the workspace. `detected`: found in AI answers.",
    "user_confirmed": "Always true: only confirmed competitors are listed.",
    "discovered_at": "When it was first found.",
    "last_updated": "When the record last changed. The list is sorted by it, newest first.",
}

_DETECTED = TrackedCompetitor(
    id=_ID,
    domain_id=_DOMAIN_ID,
    competitor_domain="globex.com",
    display_name="Globex",
    discovery_source="detected",
    user_confirmed=True,
    discovered_at="2026-11-03T06:41:09.530118+00:00",
    last_updated="2026-11-12T14:20:55.781004+00:00",
)
_ADDED = TrackedCompetitor(
    id=UUID("01990f66-5b0b-7a62-8d4e-30f9b71c25e6"),
    domain_id=_DOMAIN_ID,
    competitor_domain="initech.com",
    display_name=None,
    discovery_source="added_by_you",
    user_confirmed=True,
    discovered_at="2026-11-02T08:16:02.090377+00:00",
    last_updated="2026-11-02T08:16:02.090377+00:00",
)

EXAMPLES: Mapping[str, Example] = {
    "list_competitors": Example(
        Page([_DETECTED, _ADDED], PageMeta(has_more=False, next_cursor=None, request_id=REQUEST_ID))
    ),
    "read_competitor": Example(One(_DETECTED, Meta(REQUEST_ID))),
}
