"""Charts of pages: rendered without a script, made interactive by the Vega bundle, safe and small."""

import asyncio
import gzip
import json

import pytest

from sightline.presentation.charts.trend_chart import CompetitorLine, build_trend_chart
from sightline.presentation.palette import DARK, LIGHT
from sightline.web import vega_bundle
from sightline.web.chart_cache import CHARTS, build_chart_styles, escape_json
from tests.presentation.trends import build_trend
from tests.web.page_browser import open_browser


async def test_the_bundle_is_served_compressed_and_cached_forever(installation):
    async with open_browser(installation) as browser:
        first, again = await asyncio.gather(browser.get(vega_bundle.BUNDLE_PATH), browser.get(vega_bundle.BUNDLE_PATH))
        assert first.status_code == again.status_code == 200 and first.content == again.content
        assert "window.vegaEmbed" in first.text and first.headers["content-type"].startswith("text/javascript")
        assert first.headers["content-encoding"] == "gzip" and first.headers["vary"] == "Accept-Encoding"
        assert first.headers["cache-control"] == "public, max-age=31536000, immutable"
        plain = await browser.get(vega_bundle.BUNDLE_PATH, headers={"Accept-Encoding": "identity"})
        assert plain.content == first.content and "content-encoding" not in plain.headers


async def test_the_bundle_is_built_once_and_stored_for_the_next_process(tmp_path):
    log = tmp_path / "made"
    script = f"open({str(log)!r}, 'a').write('x'); print('vega')"
    kept = vega_bundle.VegaBundle(script)
    read = [asyncio.create_task(kept.read(tmp_path / "assets")) for _ in range(3)]
    await asyncio.sleep(0)
    read[0].cancel()  # one canceled request cancels it for nobody else
    found = await asyncio.gather(*read[1:])
    assert {gzip.decompress(each) for each in found} == {b"vega\n"}
    assert await vega_bundle.VegaBundle(script).read(tmp_path / "assets") == found[0]
    assert log.read_text() == "x"
    assert [each.name for each in (tmp_path / "assets").iterdir()] == [f"{vega_bundle.BUNDLE_NAME}.gz"]


async def test_an_unwritable_directory_breaks_nothing_and_a_failed_build_is_retried(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    kept = vega_bundle.VegaBundle(f"print(open({str(tmp_path / 'source')!r}).read())")
    with pytest.raises(vega_bundle.BundleUnavailable):
        await kept.read(blocked)
    (tmp_path / "source").write_text("vega")
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


def test_the_static_chart_has_a_description_and_no_touch_layers():
    spec = build_trend_chart(build_trend())
    static = CHARTS.render(spec, "c", "Title", "Finding").partition("<script")[0]
    assert 'role="img"' in static and "Finding" in static and "touch" not in static


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
