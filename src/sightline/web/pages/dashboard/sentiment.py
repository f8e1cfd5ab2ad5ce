"""The sentiment of answers about the brand, and the themes they repeat."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from starlette.responses import Response

from sightline.answers.plain_text import strip_markdown
from sightline.errors import Problem
from sightline.insights.editor.read import read_edition
from sightline.insights.editor.sorting import list_sortable
from sightline.insights.read import read_themes, read_unread_languages
from sightline.insights.schemas.themes import Theme
from sightline.plans.table import PLANS_WITH_THEMES, has_themes
from sightline.presentation.dates import format_short_date, to_utc_day
from sightline.presentation.language import gettext
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import add_unit, format_signed
from sightline.presentation.phrases import (
    SOLE_UNSCORED_REASONS,
    UNSCORED_REASONS,
    describe_theme_change,
    describe_unread_themes,
    list_unscored_reasons,
)
from sightline.presentation.ranges import format_range
from sightline.scoreboard.subsets.read import FilteredBoard
from sightline.web.filter_bar import FilterBar, explain_period, open_filter_bar, read_bar_board
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.evidence_links import EvidenceLink, link_evidence
from sightline.web.routing import page


class RecheckedSentiment(NamedTuple):
    """The Full Check that measured the sentiment of answers which Daily Checks have replaced since."""

    day: str
    path: str


@page("/w/{workspace}/d/{domain}/sentiment")
async def sentiment_page(request: PageRequest, workspace: str, domain: str, done: str = "") -> Response:
    return await render_sentiment(request, await open_domain(request, workspace, domain), done=done)


async def render_sentiment(
    request: PageRequest, ctx: PageContext, *, done: str = "", problem: Problem | None = None
) -> Response:
    assert ctx.domain is not None
    db, actor = ctx.db, ctx.actor
    opened = await open_filter_bar(request, ctx, "sentiment")
    shown, bar = await read_bar_board(ctx, opened)
    rechecked = await _find_rechecked(ctx, opened, shown)
    if rechecked and opened.filter.until:  # the day of the Full Check may have a Daily Check, too
        rechecked = None
        shown, bar = await read_bar_board(ctx, opened, without_later=True)
    themed = has_themes(actor.plan)
    themes = await read_themes(db, actor.workspace_id, ctx.domain.id) if themed else []
    unread = await read_unread_languages(db, actor.workspace_id, ctx.domain.id) if themed else []
    evidence = await link_evidence(
        ctx,
        [[(theme.scan_id, answer_id) for answer_id in theme.answer_ids] for theme in themes],
        [f"theme:{theme.id}" for theme in themes],
    )
    sentiment = shown.board.sentiment
    edition = await read_edition(db, actor.workspace_id, ctx.domain.id)
    return render_page(
        ctx,
        "app/sentiment.html",
        section="sentiment",
        title=gettext("Sentiment and themes"),
        bar=explain_period(bar, shown).ignoring("against", why=gettext("Sentiment is shown for one check at a time.")),
        shown=shown,
        sentiment=None if rechecked else sentiment,
        rechecked=rechecked,
        unscored=list_unscored_reasons(sentiment.unscored, sentiment.unscored_reasons) if sentiment else [],
        unscored_words=UNSCORED_REASONS,
        sole_unscored_words=SOLE_UNSCORED_REASONS,
        themed=themed,
        themed_plans=join_names([plan.capitalize() for plan in ctx.app_context.plans if plan in PLANS_WITH_THEMES]),
        themes=list(zip(themes, await _link_quotes(ctx, themes), evidence, strict=True)),
        edition=edition,
        codebook={theme.id: theme for theme in list_sortable(edition.codebook)},
        done=gettext("Theme saved.") if done == "theme" else None,
        problem=problem,
        unread=describe_unread_themes([each.language_code for each in unread]),
        describe_theme_change=describe_theme_change,
        add_unit=add_unit,
        format_range=format_range,
        format_signed=format_signed,
        strip_markdown=strip_markdown,
    )


async def _find_rechecked(ctx: PageContext, bar: FilterBar, shown: FilteredBoard) -> RecheckedSentiment | None:
    """Return the Full Check whose sentiment is gone from the latest answers; None while some of it is left.

    Daily Checks are not scored, so an answer that one of them replaced has no sentiment until the next Full Check.
    """
    sentiment, scan = shown.board.sentiment, shown.scan
    if sentiment is None or sentiment.responses_analyzed or sentiment.unscored or shown.is_past:
        return None
    if scan is None or scan.completed_at is None or scan.id == shown.compared_scan_id:
        return None
    day = to_utc_day(scan.completed_at).isoformat()
    until = msgspec.structs.replace(bar.filter, period="", since="", until=day)
    of_check, _ = await read_bar_board(ctx, msgspec.structs.replace(bar, filter=until), without_later=True)
    found = of_check.board.sentiment
    if found is None or not (found.responses_analyzed or found.unscored):
        return None
    return RecheckedSentiment(format_short_date(scan.completed_at), ctx.path("sentiment") + until.to_query())


async def _link_quotes(ctx: PageContext, themes: Sequence[Theme]) -> list[list[tuple[str, EvidenceLink]]]:
    """Return the quotes of each theme, each with a link to its answer."""
    refs = [[(theme.scan_id, quote.answer_id)] for theme in themes for quote in theme.quotes]
    links = iter(await link_evidence(ctx, refs))
    return [[(quote.text, next(links).links[0]) for quote in theme.quotes] for theme in themes]


PAGES = (sentiment_page,)
