"""Schemas of Console domains and tracked domains in the APIs."""

import uuid
from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.accounts.models import LIVEMODE_MEANING
from sightline.domains import models
from sightline.kit.clock import Timestamp, to_iso, to_iso_or_none
from sightline.kit.examples import CONSOLE_DOMAIN_ID, TRACKED_DOMAIN_ID, Example
from sightline.kit.rounding import round_half_away_or_none
from sightline.metrics.figure import VISIBILITY_SCORE_MEANING

Name = Annotated[str, Meta(min_length=1, max_length=200)]
DomainName = Annotated[str, Meta(min_length=1, max_length=2_048)]


class CompetitorInput(msgspec.Struct, frozen=True):
    """A competitor: its domain, and optionally the name to look for in answers."""

    domain: Annotated[DomainName, Meta(description="Host name or URL.")]
    name: Annotated[
        Name | None,
        Meta(
            description="Name to look for in answers. The default is the first part of the domain with a capital "
            "letter: `Initech` for `initech.com`."
        ),
    ] = None


MAX_ALIASES = 50
Aliases = Annotated[list[Name], Meta(max_length=MAX_ALIASES)]
MAX_OWNED_DOMAINS = 50
OwnedDomains = Annotated[list[DomainName], Meta(max_length=MAX_OWNED_DOMAINS)]
Competitors = Annotated[list[DomainName | CompetitorInput], Meta(max_length=20)]


class DomainChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """Changes to a domain. A field that you leave out does not change; a list replaces the old list."""

    brand_name: Annotated[Name | msgspec.UnsetType, Meta(description="Name to look for in answers.")] = msgspec.UNSET
    aliases: Annotated[Aliases | msgspec.UnsetType, Meta(description="Other names of the brand.")] = msgspec.UNSET
    owned_domains: Annotated[
        OwnedDomains | msgspec.UnsetType,
        Meta(description="Other domains of the brand. Citations of them count as citations of the brand."),
    ] = msgspec.UNSET
    competitors: Annotated[
        Competitors | msgspec.UnsetType,
        Meta(
            description="Competitors that the brand is ranked against (Market Position), each as a domain or as an "
            "object with a name."
        ),
    ] = msgspec.UNSET


class DomainInput(DomainChanges, frozen=True, omit_defaults=True, kw_only=True):
    """A domain to register. Only `domain` is required."""

    domain: Annotated[
        DomainName,
        Meta(description="Host name or URL. It is reduced to its host in lower case, without a leading `www`."),
    ]


class Domain(msgspec.Struct, frozen=True):
    """A Console domain, which you can submit scans for. Its metrics are those of its latest completed scan."""

    id: Annotated[uuid.UUID, Meta(description="Id of the domain, used as `domain_id`.")]
    domain: Annotated[str, Meta(description="Host name in lower case, without a leading `www`.")]
    status: Annotated[str, Meta(description="Always `active`.")]
    livemode: Annotated[bool, Meta(description=LIVEMODE_MEANING)]
    brand_name: Annotated[str, Meta(description="Name to look for in answers.")]
    aliases: Annotated[list[str], Meta(description="Other names of the brand.")]
    owned_domains: Annotated[
        list[str], Meta(description="Other domains of the brand. Citations of them count as citations of the brand.")
    ]
    competitors: Annotated[
        list[models.Competitor], Meta(description="Competitors that the brand is ranked against (Market Position).")
    ]
    created_at: Annotated[Timestamp, Meta(description="When the domain was registered.")]
    latest_visibility_score: Annotated[
        float | None,
        Meta(description=f"{VISIBILITY_SCORE_MEANING}. From the last completed scan. Null if not measured."),
    ]
    latest_brand_coverage_pct: Annotated[
        float | None, Meta(description="Share of answers that name the brand, in percent. Null if not measured.")
    ]
    latest_market_position: Annotated[
        int | None,
        Meta(
            description="Rank among the competitors, 1 is best. Null without competitors, if no answer names or cites "
            "the brand, or if not measured."
        ),
    ]
    last_scan_at: Annotated[Timestamp | None, Meta(description="When the last scan ran. Null before the first one.")]
    scan_count: Annotated[int, Meta(description="Number of scans.")]


