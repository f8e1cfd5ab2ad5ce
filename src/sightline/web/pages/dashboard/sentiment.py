"""How Full Checks find the brand rated, check by check, and the themes that answers repeat."""

from collections.abc import Sequence

from starlette.responses import Response

from sightline.answers.plain_text import strip_markdown
from sightline.errors import Problem
from sightline.insights.editor.read import read_edition
from sightline.insights.editor.sorting import list_sortable
from sightline.insights.read import read_themes, read_unread_languages
from sightline.insights.schemas.themes import Theme
from sightline.plans.table import PLANS_WITH_THEMES, has_themes
from sightline.presentation.language import gettext
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import format_signed
from sightline.presentation.phrases import describe_theme_change, describe_unread_themes
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.breakdowns.read import read_ratings
from sightline.web.filter_bar import open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.evidence_links import AnswerLinks, EvidenceLink, link_evidence
from sightline.web.pages.dashboard.share_charts import WHY_NOT_COMPARED
from sightline.web.routing import page

_MAX_CHECKS = 12


@page("/w/{workspace}/d/{domain}/sentiment")
async def sentiment_page(request: PageRequest, workspace: str, domain: str, done: str = "") -> Response:
    return await render_sentiment(request, await open_domain(request, workspace, domain), done=done)


async def render_sentiment(
    request: PageRequest, ctx: PageContext, *, done: str = "", problem: Problem | None = None
) -> Response:
    """Render the page. Only Full Checks rate answers, so Daily Checks do not change what it shows."""
    assert ctx.domain is not None
    db, actor = ctx.db, ctx.actor
    bar = await open_filter_bar(request, ctx, "sentiment")
    shown, noted = await read_bar_board(ctx, bar, without_later=True)
    themed = has_themes(actor.plan)
    themes = await read_themes(db, actor.workspace_id, ctx.domain.id) if themed else []
    unread = await read_unread_languages(db, actor.workspace_id, ctx.domain.id) if themed else []
    counted = AnswerFilter(**bar.filter.part)
    checks = await read_ratings(db, actor.workspace_id, ctx.domain, counted, bar.filter.find_period(ctx.now))
    sentiment = shown.board.sentiment
    edition = await read_edition(db, actor.workspace_id, ctx.domain.id)
    return render_page(
        ctx,
        "app/sentiment.html",
        section="sentiment",
        title=gettext("Sentiment and themes"),
        bar=noted.ignoring("against", why=gettext(WHY_NOT_COMPARED)),
        shown=shown,
        sentiment=sentiment,
        checks=checks[: -_MAX_CHECKS - 1 : -1],
        links=AnswerLinks(ctx.path("answers"), counted),
        themed=themed,
        themed_plans=join_names([plan.capitalize() for plan in ctx.app_context.plans if plan in PLANS_WITH_THEMES]),
        themes=list(zip(themes, await _link_quotes(ctx, themes), strict=True)),
        most=max((theme.answers for theme in themes), default=1),
        edition=edition,
        codebook={theme.id: theme for theme in list_sortable(edition.codebook)},
        done=gettext("Theme saved.") if done == "theme" else None,
        problem=problem,
        unread=describe_unread_themes([each.language_code for each in unread]),
        describe_theme_change=describe_theme_change,
        format_signed=format_signed,
        strip_markdown=strip_markdown,
    )


async def _link_quotes(ctx: PageContext, themes: Sequence[Theme]) -> list[tuple[str, EvidenceLink | None]]:
    """Return the first quote of each theme with a link to its answer, which older themes do not name."""
    refs = [[(theme.scan_id, quote.answer_id) for quote in theme.quotes[:1]] for theme in themes]
    found = await link_evidence(ctx, refs)
    return [(theme.quote, next(iter(each.links), None)) for theme, each in zip(themes, found, strict=True)]
