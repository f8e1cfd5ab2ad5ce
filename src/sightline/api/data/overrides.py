"""What people correct in the insights of a tracked domain: its market, its themes, rivals and actions.

Later editions build on it.
"""

from sightline.accounts.models import Role
from sightline.api.data.competitors import RESOURCE as COMPETITORS
from sightline.api.data.insights import RECOMMENDATIONS
from sightline.api.data.insights import RESOURCE as INSIGHTS
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.competitors import review
from sightline.competitors.schemas import ReviewedCompetitor, to_reviewed_competitor
from sightline.domains.tracking.read import read_tracked_domain
from sightline.insights.editor.overrides import change_theme, correct_market, forget_market
from sightline.insights.editor.read import read_edition
from sightline.insights.recommendations.dismissals import dismiss_action, list_dismissed_actions, restore_action
from sightline.insights.recommendations.schemas import (
    DismissedRecommendation,
    DismissInput,
    RestoredRecommendation,
    to_dismissed_recommendation,
)
from sightline.insights.schemas.edition import (
    CodebookEntry,
    EditionSummary,
    MarketInput,
    ThemeChanges,
    to_codebook_entry,
    to_edition_summary,
)
from sightline.kit.ids import parse_id


@INSIGHTS.operation(
    "GET",
    "/domains/{domain_id}/edition",
    summary="Read who edited the insights",
    sdk="edition.retrieve",
    data_api="insights",
    problems=("domain_not_found",),
)
async def read_domain_edition(exchange: Exchange, domain_id: str) -> Envelope[EditionSummary]:
    """Return which language model edited the insights of the latest Full Check, the market, and the themes.

    The model names competitors, sorts themes, words actions and proposes prompts. It changes no figure.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    return Envelope(to_edition_summary(await read_edition(exchange.db, exchange.actor.workspace_id, domain.id)))


@INSIGHTS.operation(
    "PATCH",
    "/domains/{domain_id}/market",
    summary="Correct the market",
    sdk="edition.correct_market",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=MarketInput,
    idempotency="required",
    problems=("domain_not_found",),
)
async def correct_domain_market(exchange: Exchange, domain_id: str) -> Envelope[EditionSummary]:
    """Say what is sold in the market of the domain. Your words win over the editor's in later Full Checks."""
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    row = await correct_market(exchange.tx, exchange.actor, domain.id, exchange.decode_body(MarketInput))
    return Envelope(to_edition_summary(row))


@INSIGHTS.operation(
    "DELETE",
    "/domains/{domain_id}/market",
    summary="Forget the market",
    sdk="edition.forget_market",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found",),
)
async def forget_domain_market(exchange: Exchange, domain_id: str) -> Envelope[EditionSummary]:
    """Forget what is sold in the market, so that the editor is asked again after the next Full Check."""
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    return Envelope(to_edition_summary(await forget_market(exchange.tx, exchange.actor, domain.id)))


@INSIGHTS.operation(
    "PATCH",
    "/domains/{domain_id}/themes/{theme_key}",
    summary="Change a theme",
    sdk="themes.update",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=ThemeChanges,
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def change_domain_theme(exchange: Exchange, domain_id: str, theme_key: str) -> Envelope[CodebookEntry]:
    """Rename, merge, hide or pin a theme, now and in all later Full Checks.

    The answers of a merged theme move to the other one with the next Full Check. Returns 404 for a theme that is not in
    the codebook of the domain.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    changes = exchange.decode_body(ThemeChanges)
    return Envelope(to_codebook_entry(await change_theme(exchange.tx, exchange.actor, domain.id, theme_key, changes)))


@COMPETITORS.operation(
    "GET",
    "/domains/{domain_id}/competitor-suggestions",
    summary="List suggested competitors",
    sdk="competitors.list_suggested",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_suggested_competitors(exchange: Exchange, domain_id: str) -> Page[ReviewedCompetitor]:
    """List the names that answers present as competitors and that nobody has reviewed yet, 50 per page.

    The latest ones come first.
    """
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.competitors.suggested:{domain.id}")
    rows = await review.list_suggested(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_reviewed_competitor))


@COMPETITORS.operation(
    "POST",
    "/domains/{domain_id}/competitors/{competitor_id}/dismiss",
    summary="Say that a name is not a rival",
    sdk="competitors.dismiss",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def dismiss_domain_competitor(
    exchange: Exchange, domain_id: str, competitor_id: str
) -> Envelope[ReviewedCompetitor]:
    """Dismiss a suggested or confirmed competitor. It is not measured, suggested or counted as a rival again.

    Nothing changes for one that is dismissed already. A hidden one must be unhidden first (422).
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    row = await review.dismiss_competitor(
        exchange.tx, exchange.actor.workspace_id, domain.id, parse_id(competitor_id), now=exchange.now
    )
    return Envelope(to_reviewed_competitor(row))


@RECOMMENDATIONS.operation(
    "GET",
    "/domains/{domain_id}/recommendations/dismissed",
    summary="List dismissed recommendations",
    sdk="recommendations.list_dismissed",
    paged=True,
    data_api="insights",
    problems=("domain_not_found",),
)
async def list_dismissed_recommendations(exchange: Exchange, domain_id: str) -> Page[DismissedRecommendation]:
    """List the actions that are dismissed, newest first, 50 per page, each with its reason."""
    domain = await read_tracked_domain(exchange.db, exchange.actor, parse_id(domain_id))
    paging = exchange.paging(f"data.recommendations.dismissed:{domain.id}")
    rows = await list_dismissed_actions(
        exchange.db, exchange.actor.workspace_id, domain.id, after=paging.after, page_size=paging.size
    )
    return paging.page(rows.map(lambda row: to_dismissed_recommendation(row, domain.brand_name)))


@RECOMMENDATIONS.operation(
    "POST",
    "/domains/{domain_id}/recommendations/{recommendation_key}/dismiss",
    summary="Dismiss a recommendation",
    sdk="recommendations.dismiss",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    body=DismissInput,
    idempotency="required",
    problems=("domain_not_found", "not_found"),
)
async def dismiss_recommendation(
    exchange: Exchange, domain_id: str, recommendation_key: str
) -> Envelope[DismissedRecommendation]:
    """Dismiss an action with a reason. No later Full Check recommends it, until you restore it.

    Dismissing it again changes the reason. Returns 404 for an action that the latest Full Check does not recommend and
    that is not dismissed.
    """
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    reason = exchange.decode_body(DismissInput).reason
    row = await dismiss_action(exchange.tx, exchange.actor, domain.id, recommendation_key, reason, now=exchange.now)
    return Envelope(to_dismissed_recommendation(row, domain.brand_name))


@RECOMMENDATIONS.operation(
    "DELETE",
    "/domains/{domain_id}/recommendations/{recommendation_key}/dismiss",
    summary="Restore a dismissed recommendation",
    sdk="recommendations.restore",
    scope="write",
    role=Role.EDITOR,
    data_api="write",
    idempotency="required",
    problems=("domain_not_found",),
)
async def restore_recommendation(
    exchange: Exchange, domain_id: str, recommendation_key: str
) -> Envelope[RestoredRecommendation]:
    """Let Full Checks recommend an action again. Nothing changes for one that is not dismissed."""
    domain = await read_tracked_domain(exchange.tx, exchange.actor, parse_id(domain_id))
    await restore_action(exchange.tx, exchange.actor, domain.id, recommendation_key)
    return Envelope(RestoredRecommendation(recommendation_key, dismissed=False))
