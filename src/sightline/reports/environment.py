"""The template environment of every report."""

from functools import cache
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from sightline import __version__
from sightline.metrics.spot_check import MIN_REPEATS
from sightline.platforms.names import platform_name, short_platform_name, surface_name
from sightline.presentation.cell_states import CELL_STATES, classify_cell, find_mark, format_cell_mark
from sightline.presentation.dates import format_date, format_datetime
from sightline.presentation.language import add_to_templates, translatable
from sightline.presentation.numbers import add_unit, format_cost, format_number, format_percent
from sightline.presentation.palette import DARK, LIGHT
from sightline.presentation.phrases import (
    FAULT_PHRASES,
    count_answers,
    count_platforms,
    count_prompts,
    describe_market,
    describe_unscored,
)
from sightline.presentation.ranges import format_interval, format_position
from sightline.presentation.sizes import format_latency
from sightline.presentation.source_types import name_site_type
from sightline.reports.sentiment import (
    count_negative,
    count_neutral,
    count_positive,
    count_scored_answers,
    describe_low_data,
    name_sentiment,
)

_STANCES = {
    "contrast": translatable("only for comparison"),
    "discouraged": translatable("advised against"),
    "unknown": translatable("not known to the platform"),
}


def build_anchor(answer_id: str) -> str:
    """Return the anchor of an answer in a page. Ids from a file may contain any characters."""
    return "a-" + quote(answer_id, safe="").replace("%", ".")


@cache
def load_environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("sightline.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    tools: dict[str, Any] = {
        "number": format_number,
        "interval": format_interval,
        "add_unit": add_unit,
        "position": format_position,
        "date": format_date,
        "datetime": format_datetime,
        "platform_name": platform_name,
        "surface_name": surface_name,
        "short_name": short_platform_name,
        "cell_state": classify_cell,
        "cell_mark": format_cell_mark,
        "market": describe_market,
        "describe_unscored": describe_unscored,
        "anchor": build_anchor,
        "percent": format_percent,
        "cost": format_cost,
        "latency": format_latency,
        "count_answers": count_answers,
        "count_prompts": count_prompts,
        "count_platforms": count_platforms,
        "name_sentiment": name_sentiment,
        "count_positive": count_positive,
        "count_neutral": count_neutral,
        "count_negative": count_negative,
        "count_scored_answers": count_scored_answers,
        "describe_low_data": describe_low_data,
        "source_type": name_site_type,
        "stances": _STANCES,
        "min_repeats": MIN_REPEATS,
        "states": CELL_STATES,
        "find_mark": find_mark,
        "fault_phrases": FAULT_PHRASES,
        "version": __version__,
        "light": LIGHT,
        "dark": DARK,
    }
    environment.globals.update(tools)
    add_to_templates(environment)
    return environment
