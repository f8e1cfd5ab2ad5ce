"""Charts of pages: rendered without a script, made interactive by the Vega bundle, safe and small."""

import asyncio
import gzip
import json
from itertools import pairwise

import pytest

from sightline.metrics.figure import Figure
from sightline.presentation.charts.trend_chart import CompetitorLine, DatedFigure, Trend, TrendMark, build_trend_chart
from sightline.presentation.palette import DARK, LIGHT
from sightline.web import vega_bundle
from sightline.web.chart_cache import CHARTS, build_chart_styles, escape_json
from tests.web.browser import visiting


def figure(value, low=None, high=None, n=40):
    return Figure(
        value=value, low=low, high=high, n=n, numerator=None, denominator=None, early_reading=False, incomplete=False
    )


def build_trend(weeks=3, **changes):
    days = [f"2026-{1 + day // 28:02}-{1 + day % 28:02}T09:30:00Z" for day in range(weeks * 7)]
    facts = {
        "full": [DatedFigure(at, figure(46.3, 39.1, 53.2)) for at in days[::7]],
        "daily": [DatedFigure(at, figure(44.0)) for at in days],
        "competitors": [
            CompetitorLine(f"Rival {n}", n, tuple((at, 30.0 + n) for at in days[::7])) for n in range(1, 6)
        ],
    }
    return Trend(brand="Acme", unit="", is_rank=False, **(facts | changes))


async def test_the_bundle_is_served_compressed_and_cached_forever(installation):
    async with visiting(installation) as browser:
        first, again = await asyncio.gather(browser.get(vega_bundle.BUNDLE_PATH), browser.get(vega_bundle.BUNDLE_PATH))
        assert first.status_code == again.status_code == 200 and first.content == again.content
        assert "window.vegaEmbed" in first.text and first.headers["content-type"].startswith("text/javascript")
        assert first.headers["content-encoding"] == "gzip" and first.headers["vary"] == "Accept-Encoding"
        assert first.headers["cache-control"] == "public, max-age=31536000, immutable"
        plain = await browser.get(vega_bundle.BUNDLE_PATH, headers={"Accept-Encoding": "identity"})
        assert plain.content == first.content and "content-encoding" not in plain.headers


async def test_the_bundle_is_built_once_and_stored_for_the_next_process(tmp_path, monkeypatch):
    log = tmp_path / "made"
    monkeypatch.setattr(vega_bundle, "_BUILD_SCRIPT", f"open({str(log)!r}, 'a').write('x'); print('vega')")
    kept = vega_bundle.VegaBundle()
    read = [asyncio.create_task(kept.read(tmp_path / "assets")) for _ in range(3)]
    await asyncio.sleep(0)
    read[0].cancel()  # one canceled request cancels it for nobody else
    found = await asyncio.gather(*read[1:])
    assert {gzip.decompress(each) for each in found} == {b"vega\n"}
    assert await vega_bundle.VegaBundle().read(tmp_path / "assets") == found[0]
    assert log.read_text() == "x"
    assert [each.name for each in (tmp_path / "assets").iterdir()] == [f"{vega_bundle.BUNDLE_NAME}.gz"]


async def test_an_unwritable_directory_breaks_nothing_and_a_failed_build_is_retried(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setattr(vega_bundle, "_BUILD_SCRIPT", "raise SystemExit(1)")
    kept = vega_bundle.VegaBundle()
    with pytest.raises(vega_bundle.BundleUnavailable):
        await kept.read(blocked)
    monkeypatch.setattr(vega_bundle, "_BUILD_SCRIPT", "print('vega')")
    assert gzip.decompress(await kept.read(blocked)) == b"vega\n"


def test_no_text_in_a_chart_is_read_as_markup():
    hostile = "</script><script>alert(1)</script>\u2028<!--&"
    assert json.loads(escape_json({"brand": hostile})) == {"brand": hostile}
    rendered = CHARTS.render(
        build_trend_chart(build_trend(competitors=[CompetitorLine(hostile, 1, (("2026-01-01T00:00:00Z", 4.0),))])),
        "c",
        hostile,
        hostile,
    )
    assert "<script>alert" not in rendered and "<!--" not in rendered
    assert rendered.count("<script") == rendered.count("</script>") == 1


def test_the_tip_of_a_point_has_value_interval_answers_and_date():
    spec = build_trend_chart(
        build_trend(marks=[TrendMark("2026-01-08T09:30:00Z", "Alert, confirmed\nIt fell.", is_alert=True)])
    )
    assert spec["datasets"]["full"][0]["tip"] == "Acme: 46.3 (39.1\u201353.2)\nFull Check of 1 Jan 2026, 40 answers"
    assert spec["datasets"]["rival-0"][0]["tip"] == "Rival 1: 31.0\nFull Check of 1 Jan 2026"
    tips = [layer["data"]["values"] for layer in spec["layer"] if layer["mark"].get("shape") == "triangle-down"]
    assert tips == [[{"at": "2026-01-08T09:30:00Z", "tip": "Alert, confirmed\nIt fell."}]]
    static = CHARTS.render(spec, "c", "Title", "Finding").partition("<script")[0]
    assert 'role="img"' in static and "Finding" in static and "touch" not in static


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


def test_a_year_of_scans_keeps_the_page_small():
    rendered = CHARTS.render(
        build_trend_chart(build_trend(weeks=48)), "c", "Title", "Finding", sizes=((900, 260), (340, 220))
    )
    assert len(rendered.encode()) < 95_000


def test_each_light_color_is_replaced_in_the_dark_theme():
    styles = build_chart_styles()
    for name in LIGHT.__struct_fields__:
        light, dark = getattr(LIGHT, name), getattr(DARK, name)
        assert f'.chart [fill="{light}"] {{ fill: light-dark({light}, {dark}); }}' in styles
