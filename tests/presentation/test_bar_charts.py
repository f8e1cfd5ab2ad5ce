"""Bar charts as a reader sees them: the labels of the rendered picture."""

import re
from typing import NamedTuple

from sightline.metrics.figure import Figure
from sightline.presentation.charts.bar_charts import build_platform_chart
from sightline.presentation.charts.svg import render_svg


class Bar(NamedTuple):
    name: str
    short_name: str
    figure: Figure


def find_axis_labels(*values: float) -> list[float]:
    unknown = dict.fromkeys(("low", "high", "numerator", "denominator"))
    figures = [Figure(value=value, n=40, early_reading=False, incomplete=False, **unknown) for value in values]
    bars = [Bar(f"Platform {index}", f"P{index}", figure) for index, figure in enumerate(figures)]
    picture = render_svg(build_platform_chart(bars, "%"), "chart", "Title", "Description")
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", picture)
    return [float(text) for text in texts if text.isdigit()]


def test_the_axis_of_a_full_score_ends_at_a_hundred():
    assert max(find_axis_labels(100.0, 20.0)) == 100


def test_the_axis_of_counts_goes_on():
    assert max(find_axis_labels(900.0, 20.0)) > 500
