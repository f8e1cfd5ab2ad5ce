"""Examples of the OpenAPI document. Responses are made of the real types, so that they change with them or fail."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

from sightline.accounts.models import Role
from sightline.accounts.schemas import Account, Session, SessionUser, SessionWorkspace, SignedOut
from sightline.api.edge.envelope import Meta, One, Page, PageMeta
from sightline.api.edge.operations import Front
from sightline.api.openapi.example import REQUEST_ID, WORKSPACE_ID, Example
from sightline.api.openapi.topics import competitors, insights, prompts, reports, scans, tracking, webhooks
from sightline.api.openapi.topics import credits as credit_topics
from sightline.api.schemas import Removed
from sightline.api_keys.schemas import Key, MintedKey
from sightline.domains.models import Competitor
from sightline.domains.schemas import Domain, TrackedDomain
from sightline.onboarding.schemas import Bootstrap, BootstrapUser
from sightline.plans.table import Plan
from sightline.platforms.catalog import PLATFORMS
from sightline.usage.schemas import UsageFigures

_USER_ID = UUID("01990f64-10a9-7b11-8f27-0c5be6a4d913")
_DOMAIN_ID = UUID("01990f6a-2c40-7b3e-9d51-6f0a8c2e4b17")
_KEY_IDS = (
    UUID("01990f64-10ab-7a35-9c60-4b7d28e1f5a2"),
    UUID("01990f64-10ac-7f48-8e93-d1c605b7a94f"),
    UUID("01990f64-10ad-7c0d-b25a-7e9f3416c8d0"),
)
PATH_IDS: Mapping[Front, Mapping[str, str]] = {
    "console": {
        "domain_id": str(_DOMAIN_ID),
        "key_id": str(_KEY_IDS[0]),
        **scans.PATH_IDS,
        **credit_topics.PATH_IDS,
        **webhooks.PATH_IDS,
    },
    "data": {
        "domain_id": str(tracking.TRACKED_ID),
        **tracking.PATH_IDS,
        **prompts.PATH_IDS,
        **competitors.PATH_IDS,
        **reports.PATH_IDS,
    },
}

_FOUNDED = "2026-11-02T08:15:30.204117+00:00"
_REGISTERED = "2026-11-02T08:22:10.118240+00:00"
_CHECKED = "2026-11-14T09:30:00.123456+00:00"

_ACCOUNT = Account(
    id=UUID(WORKSPACE_ID),
    name="Acme",
    company="Acme GmbH",
    billing_email="billing@acme.com",
    website="https://acme.com",
    timezone="Europe/Berlin",
    plan=Plan.AGENCY,
    created_at=_FOUNDED,
)
_NEW_ACCOUNT = msgspec.structs.replace(
    _ACCOUNT, company=None, billing_email="owner@acme.com", website=None, timezone="UTC"
)
_SESSION = Session(
    user=SessionUser(_USER_ID, "owner@acme.com", "Acme Owner"),
    workspaces=[SessionWorkspace(UUID(WORKSPACE_ID), "Acme", Plan.AGENCY, Role.OWNER, billing=True, is_payer=True)],
    csrf_token="Zk3vT8qXr1yB5mWn0aLcPd7uEh2sJg9f",  # noqa: S106 - made up
    expires_at="2026-11-28T09:30:00.123456+00:00",
)
_DOMAIN = Domain(
    id=_DOMAIN_ID,
    domain="acme.com",
    status="active",
    livemode=True,
    brand_name="Acme",
    aliases=["Acme Anvils"],
    owned_domains=["acme.io"],
    competitors=[Competitor("globex.com", "Globex"), Competitor("initech.com")],
    created_at=_REGISTERED,
    latest_visibility_score=46.3,
    latest_brand_coverage_pct=58.0,
    latest_market_position=2,
    last_scan_at=_CHECKED,
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
    id=tracking.TRACKED_ID,
    domain="acme.com",
    brand_name="Acme",
    aliases=["Acme Anvils"],
    owned_domains=["acme.io"],
    status="active",
    platforms=["chatgpt", "gemini", "perplexity", "google_ai_overviews"],
    latest_visibility_score=44.8,
    latest_brand_coverage_pct=55.4,
    latest_ai_mentions=111,
    latest_market_position=2,
    last_full_check_at="2026-11-09T08:31:44.902613+00:00",
    last_daily_check_at="2026-11-14T08:30:51.377020+00:00",
    next_check_at="2026-11-15T08:30:00.000000+00:00",
    next_check_scope="daily_check",
    prompt_count=50,
    pinned_count=6,
    competitor_count=4,
    created_at=_FOUNDED,
)
_KEY = Key(
    id=_KEY_IDS[0],
    name="CI pipeline",
    kind="console",
    mode="live",
    scopes=[],
    last_four="f2Zx",
    created_by=_USER_ID,
    created_at=_FOUNDED,
    last_used_at=_CHECKED,
    revoked_at=None,
)


def _minted(key_id: UUID, name: str, prefix: str, scopes: list[str]) -> MintedKey:
    return MintedKey(
        id=key_id,
        name=name,
        kind="data" if prefix == "dk_live_" else "console",
        mode="test" if prefix == "sk_test_" else "live",
        scopes=scopes,
        last_four="f2Zx",
        created_by=_USER_ID,
        created_at=_FOUNDED,
        last_used_at=None,
        revoked_at=None,
        key=f"{prefix}ExampleExampleExampleExample1234Q4f2Zx",
    )


_FIRST_KEYS = [
    _minted(_KEY_IDS[0], "First live key", "sk_live_", []),
    _minted(_KEY_IDS[1], "First test key", "sk_test_", []),
    _minted(_KEY_IDS[2], "First data key", "dk_live_", ["read", "write"]),
]
_OWNER = BootstrapUser(_USER_ID, "owner@acme.com", "Acme Owner")


def _one(resource: msgspec.Struct) -> One[msgspec.Struct]:
    return One(resource, Meta(REQUEST_ID))


def _page(*rows: msgspec.Struct, next_cursor: str | None = None) -> Page[msgspec.Struct]:
    return Page(list(rows), PageMeta(next_cursor is not None, next_cursor, REQUEST_ID))


_CURSOR = "mJ8wq2V0cR5uT1xKfYbD3lsiMjAyNi0xMS0wMlQwODoyMjoxMC4xMTgyNDArMDA6MDAiXQ"
_CREDENTIALS = {"email": "owner@acme.com", "password": "correct horse battery"}

EXAMPLES: Mapping[str, Example] = {
    "create_session": Example(_one(_SESSION), _CREDENTIALS),
    "read_session": Example(_one(_SESSION)),
    "delete_session": Example(_one(SignedOut(deleted=True))),
    "read_account": Example(_one(_ACCOUNT)),
    "update_account": Example(_one(_ACCOUNT), {"company": "Acme GmbH", "timezone": "Europe/Berlin"}),
    "bootstrap_account": Example(
        _one(Bootstrap(_OWNER, _NEW_ACCOUNT, _FIRST_KEYS)),
        {"token": "bt_Jx0dEXAMPLE", **_CREDENTIALS, "name": "Acme Owner", "workspace_name": "Acme"},
        {
            200: (
                "The user existed before: nothing was changed, and no keys are shown.",
                _one(Bootstrap(_OWNER, _NEW_ACCOUNT, [])),
            )
        },
    ),
    "list_keys": Example(_page(_KEY)),
    "mint_key": Example(
        _one(_minted(_KEY_IDS[2], "Dashboard export", "dk_live_", ["read", "write"])),
        {"name": "Dashboard export", "kind": "data", "scopes": ["write"]},
    ),
    "revoke_key": Example(_one(msgspec.structs.replace(_KEY, revoked_at="2026-11-14T10:02:45.551903+00:00"))),
    "read_usage": Example(_one(UsageFigures(214, 3_870, 41_552, 1.4, _CHECKED))),
    "list_platforms": Example(_page(*PLATFORMS[:3])),
    "list_domains": Example(_page(_DOMAIN, next_cursor=_CURSOR)),
    "register_domain": Example(
        _one(_NEW_DOMAIN),
        {
            "domain": "https://www.acme.com/",
            "brand_name": "Acme",
            "aliases": ["Acme Anvils"],
            "owned_domains": ["acme.io"],
            "competitors": [{"domain": "globex.com", "name": "Globex"}, "initech.com"],
        },
    ),
    "read_domain": Example(_one(_DOMAIN)),
    "change_domain": Example(_one(_DOMAIN), {"aliases": ["Acme Anvils"], "owned_domains": ["acme.io"]}),
    "remove_domain": Example(_one(Removed(_DOMAIN_ID, deleted=True))),
    "list_tracked_domains": Example(_page(_TRACKED)),
    "read_tracked_domain": Example(_one(_TRACKED)),
    **scans.EXAMPLES,
    **credit_topics.EXAMPLES,
    **webhooks.EXAMPLES,
    **tracking.EXAMPLES,
    **prompts.EXAMPLES,
    **competitors.EXAMPLES,
    **reports.EXAMPLES,
    **insights.EXAMPLES,
}
