"""The review of a tracked domain's own site."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.domains.tracking.read import read_tracked_domain
from sightline.insights import reviewed_site as insights
from sightline.kit.ids import parse_id
from sightline.site_review import manage
from sightline.site_review.request import request_review
from sightline.site_review.schemas import (
    IgnoreInput,
    SiteFinding,
    SiteReview,
    to_site_finding,
    to_site_review,
)

RESOURCE = Resource(
    "data",
    "Site review",
    "Whether answers can read and cite the brand's own pages. After a Full Check with live answers, once a week, "
    "up to 60 pages of the site are read.",
    {"site_review": "The review of the own site of a tracked domain"},
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/site-review",
    summary="Read the site review",
    sdk="site_review.retrieve",
    data_api="insights",
    problems=("domain_not_found",),
)
async def read_site_review(exchange: Exchange, domain_id: str) -> Envelope[SiteReview]:
    """Return the latest review: its pages, what AI agents may read, and what was not checked and why."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    latest = await manage.read_latest_review(exchange.db, exchange.actor.workspace_id, domain.id)
    return Envelope(to_site_review(latest))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/site-review",
    summary="Start a site review",
    sdk="site_review.start",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found", "site_review_too_soon", "site_review_without_check"),
)
async def start_site_review(exchange: Exchange, domain_id: str) -> Envelope[SiteReview]:
    """Start a review of the site now, at most once a day. It takes a few minutes.

    The pages are those that the latest Full Check with live answers cites.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    await request_review(exchange.tx, exchange.actor, domain.id, now=exchange.now)
    latest = await manage.read_latest_review(exchange.tx, exchange.actor.workspace_id, domain.id)
    return Envelope(to_site_review(latest))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/site-review/findings",
    summary="List site findings",
    sdk="site_review.list_findings",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_site_findings(exchange: Exchange, domain_id: str) -> Page[SiteFinding]:
    """List what the reviews found, 50 per page: open findings first, the most important first."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.site_findings:{domain.id}")
    rows = await manage.list_findings(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows.map(to_site_finding))


@RESOURCE.operation(
    "POST",
    "/domains/{domain_id}/site-review/findings/{finding_id}/ignore",
    summary="Ignore a site finding",
    sdk="site_review.ignore_finding",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=IgnoreInput,
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def ignore_site_finding(exchange: Exchange, domain_id: str, finding_id: str) -> Envelope[SiteFinding]:
    """Ignore a finding in this and every later review. Ignoring it again changes the reason."""
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    reason = exchange.decode_body(IgnoreInput).reason
    row = await insights.ignore_site_finding(
        exchange.tx, exchange.actor, domain.id, parse_id(finding_id), reason, now=exchange.now
    )
    return Envelope(to_site_finding(row))


@RESOURCE.operation(
    "DELETE",
    "/domains/{domain_id}/site-review/findings/{finding_id}/ignore",
    summary="Reopen a site finding",
    sdk="site_review.reopen_finding",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def reopen_site_finding(exchange: Exchange, domain_id: str, finding_id: str) -> Envelope[SiteFinding]:
    """Open an ignored finding again. If it is not ignored, nothing changes."""
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    return Envelope(
        to_site_finding(
            await insights.reopen_site_finding(exchange.tx, exchange.actor, domain.id, parse_id(finding_id))
        )
    )
