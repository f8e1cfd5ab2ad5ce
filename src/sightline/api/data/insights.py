"""Findings of the checks of a tracked domain: changes, alerts, themes, opportunities, recommendations."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.domains.tracking.read import read_tracked_domain
from sightline.insights import read
from sightline.insights.alerts.schemas import Alert
from sightline.insights.findings.read import read_latest_changes, read_latest_findings
from sightline.insights.findings.schemas import LatestChanges, LatestFindings
from sightline.insights.recommendations.done_actions import read_done_action
from sightline.insights.recommendations.schemas import (
    DoneInput,
    DoneRecommendation,
    Recommendation,
    ReopenedRecommendation,
    to_done_recommendation,
)
from sightline.insights.recommendations.tasks import mark_done, mark_open
from sightline.insights.schemas.opportunities import Opportunity
from sightline.insights.schemas.themes import Theme
from sightline.kit.ids import parse_id

RESOURCE = Resource(
    "data",
    "Insights",
    "What checks found, with the answers that support each finding: alerts after Daily Checks, and Brand "
    "Themes and opportunities after Full Checks.",
    {
        "alerts": "Alerts of a tracked domain",
        "edition": "Who edited the insights of a tracked domain, and its market",
        "themes": "Brand Themes of a tracked domain",
        "opportunities": "Prompts on which competitors are named and the brand is not",
        "changes": "What changed between the two latest Full Checks of a tracked domain",
        "findings": "What is worth saying about a tracked domain now",
    },
)
RECOMMENDATIONS = Resource(
    "data",
    "Recommendations",
    "Actions that the answers of a Full Check suggest, each with these answers, and what became of those that you "
    "marked as done.",
    {"recommendations": "Recommended actions for a tracked domain"},
)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/alerts",
    summary="List alerts",
    sdk="alerts.list",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_alerts(exchange: Exchange, domain_id: str) -> Page[Alert]:
    """List alerts about changes between Daily Checks, newest first, 50 per page.

    An alert says that answers name the brand less or more often, or a competitor more often. In the state `watch`, it
    waits for the next Daily Check to confirm it. Members are notified of confirmed alerts only.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.alerts:{domain.id}")
    rows = await read.list_alerts(
        exchange.db,
        exchange.actor.workspace_id,
        domain.id,
        domain.brand_name,
        after=paging.after_time_and_id,
        page_size=paging.size,
    )
    return paging.page(rows)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/themes",
    summary="List Brand Themes",
    sdk="themes.list",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_themes(exchange: Exchange, domain_id: str) -> Page[Theme]:
    """List what the answers of the latest Full Check praise and criticize about the brand.

    What sets the brand apart comes first, then criticism, then the most frequent themes. `unread_themes` in the
    analytics lists the languages for which themes are not available.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.themes:{domain.id}")
    rows = await read.list_themes(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows)


@RECOMMENDATIONS.operation(
    "GET",
    "/domains/{domain_id}/recommendations",
    summary="List recommendations",
    sdk="recommendations.list",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_recommendations(exchange: Exchange, domain_id: str) -> Page[Recommendation]:
    """List what to do after the latest Full Check, one row for each action, 50 per page.

    What a site review found comes first, then the largest expected effect. Each row has the answers that support it.
    If nothing in the answers calls for action, one row says so.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.recommendations:{domain.id}")
    rows = await read.list_recommendations(
        exchange.db,
        exchange.actor.workspace_id,
        domain.id,
        domain.brand_name,
        after=paging.after,
        page_size=paging.size,
    )
    return paging.page(rows)


@RECOMMENDATIONS.operation(
    "GET",
    "/domains/{domain_id}/recommendations/done",
    summary="List completed recommendations",
    sdk="recommendations.list_done",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_done_recommendations(exchange: Exchange, domain_id: str) -> Page[DoneRecommendation]:
    """List the actions that are marked as done, newest first, 50 per page, each with its measured effect.

    An action stays in this list even if later Full Checks no longer recommend it.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.recommendations.done:{domain.id}")
    rows = await read.list_done_recommendations(
        exchange.db,
        exchange.actor.workspace_id,
        domain.id,
        domain.brand_name,
        after=paging.after,
        page_size=paging.size,
    )
    return paging.page(rows)


@RECOMMENDATIONS.operation(
    "POST",
    "/domains/{domain_id}/recommendations/{recommendation_key}/done",
    summary="Mark a recommendation as done",
    sdk="recommendations.mark_done",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=DoneInput,
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def mark_recommendation_done(
    exchange: Exchange, domain_id: str, recommendation_key: str
) -> Envelope[DoneRecommendation]:
    """Mark an action as done, now or at an earlier time. From then on, Full Checks measure whether it worked.

    If the action is already marked, only `done_at` changes, and only if you send it. Returns 404 for an
    action that the latest Full Check does not recommend and that nobody has marked.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    payload = exchange.decode_body(DoneInput)
    marked = await mark_done(
        exchange.tx, exchange.actor, domain.id, recommendation_key, now=exchange.now, done_at=payload.done_at
    )
    done = await read_done_action(exchange.tx, exchange.actor.workspace_id, domain.id, marked)
    return Envelope(to_done_recommendation(done, domain.brand_name))


@RECOMMENDATIONS.operation(
    "DELETE",
    "/domains/{domain_id}/recommendations/{recommendation_key}/done",
    summary="Reopen a recommendation",
    sdk="recommendations.reopen",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found",),
)
async def reopen_recommendation(
    exchange: Exchange, domain_id: str, recommendation_key: str
) -> Envelope[ReopenedRecommendation]:
    """Mark an action as not done. This deletes its `done_at` and its measured effect.

    If the action is not marked, nothing changes.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    await mark_open(exchange.tx, exchange.actor, domain.id, recommendation_key)
    return Envelope(ReopenedRecommendation(recommendation_key, done=False))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/opportunities",
    summary="List opportunities",
    sdk="opportunities.list",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_opportunities(exchange: Exchange, domain_id: str) -> Page[Opportunity]:
    """List prompts for which answers name other brands but not yours, 50 per page, highest score first."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.{read.OPPORTUNITIES}:{domain.id}")
    rows = await read.list_opportunities(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows)


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/changes",
    summary="Read what changed",
    sdk="changes.retrieve",
    data_api="insights",
    problems=("domain_not_found",),
)
async def read_changes(exchange: Exchange, domain_id: str) -> Envelope[LatestChanges]:
    """Return what changed between the two latest Full Checks.

    `summary` states it in one to three sentences, as in the findings. A prompt is compared on the platforms that have a
    valid answer in both checks, and only significant changes count as established. The response also contains the
    prompts whose winner has changed, and the new and lost sources of each platform.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    return Envelope(await read_latest_changes(exchange.db, exchange.actor.workspace_id, domain))


@RESOURCE.operation(
    "GET",
    "/domains/{domain_id}/findings",
    summary="Read the findings",
    sdk="findings.retrieve",
    data_api="insights",
    problems=("domain_not_found",),
)
async def read_findings(exchange: Exchange, domain_id: str) -> Envelope[LatestFindings]:
    """Return what is worth saying about a domain now, in the order of importance, with a headline.

    Findings are changes since the previous Full Check, over four weeks and over twelve weeks, confirmed alerts,
    measured effects of completed actions, and new and lost sources. Each tells an event once, and its tier says how
    sure it is.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    return Envelope(await read_latest_findings(exchange.db, exchange.actor.workspace_id, domain))
