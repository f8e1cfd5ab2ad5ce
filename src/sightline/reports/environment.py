"""The template environment of every report."""

from functools import cache
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined

from sightline import __version__
from sightline.kit.counting import count
from sightline.metrics.spot_check import MIN_REPEATS
from sightline.platforms.names import platform_name, short_platform_name
from sightline.presentation.cell_states import CELL_STATES, classify_cell, format_cell_mark
from sightline.presentation.dates import format_date, format_datetime
from sightline.presentation.language import add_to_templates
from sightline.presentation.numbers import format_number
from sightline.presentation.palette import DARK, LIGHT
from sightline.presentation.phrases import FAULT_PHRASES, describe_market, describe_unscored
from sightline.presentation.ranges import format_interval, format_position


def build_anchor(answer_id: str) -> str:
    """Return the name of the place of an answer in a page. The ids of a file may hold any characters."""
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
        "position": format_position,
        "date": format_date,
        "datetime": format_datetime,
        "platform_name": platform_name,
        "short_name": short_platform_name,
        "cell_state": classify_cell,
        "cell_mark": format_cell_mark,
        "market": describe_market,
        "describe_unscored": describe_unscored,
        "anchor": build_anchor,
        "count": count,
        "min_repeats": MIN_REPEATS,
        "states": CELL_STATES,
        "fault_phrases": FAULT_PHRASES,
        "version": __version__,
        "light": LIGHT,
        "dark": DARK,
    }
    environment.globals.update(tools)
    add_to_templates(environment)
    return environment
