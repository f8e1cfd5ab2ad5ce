"""What pages need and would load at their first request, loaded when the process has just started to listen.

Until a person opens the first page, nobody waits for it. All of it takes some seconds of CPU.
"""

import asyncio
from collections.abc import Callable
from functools import partial

from sightline.accounts.users import list_time_zones
from sightline.presentation.catalogs import load_catalog
from sightline.presentation.charts.svg import render_svg
from sightline.presentation.charts.trend_chart import Trend, build_trend_chart
from sightline.presentation.language import LANGUAGES, in_language
from sightline.presentation.phrases import country_name, language_name
from sightline.web.pages.docs.routes import build_index
from sightline.web.render import list_templates, load_template

_RENDERINGS = 5  # the first takes 0.7 s, the fifth a tenth of it


async def warm_up(base_url: str) -> None:
    """Load everything, one thing at a time in a thread, so that requests are answered in between."""
    steps: list[Callable[[], object]] = [
        *(partial(load_template, name) for name in list_templates()),
        *(partial(_load_language, language) for language in LANGUAGES),
        list_time_zones,
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
    """Render a chart some times: the engine compiles itself while it runs, and holds the interpreter lock meanwhile."""
    chart = build_trend_chart(Trend(brand="Acme", full=()))
    for width in range(_RENDERINGS):
        render_svg({**chart, "width": 300 + width}, "warm-up", "", "")
