"""Every page in Chromium, on a desktop, a small screen and a phone, in light and dark.

No serious accessibility violation (axe) on desktop and phone in light, nor of colors in dark. No console error, no CSP
violation, no sideways scrolling, and HTML under 150 KB.
"""

import pytest

from tests.browser.page_paths import SIGNED_IN, SIGNED_OUT, page_path
from tests.browser.windows import MAX_PAGE_BYTES, check_themes_and_widths

pytestmark = [
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]

_PARTS = 8


async def check_pages(page, site, names) -> None:
    for name in names:
        answer = await page.goto(page_path(site, name))
        assert answer.status == 200, name
        size = len(await answer.body())
        assert size < MAX_PAGE_BYTES, f"{name} has {size} bytes"
        try:
            await check_themes_and_widths(page, name)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


@pytest.mark.parametrize("part", range(_PARTS))
async def test_every_page_has_no_fault_in_any_theme_or_width(windows, site, part):
    page = await windows.open("owner", "/")
    await check_pages(page, site, list(SIGNED_IN)[part::_PARTS])


async def test_public_pages_have_no_fault(windows, site):
    await check_pages(await windows.open(), site, SIGNED_OUT)
