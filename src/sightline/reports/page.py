"""The report of a check: one HTML file that needs nothing else, to be read, printed, mailed and kept.

Every text in it is escaped; it holds no script, no form and no address that a browser would load.
"""

import re
from collections.abc import Iterator
from datetime import UTC
from functools import cache
from html import escape
from typing import Any

import vl_convert
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sightline import __version__
from sightline.kit.counting import count
from sightline.reports import words
from sightline.reports.charts import (
    Spec,
    chart_coverage,
    chart_positions,
    chart_share_of_voice,
    chart_visibility,
)
from sightline.reports.notices import SANDBOX, SANDBOX_WHY, list_faults, list_notices, say_finding
from sightline.reports.palette import DARK, LIGHT
from sightline.scans.models import ScanAnswer
from sightline.scans.record import ScanRecord, summarize_provenance

_OPENING = re.compile(r"<svg [^>]*>")
# A picture has one name. Marks inside of it with roles of their own would be read out one by one, without any.
_ROLES = re.compile(r' (?:role="graphics-[a-z]+"|aria-(?:roledescription|label)="[^"]*")')
_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


def render_report(check: ScanRecord) -> str:
    results = check.results
    context = {
        "check": check,
        "results": results,
        "headline": results.headline,
        "finding": say_finding(check),
        "notices": list_notices(check),
        "faults": list_faults(check),
        "charts": _draw_charts(check),
        "provenance": summarize_provenance(check),
        "asked_at": check.started_at.astimezone(UTC),
        "answers": list(check.answers),
        "sandbox": (SANDBOX, SANDBOX_WHY) if check.answers_source == "sandbox" else None,
        "several_markets": len({(prompt.country, prompt.language) for prompt in results.prompts}) > 1,
        "swaps": list_swaps(),
        "numbers": {prompt.id: number for number, prompt in enumerate(check.plan.prompts, 1)},
    }
    return environment().get_template("check.html").render(context)


def highlight(answer: ScanAnswer) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with whom it names: "own", "competitor", or nobody."""
    at = 0
    for start, end, who in _spans(answer):
        if start < at:  # two brands in one place: the first one has it
            continue
        if start > at:
            yield answer.text[at:start], ""
        yield answer.text[start:end], who
        at = end
    if at < len(answer.text):
        yield answer.text[at:], ""


def _spans(answer: ScanAnswer) -> list[tuple[int, int, str]]:
    if answer.reading is None:
        return []
    return sorted(
        (place.start, place.end, "competitor" if index else "own")
        for index, brand in enumerate(answer.reading.brands)
        for place in brand.occurrences
        if place.start < place.end
    )


def draw(spec: Spec, name: str, title: str, description: str) -> Markup:
    """The chart as SVG with a title and a description for those who do not see it."""
    svg = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    width, height = (int(number) for number in _SIZE.search(svg).groups())  # type: ignore[union-attr]
    head = (
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    )
    whole = _OPENING.sub(lambda _: head, _ROLES.sub("", svg), count=1)
    return Markup(whole)  # noqa: S704 - drawn here; the texts in it are escaped


def _draw_charts(check: ScanRecord) -> dict[str, Markup]:
    results, brand = check.results, check.plan.brand.name
    if not results.valid:
        return {}
    drawn = {
        "visibility": draw(
            chart_visibility(results),
            "visibility",
            f"Visibility Score of {brand} by platform",
            "A point for each platform with its 95 % interval. The table by platform holds the same numbers.",
        ),
        "coverage": draw(
            chart_coverage(results),
            "coverage",
            f"Share of answers that name {brand}, by platform",
            "A point for each platform with its 95 % interval. The table by platform holds the same numbers.",
        ),
        "positions": draw(
            chart_positions(results),
            "positions",
            f"Where each answer names {brand}",
            "Rows are prompts, columns are platforms. The table of prompts holds the same.",
        ),
    }
    if any(row.share_of_voice_pct is not None for row in results.competitors):
        drawn["share"] = draw(
            chart_share_of_voice(results),
            "share",
            f"Share of Voice of {brand} and its competitors",
            "A bar for each brand. The table of competitors holds the same numbers.",
        )
    return drawn


def list_swaps() -> list[tuple[str, str]]:
    """Each light colour of a chart and the dark one that takes its place."""
    return [(getattr(LIGHT, name), getattr(DARK, name)) for name in LIGHT.__struct_fields__]


@cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("sightline.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    tools: dict[str, Any] = {
        "number": words.say_number,
        "interval": words.say_interval,
        "position": words.say_position,
        "platform_name": words.platform_name,
        "short_name": words.short_platform_name,
        "state_of": words.state_of,
        "mark_of": words.mark_of,
        "market": words.say_market,
        "count": count,
        "states": words.STATES,
        "fault_words": words.FAULTS,
        "highlight": highlight,
        "version": __version__,
        "light": LIGHT,
        "dark": DARK,
    }
    made.globals.update(tools)
    return made
