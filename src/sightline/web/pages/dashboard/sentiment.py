"""The sentiment of answers about the brand, and the themes they repeat."""

from collections.abc import Sequence

from litestar import Response
from litestar.params import FromPath

from sightline.answers.plain_text import strip_markdown
from sightline.insights.read import read_themes, read_unread_languages
from sightline.insights.schemas import Theme
from sightline.plans.table import PLANS_WITH_THEMES, has_themes
from sightline.presentation.phrases import UNSCORED_REASONS, describe_theme_change, describe_unread_themes
from sightline.presentation.ranges import format_range
from sightline.web.filter_bar import open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.evidence_links import EvidenceLink, link_evidence
from sightline.web.pages.dashboard.freshness import describe_freshness
from sightline.web.routing import page


@page("/w/{workspace:str}/d/{domain:str}/sentiment")
async def sentiment_page(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, actor = ctx.db, ctx.actor
    shown, bar = await read_bar_board(ctx, await open_filter_bar(request, ctx, "sentiment"))
    themed = has_themes(actor.plan)
    themes = await read_themes(db, actor.workspace_id, ctx.domain.id) if themed else []
    unread = await read_unread_languages(db, actor.workspace_id, ctx.domain.id) if themed else []
    evidence = await link_evidence(
        ctx,
        [[(theme.scan_id, answer_id) for answer_id in theme.answer_ids] for theme in themes],
        [f"theme:{theme.id}" for theme in themes],
    )
    sentiment = shown.board.sentiment
    return render_page(
        ctx,
        "app/sentiment.html",
        section="sentiment",
        title="Sentiment and themes",
        bar=bar.ignoring("against", why="Sentiment is shown for one check at a time."),
        shown=shown,
        sentiment=sentiment,
        unscored_words=UNSCORED_REASONS,
        themed=themed,
        themed_plans=sorted(PLANS_WITH_THEMES, key=list(ctx.app_context.plans).index),
        themes=list(zip(themes, await _link_quotes(ctx, themes), evidence, strict=True)),
        unread=describe_unread_themes(
            [each.language_code for each in unread], unread[0].reason if unread else "no_word_lists"
        ),
        describe_theme_change=describe_theme_change,
        format_range=format_range,
        strip_markdown=strip_markdown,
        freshness=describe_freshness(ctx.domain, ctx.now),
    )


async def _link_quotes(ctx: PageContext, themes: Sequence[Theme]) -> list[list[tuple[str, EvidenceLink]]]:
    """Return the quotes of each theme, each with a link to its answer."""
    refs = [[(theme.scan_id, quote.answer_id)] for theme in themes for quote in theme.quotes]
    links = iter(await link_evidence(ctx, refs))
    return [[(quote.text, next(links).links[0]) for quote in theme.quotes] for theme in themes]


PAGES = (sentiment_page,)
