"""Examples of Console domains and tracked domains."""

from collections.abc import Mapping

import msgspec

from sightline.api.openapi.examples.example import (
    CONSOLE_DOMAIN_ID,
    TRACKED_DOMAIN_ID,
    Example,
    envelope,
    page,
)
from sightline.api.schemas import Removed
from sightline.domains.models import Competitor
from sightline.domains.schemas import Domain, TrackedDomain

_CREATED_AT = "2026-08-17T08:15:30.204117+00:00"

_REGISTERED_AT = "2026-11-02T08:22:10.118240+00:00"

_CHECKED_AT = "2026-11-14T09:30:00.123456+00:00"

_CURSOR = "mJ8wq2V0cR5uT1xKfYbD3lsiMjAyNi0xMS0wMlQwODoyMjoxMC4xMTgyNDArMDA6MDAiXQ"

_DOMAIN = Domain(
    id=CONSOLE_DOMAIN_ID,
    domain="acme.com",
    status="active",
    livemode=False,
    brand_name="Acme",
    aliases=["Acme Anvils"],
    owned_domains=["acme.io"],
    competitors=[Competitor("globex.com", "Globex"), Competitor("initech.com")],
    created_at=_REGISTERED_AT,
    latest_visibility_score=46.3,
    latest_brand_coverage_pct=58.0,
    latest_market_position=2,
    last_scan_at=_CHECKED_AT,
    scan_count=7,
)

_NEW_DOMAIN = msgspec.structs.replace(
    _DOMAIN,
    latest_visibility_score=None,
    latest_brand_coverage_pct=None,
    latest_market_position=None,
    last_scan_at=None,
    scan_count=0,
)

_TRACKED = TrackedDomain(
    id=TRACKED_DOMAIN_ID,
    domain="acme.com",
    brand_name="Acme",
    aliases=["Acme Anvils"],
    owned_domains=["acme.io"],
    status="active",
    platforms=["chatgpt", "gemini", "perplexity", "google_ai_overviews"],
    latest_visibility_score=44.8,
    latest_brand_coverage_pct=55.5,
    latest_ai_mentions=111,
    latest_market_position=2,
    last_full_check_at="2026-11-09T08:31:44.902613+00:00",
    last_daily_check_at="2026-11-14T08:30:51.377020+00:00",
    next_check_at="2026-11-15T08:30:00.000000+00:00",
    next_check_scope="daily_check",
    prompt_count=50,
    pinned_count=6,
    competitor_count=4,
    created_at=_CREATED_AT,
)

EXAMPLES: Mapping[str, Example] = {
    "list_domains": Example(page(_DOMAIN, next_cursor=_CURSOR)),
    "register_domain": Example(
        envelope(_NEW_DOMAIN),
        {
            "domain": "https://www.acme.com/",
            "brand_name": "Acme",
            "aliases": ["Acme Anvils"],
            "owned_domains": ["acme.io"],
            "competitors": [{"domain": "globex.com", "name": "Globex"}, "initech.com"],
        },
    ),
    "read_domain": Example(envelope(_DOMAIN)),
    "change_domain": Example(envelope(_DOMAIN), {"aliases": ["Acme Anvils"], "owned_domains": ["acme.io"]}),
    "remove_domain": Example(envelope(Removed(CONSOLE_DOMAIN_ID, deleted=True))),
    "list_tracked_domains": Example(page(_TRACKED)),
    "read_tracked_domain": Example(envelope(_TRACKED)),
}
