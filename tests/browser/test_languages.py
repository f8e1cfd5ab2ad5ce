"""Every page in Chromium in German, and in the pseudo-language, in which a text outside the catalogs has no brackets.

The documentation is in English for every reader.
"""

import pytest

from sightline.presentation.catalogs import PSEUDO
from tests.browser.page_paths import SIGNED_IN, SIGNED_OUT, page_path
from tests.browser.windows import MAX_PAGE_BYTES, PHONE, WIDE, measure_overflow, save_screenshot
from tests.web.untranslated import find_untranslated

pytestmark = [
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]
PATHS = {name: path for name, path in (SIGNED_OUT | SIGNED_IN).items() if not path.startswith("/docs")}


async def test_every_page_is_in_german_and_fits(windows, site):
    page, faults = await windows.open("owner", "/", locale="de"), []
    for name in PATHS:
        html = await (await page.goto(page_path(site, name))).text()
        if '<html lang="de"' not in html or len(html.encode()) >= MAX_PAGE_BYTES:
            faults.append((name, f"{len(html.encode())} bytes, {html[:60]}"))
        for width, height in (WIDE, PHONE):
            await page.set_viewport_size({"width": width, "height": height})
            if (overflow := await measure_overflow(page)) > 0:
                faults.append((name, f"{overflow} pixels too wide at {width}"))
            await save_screenshot(page, f"{name}-de-{width}")
    assert faults == []


async def test_no_page_has_a_text_outside_the_catalogs(windows, site):
    page, faults = await windows.open("owner", "/", locale=PSEUDO), {}
    for name in PATHS:
        if found := find_untranslated(await (await page.goto(page_path(site, name))).text()):
            faults[name] = found
    assert faults == {}
