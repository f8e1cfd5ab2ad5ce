"""What pages need and would load at their first request, loaded when the process has just started to listen.

Until a person opens the first page, nobody waits for it. All of it takes some seconds of CPU.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from sightline.accounts.users import list_time_zones
from sightline.domains.names import registrable_domain
from sightline.metrics.figure import Figure
from sightline.presentation.catalogs import load_catalog
from sightline.presentation.charts.svg import render_svg
from sightline.presentation.charts.trend_chart import (
    CompetitorLine,
    DatedFigure,
    Trend,
    TrendMark,
    build_trend_chart,
)
from sightline.presentation.language import LANGUAGES, in_language
from sightline.presentation.phrases import country_name, language_name
from sightline.web.layout import ICONS
from sightline.web.pages.docs.routes import build_index
from sightline.web.render import icon, list_templates, load_template

_RENDERINGS = 5  # the first takes 0.7 s, the fifth a tenth of it


async def warm_up(base_url: str) -> None:
    """Load everything, one thing at a time in a thread, so that requests are answered in between."""
    steps: list[Callable[[], object]] = [
        *(partial(load_template, name) for name in list_templates()),
        *(partial(_load_language, language) for language in LANGUAGES),
        *(partial(icon, name) for name in ICONS),
        list_time_zones,
        partial(registrable_domain, "example.com"),  # reads the list of public suffixes
        _start_chart_engine,
        partial(build_index, base_url),
    ]
    for step in steps:
        await asyncio.to_thread(step)


def _load_language(language: str) -> None:
    load_catalog(language)
    with in_language(language):
        country_name("DE")
        language_name("de")


def _start_chart_engine() -> None:
    """Render a chart some times: the engine compiles itself while it runs, and holds the interpreter lock meanwhile.

    The chart has everything that a page draws: what was never drawn is not compiled.
    """
    days = ("2026-01-01T12:00:00Z", "2026-01-08T12:00:00Z")
    figure = Figure(value=50, low=40, high=60, n=10, numerator=5, denominator=10, early_reading=False, incomplete=False)
    trend = Trend(
        brand="Acme",
        full=[DatedFigure(at, figure) for at in days],
        competitors=[CompetitorLine("Globex", 0, tuple((at, 40) for at in days))],
        marks=[TrendMark(days[0], "Alert", is_alert=True), TrendMark(days[1], "Done", label="Done")],
    )
    chart = build_trend_chart(trend)
    for width in range(_RENDERINGS):
        render_svg({**chart, "width": 300 + width}, "warm-up", "", "")
