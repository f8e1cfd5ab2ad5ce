"""The trend chart of the Overview and of reports."""

from itertools import pairwise

from sightline.presentation.charts.spec import drop_touch_layers
from sightline.presentation.charts.trend_chart import CompetitorLine, TrendLayout, TrendMark, build_trend_chart
from sightline.presentation.palette import LIGHT
from tests.presentation.trends import build_trend


def test_the_tip_of_a_point_has_value_interval_answers_and_date():
    spec = build_trend_chart(
        build_trend(marks=[TrendMark("2026-01-08T09:30:00Z", "Alert, confirmed\nIt fell.", is_alert=True)])
    )
    assert spec["datasets"]["full"][0]["tip"] == "Acme: 46.3 (39.1\u201353.2)\nFull Check of 1 Jan 2026, 40 answers"
    assert spec["datasets"]["rival-0"][0]["tip"] == "Rival 1: 31.0\nFull Check of 1 Jan 2026"
    tips = [layer["data"]["values"] for layer in spec["layer"] if layer["mark"].get("shape") == "triangle-down"]
    assert tips == [[{"at": "2026-01-08T09:30:00Z", "tip": "Alert, confirmed\nIt fell."}]]


def test_a_competitor_keeps_its_color_whichever_others_are_shown():
    lines = {
        layer["data"]["name"]: layer["mark"]["color"]
        for layer in build_trend_chart(build_trend(competitors=build_trend().competitors[2:]))["layer"]
        if layer["mark"]["type"] == "line"
    }
    assert lines["full"] == LIGHT.own
    assert [lines["rival-0"], lines["rival-1"], lines["rival-2"]] == [
        LIGHT.competitor_3,
        LIGHT.competitor_4,
        LIGHT.competitor_5,
    ]


def test_names_at_the_ends_of_lines_do_not_overlap():
    same = [CompetitorLine(f"R{n}", n, (("2026-01-01T09:30:00Z", 46.0),)) for n in range(1, 6)]
    layers = [
        each for each in build_trend_chart(build_trend(competitors=same))["layer"] if each["mark"]["type"] == "text"
    ]
    at = sorted(layer["data"]["values"][0]["value"] for layer in layers)
    assert len(at) == 6 and min(b - a for a, b in pairwise(at)) > 2


def test_a_report_has_a_fixed_scale_and_neither_names_nor_touch_layers():
    layout = TrendLayout(width=304, height=168, max_ticks=5, percent_title="Score, 0 to 100", has_names=False)
    spec = drop_touch_layers(build_trend_chart(build_trend(competitors=()), layout))
    assert (spec["width"], spec["height"]) == (304, 168)
    assert {layer["mark"]["type"] for layer in spec["layer"]} == {"area", "line", "point"}
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0, 100]
    assert spec["layer"][0]["encoding"]["y"]["axis"]["title"] == "Score, 0 to 100"
