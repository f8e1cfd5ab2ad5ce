"""The chart of a share of answers over Full Checks, for the pages of one competitor or one site."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from markupsafe import Markup

from sightline.kit.clock import to_iso
from sightline.metrics.figure import Figure
from sightline.platforms.names import describe_surface_change
from sightline.presentation.charts.trend_chart import (
    PAGE_LAYOUT,
    CompetitorLine,
    DatedFigure,
    Trend,
    build_trend_chart,
)
from sightline.presentation.dates import format_date, to_utc_day
from sightline.presentation.language import gettext, translatable
from sightline.presentation.ranges import format_figure
from sightline.scoreboard.history.trend import SurfaceBreak
from sightline.web.chart_cache import CHARTS

_MIN_POINTS = 2  # one point is not a trend
_SIZES = ((900, PAGE_LAYOUT.height), (340, 220))
WHY_NOT_COMPARED = translatable("This page shows all Full Checks of the period.")
DatedShare = tuple[datetime, Figure]


def describe_breaks(breaks: Sequence[SurfaceBreak]) -> list[str]:
    """Say when platforms were asked on another surface: what a page counts before and after is not of one kind."""
    return [
        gettext(
            "%(change)s since %(day)s. Figures and lines before and after that day do not compare.",
            change=describe_surface_change(each.platform, each.before, each.now),
            day=format_date(to_utc_day(each.at)),
        )
        for each in breaks
    ]


def render_share_trend(
    title: str,
    own: str,
    shares: Sequence[DatedShare],
    *,
    other: tuple[str, int, Sequence[DatedShare]] | None = None,
    breaks: Sequence[SurfaceBreak] = (),
) -> Markup | None:
    """Render the shares with their range, and as a thin line those of another name with its place among competitors.

    None with fewer than two checks. Rendering is slow: call it in a thread.
    """
    if len(shares) < _MIN_POINTS:
        return None
    lines = []
    if other is not None:
        points = tuple((to_iso(at), figure.value) for at, figure in other[2] if figure.value is not None)
        lines.append(CompetitorLine(other[0], other[1], points))
    trend = Trend(
        brand=own,
        unit="%",
        full=[DatedFigure(to_iso(at), figure) for at, figure in shares],
        competitors=lines,
        breaks=[each.at for each in breaks],
    )
    layout = msgspec.structs.replace(PAGE_LAYOUT, has_names=other is not None)  # one line is named by the heading
    subject = shares if other is None else other[2]
    name = own if other is None else other[0]
    (first_at, first), (last_at, last) = subject[0], subject[-1]
    finding = gettext(
        "%(name)s: %(last)s in the Full Check of %(last_day)s, %(first)s in the first one shown, of %(first_day)s.",
        name=name,
        last=format_figure(last, "%"),
        last_day=format_date(last_at),
        first=format_figure(first, "%"),
        first_day=format_date(first_at),
    )
    return CHARTS.render(build_trend_chart(trend, layout), "shares", title, finding, sizes=_SIZES)
