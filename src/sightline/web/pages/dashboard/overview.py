"""Where the brand stands, at one glance. Every number leads to what it is made of."""

import asyncio

import msgspec
from litestar import Response
from litestar.params import FromPath, FromQuery
from markupsafe import Markup

from sightline.insights.read import list_alerts, list_recommendations
from sightline.reports.charts import chart_coverage, chart_share_of_voice, chart_visibility
from sightline.reports.notices import say_standing
from sightline.reports.weekly.cards import make_card
from sightline.reports.weekly.charts import chart_trend
from sightline.reports.weekly.models import HeadlineLine
from sightline.reports.weekly.sayings import NAMES
from sightline.scoreboard.analytics import read_scoreboard
from sightline.scoreboard.shapes import Board, TrendPoint
from sightline.web.drawings import DRAWINGS
from sightline.web.frame import reading, show
from sightline.web.pages.dashboard.places import enter_domain, enter_workspace
from sightline.web.pages.dashboard.words import say_freshness
from sightline.web.visits import Asked

_read_board = msgspec.json.Decoder(Board).decode
_read_point = msgspec.json.Decoder(TrendPoint).decode
_CARDS = ("visibility_score", "brand_coverage_pct", "ai_mentions", "share_of_voice_pct", "market_position")
_CHARTED = {"visibility_score": "Visibility Score, 0 to 100", "brand_coverage_pct": "Answers that name the brand, %"}
_BEST = 3


@reading("/w/{workspace:str}")
async def domains(request: Asked, workspace: FromPath[str]) -> Response[str]:
    """The domains of a workspace, each with the figures of its scoreboard."""
    place = await enter_workspace(request, workspace)
    return show(place, "app/domains.html", here="domains", title="Domains", say_freshness=say_freshness)


@reading("/w/{workspace:str}/d/{domain:str}")
async def overview(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], metric: FromQuery[str] = "visibility_score"
) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    assert place.domain is not None
    db, actor, brand = place.visit.wiring.db, place.actor, place.domain.brand_name
    found = await read_scoreboard(db, actor, place.domain, now=place.visit.now)
    board = _read_board(found.board)
    points = [_read_point(point) for point in found.trend]
    chosen = metric if metric in _CHARTED else "visibility_score"
    alerts = await list_alerts(db, actor.workspace_id, place.domain.id, after=None, page_size=10)
    advice = await list_recommendations(db, actor.workspace_id, place.domain.id, after=None, page_size=_BEST)
    return show(
        place,
        "app/overview.html",
        here="overview",
        title=brand,
        board=board,
        standing=say_standing(brand, board.headline, ranked=bool(board.competitors)) if found.scan else None,
        cards=[_card(board, key) | {"key": key, "charted": key in _CHARTED, "chosen": key == chosen} for key in _CARDS],
        charts=await asyncio.to_thread(_draw, board, points, chosen, brand),
        points=points[::-1],
        chosen=chosen,
        chosen_name=NAMES[chosen],
        alerts=[alert for alert in alerts.rows if alert.state in {"watch", "confirmed"}],
        advice=advice.rows,
        freshness=say_freshness(place.domain),
    )


def _card(board: Board, key: str) -> dict[str, object]:
    line = HeadlineLine(key=key, figure=getattr(board.headline, key), before=None)  # type: ignore[arg-type]
    return make_card(line, is_first=False)


def _draw(board: Board, points: list[TrendPoint], metric: str, brand: str) -> dict[str, Markup]:
    """By name; what has nothing to show is not there."""
    drawn: dict[str, Markup] = {}
    if sum(point.scope == "full_check" for point in points) > 1:
        drawn["trend"] = DRAWINGS.draw(
            chart_trend(points, metric, _CHARTED[metric]),
            "trend",
            f"{NAMES[metric]} of {brand} over time",
            "A point with its 95 % interval for each Full Check; Daily Checks as a light line.",
        )
    if any(getattr(row, metric).value is not None for row in board.platforms):
        drawn["platforms"] = DRAWINGS.draw(
            chart_coverage(board) if metric == "brand_coverage_pct" else chart_visibility(board),
            "platforms",
            f"{NAMES[metric]} of {brand} by platform",
            "A point for each platform with its 95 % interval.",
        )
    if any(row.share_of_voice_pct is not None for row in board.competitors):
        drawn["share"] = DRAWINGS.draw(
            chart_share_of_voice(board),
            "share",
            f"Share of Voice of {brand} and its competitors",
            "A bar for each brand. The table of competitors holds the same numbers.",
        )
    return drawn
