"""What each field means, in the words of the reference. `Resource.field` wins over `field`.

A test proves that every documented field has a meaning here, and that nothing here is left over.
"""

from collections.abc import Mapping

from sightline.api.openapi.topics import competitors, insights, prompts, reports, scans, tracking, webhooks
from sightline.api.openapi.topics import credits as credit_topics

_ENVELOPE = {
    "data": "The resource, or the rows of this page.",
    "meta": "About this response.",
    "request_id": "The same value as the header `X-Request-Id`.",
    "has_more": "Whether another page follows.",
    "next_cursor": "Pass it as `cursor` for the next page; null on the last one.",
}

_SHARED = {
    "id": "UUIDv7.",
    "created_at": "When it was created.",
    "livemode": "False for what test keys made; test and live data never mix.",
    "deleted": "Always true.",
    "plan": "The workspace's plan.",
    "role": "The person's role in this workspace.",
    "name": "Display name.",
    "user": "The person.",
}

_PEOPLE = {
    "email": "The address to sign in with.",
    "password": "At least 10 characters.",
    "Credentials.password": "The password.",
    "csrf_token": "Send it as `X-CSRF-Token` with writes by session.",
    "expires_at": "When the session ends.",
    "workspaces": "The workspaces that the person is a member of.",
    "SessionWorkspace.id": "Send it as `X-Workspace-Id` to act in this workspace.",
    "billing": "Whether the person has billing permission.",
    "is_payer": "Whether the person pays for the workspace.",
}

_ACCOUNT = {
    "company": "Legal name for invoices.",
    "billing_email": "Where invoices go.",
    "website": "An http or https URL.",
    "timezone": "A name of the IANA time zone database, such as `Europe/Berlin`.",
    "token": "The one-time bootstrap token that `sightline serve` prints.",
    "workspace_name": "Name of the workspace to create.",
    "BootstrapInput.name": "Your name; may stay empty.",
    "workspace": "The workspace, with its profile.",
    "keys": "The first keys, one of each kind; empty when the user existed before.",
}

_KEYS = {
    "Key.id": "Names the key when you revoke it.",
    "kind": "`console` keys open the Console API, `data` keys the Data API.",
    "mode": "`live` or `test`. Data keys are always live.",
    "KeyInput.mode": "Left out: the mode of the caller.",
    "scopes": "Data keys: `read` always, `write` where granted. Console keys have none.",
    "KeyInput.scopes": "For Data keys: add `write` to let the key change things.",
    "KeyInput.name": "What you call the key.",
    "last_four": "The end of the key, to tell keys apart.",
    "created_by": "The member who minted it. The key acts with this member's present role.",
    "last_used_at": "When the key was last used; null when never.",
    "revoked_at": "When the key was revoked; null while it works.",
    "key": "The full key, shown this once; null in a replay.",
}

_USAGE = {
    "last_hour": "Requests in the last 60 minutes.",
    "last_24h": "Requests in the last 24 hours.",
    "month_to_date": "Requests since the start of the calendar month, UTC.",
    "error_rate_24h_pct": "Share of the last 24 hours' requests that were answered with 4xx or 5xx, in percent; null "
    "without requests.",
    "as_of": "When the figures were computed.",
}

_PLATFORMS = {
    "Platform.key": "The value to use in `platforms`.",
    "Platform.company": "Maker of the platform.",
    "enabled": "Whether a check may ask it: connected (or answered by the sandbox) and not paused.",
    "min_tier": "The smallest plan whose dashboard checks include it. Does not restrict Console checks.",
    "available_as_addon": "Whether a smaller plan can add it. Does not restrict Console checks.",
}

_DOMAINS = {
    "Domain.id": "Used as `domain_id`.",
    "TrackedDomain.id": "Used as `domain_id`.",
    "domain": "Host name in lower case, `www.` removed.",
    "DomainInput.domain": "A host name or URL; it is reduced to its host, in lower case, `www.` removed.",
    "CompetitorInput.domain": "A host name or URL.",
    "Domain.status": "`active`.",
    "TrackedDomain.status": "`setup` or `active`.",
    "brand_name": "The name to look for in answers.",
    "DomainInput.brand_name": "The name to look for in answers. Left out: the first label of the domain.",
    "aliases": "Other names of the brand.",
    "owned_domains": "Other domains of the brand: citations of them count as its own.",
    "competitors": "Rivals that Market Position is measured against, by domain or as an object with a name.",
    "Domain.competitors": "Rivals that Market Position is measured against.",
    "Competitor.name": "The name to look for in answers; null when none was given.",
    "CompetitorInput.name": "The name to look for in answers.",
    "platforms": "Keys of the platforms that its checks run on.",
    "latest_visibility_score": "Visibility Score, 0 to 100; null when not measured.",
    "latest_brand_coverage_pct": "Share of answers that name the brand, in percent; null when not measured.",
    "latest_ai_mentions": "Number of answers that name the brand; null when not measured.",
    "latest_market_position": "Rank among the competitors, 1 is best; null without competitors or when not measured.",
    "last_scan_at": "When the last check ran; null when none has.",
    "scan_count": "Number of checks.",
    "last_full_check_at": "When the last Full Check completed; null when none has.",
    "last_daily_check_at": "When the last Daily Check completed; null when none has.",
    "next_check_at": "When the next check is due; null when none is planned.",
    "next_check_scope": "`full_check` or `daily_check`; null when none is planned.",
    "prompt_count": "Number of active prompts.",
    "pinned_count": "Number of pinned prompts.",
    "competitor_count": "Number of confirmed competitors.",
}

MEANINGS: Mapping[str, str] = {
    **_ENVELOPE,
    **_SHARED,
    **_PEOPLE,
    **_ACCOUNT,
    **_KEYS,
    **_USAGE,
    **_PLATFORMS,
    **_DOMAINS,
    **scans.MEANINGS,
    **credit_topics.MEANINGS,
    **webhooks.MEANINGS,
    **tracking.MEANINGS,
    **prompts.MEANINGS,
    **competitors.MEANINGS,
    **reports.MEANINGS,
    **insights.MEANINGS,
}
