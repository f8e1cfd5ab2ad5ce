"""How the axes of charts write numbers and days in the chosen language."""

from functools import cache
from typing import Any

from babel import Locale

from sightline.presentation.language import DEFAULT_LANGUAGE, current_locale

_DAY_FORMATS = {"de": "%-d. %b"}


def axis_day_format() -> str:
    """Return the format of a day on an axis, such as `16 Nov`."""
    return _DAY_FORMATS.get(current_locale(), "%-d %b")


def axis_locale() -> dict[str, Any]:
    """Return the locale as a part of a chart's configuration. It is empty for English, the default of Vega."""
    return {} if current_locale() == DEFAULT_LANGUAGE else {"locale": _build_locale(current_locale())}


@cache
def _build_locale(name: str) -> dict[str, Any]:
    locale = Locale(name)
    symbols = locale.number_symbols["latn"]
    sunday_first = (6, 0, 1, 2, 3, 4, 5)
    number = {"decimal": symbols["decimal"], "thousands": symbols["group"], "grouping": [3], "currency": ["$", ""]}
    time = {
        "dateTime": "%x %X",
        "date": "%Y-%m-%d",
        "time": "%H:%M",
        "periods": ["", ""],
        "days": [locale.days["format"]["wide"][day] for day in sunday_first],
        "shortDays": [locale.days["format"]["abbreviated"][day] for day in sunday_first],
        "months": [locale.months["format"]["wide"][month] for month in range(1, 13)],
        "shortMonths": [locale.months["stand-alone"]["abbreviated"][month] for month in range(1, 13)],
    }
    return {"number": number, "time": time}