def to_domain(row: models.ConsoleDomainRow) -> Domain:
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
    """A domain that the workspace tracks. The `latest_*` fields are its current figures; null if not measured."""

    id: Annotated[uuid.UUID, Meta(description="Id of the domain, used as `domain_id`.")]
    domain: Annotated[str, Meta(description="Host name in lower case, without a leading `www`.")]
    brand_name: Annotated[str, Meta(description="Name to look for in answers.")]
    aliases: Annotated[list[str], Meta(description="Other names of the brand.")]
    owned_domains: Annotated[
        list[str], Meta(description="Other domains of the brand. Citations of them count as citations of the brand.")
    ]
    status: Annotated[str, Meta(description="`setup` until the setup is complete, then `active`.")]
    platforms: Annotated[list[str], Meta(description="Keys of the platforms that its checks run on.")]
    latest_visibility_score: Annotated[
        float | None, Meta(description=f"{VISIBILITY_SCORE_MEANING}. Null if not measured.")
    ]
    latest_brand_coverage_pct: Annotated[
        float | None, Meta(description="Share of answers that name the brand, in percent. Null if not measured.")
    ]
    latest_ai_mentions: Annotated[
        int | None, Meta(description="Number of answers that name the brand. Null if not measured.")
    ]
    latest_market_position: Annotated[
        int | None,
        Meta(
            description="Rank among the competitors, 1 is best. Null without competitors, if no answer names or cites "
            "the brand, or if not measured."
        ),
    ]
    last_full_check_at: Annotated[
        Timestamp | None, Meta(description="When the last Full Check completed. Null before the first one.")
    ]
    last_daily_check_at: Annotated[
        Timestamp | None, Meta(description="When the last Daily Check completed. Null before the first one.")
    ]
    next_check_at: Annotated[Timestamp | None, Meta(description="When the next check is due. Null if none is planned.")]
    next_check_scope: Annotated[str | None, Meta(description="`full_check` or `daily_check`. Null if none is planned.")]
    prompt_count: Annotated[int, Meta(description="Number of active prompts.")]
    pinned_count: Annotated[int, Meta(description="Number of pinned prompts, which every Daily Check asks.")]
    competitor_count: Annotated[int, Meta(description="Number of confirmed competitors.")]
    created_at: Annotated[Timestamp, Meta(description="When the domain was added.")]
    client_id: Annotated[uuid.UUID | None, Meta(description="Id of the client that it belongs to. Null for none.")] = (
        None
    )


def to_tracked_domain(row: models.TrackedDomainRow) -> TrackedDomain:
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
        row.client_id,
    )


# Examples

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
    competitors=[models.Competitor("globex.com", "Globex"), models.Competitor("initech.com")],
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

PATH_IDS = {"console": {"domain_id": str(CONSOLE_DOMAIN_ID)}, "data": {"domain_id": str(TRACKED_DOMAIN_ID)}}

EXAMPLES = {
    "list_domains": Example([_DOMAIN], next_cursor=_CURSOR),
    "register_domain": Example(
        _NEW_DOMAIN,
        {
            "domain": "https://www.acme.com/",
            "brand_name": "Acme",
            "aliases": ["Acme Anvils"],
            "owned_domains": ["acme.io"],
            "competitors": [{"domain": "globex.com", "name": "Globex"}, "initech.com"],
        },
    ),
    "read_domain": Example(_DOMAIN),
    "change_domain": Example(_DOMAIN, {"aliases": ["Acme Anvils"], "owned_domains": ["acme.io"]}),
    "list_tracked_domains": Example([_TRACKED]),
    "read_tracked_domain": Example(_TRACKED),
}
