"""The sentiment of answers about the brand, and the themes they repeat."""

import msgspec
from litestar import Response
from litestar.params import FromPath

from sightline.answers.plain_text import strip_markdown
from sightline.insights.read import read_themes
from sightline.plans.table import PLANS_WITH_THEMES, has_themes
from sightline.presentation.phrases import describe_unscored
from sightline.scoreboard.analytics import read_scoreboard
from sightline.scoreboard.schemas import Board
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.evidence_links import link_evidence
from sightline.web.pages.dashboard.freshness import describe_freshness
from sightline.web.routing import page

_read_board = msgspec.json.Decoder(Board).decode


@page("/w/{workspace:str}/d/{domain:str}/sentiment")
async def sentiment_page(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, actor = ctx.db, ctx.actor
    found = await read_scoreboard(db, actor, ctx.domain, now=ctx.now)
    themed = has_themes(actor.plan)
    themes = await read_themes(db, actor.workspace_id, ctx.domain.id) if themed else []
    evidence = await link_evidence(
        ctx, [[(theme.scan_id, answer_id) for answer_id in theme.answer_ids] for theme in themes]
    )
    sentiment = _read_board(found.board).sentiment
    return render_page(
        ctx,
        "app/sentiment.html",
        section="sentiment",
        title="Sentiment and themes",
        sentiment=sentiment,
        unscored="" if sentiment is None else describe_unscored(sentiment.unscored, sentiment.unscored_reasons),
        themed=themed,
        themed_plans=sorted(PLANS_WITH_THEMES, key=list(ctx.app_context.plans).index),
        themes=list(zip(themes, evidence, strict=True)),
        strip_markdown=strip_markdown,
        freshness=describe_freshness(ctx.domain, ctx.now),
    )


PAGES = (sentiment_page,)
