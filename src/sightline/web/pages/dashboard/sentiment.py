"""How answers speak of the brand, and what they say of it again and again."""

import msgspec
from litestar import Response
from litestar.params import FromPath

from sightline.answers.plain import strip_marks
from sightline.insights.read import read_themes
from sightline.plans.table import PLANS_WITH_THEMES, has_themes
from sightline.reports.words import NOTHING, say_interval, say_number
from sightline.scoreboard.analytics import read_scoreboard
from sightline.scoreboard.schemas import Board
from sightline.web.frame import reading, show
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.proofs import link_proofs
from sightline.web.pages.dashboard.words import say_freshness
from sightline.web.visits import Asked

_read_board = msgspec.json.Decoder(Board).decode


@reading("/w/{workspace:str}/d/{domain:str}/sentiment")
async def sentiment(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    assert place.domain is not None
    db, actor = place.visit.app_context.db, place.actor
    found = await read_scoreboard(db, actor, place.domain, now=place.visit.now)
    themed = has_themes(actor.plan)
    themes = await read_themes(db, actor.workspace_id, place.domain.id) if themed else []
    proofs = await link_proofs(
        place, [[(theme.scan_id, answer_id) for answer_id in theme.answer_ids] for theme in themes]
    )
    return show(
        place,
        "app/sentiment.html",
        here="sentiment",
        title="Sentiment and themes",
        sentiment=_read_board(found.board).sentiment,
        themed=themed,
        themed_plans=sorted(PLANS_WITH_THEMES, key=list(place.visit.app_context.plans).index),
        themes=list(zip(themes, proofs, strict=True)),
        strip_marks=strip_marks,
        nothing=NOTHING,
        say_number=say_number,
        say_interval=say_interval,
        freshness=say_freshness(place.domain, place.visit.now),
    )


PAGES = (sentiment,)
