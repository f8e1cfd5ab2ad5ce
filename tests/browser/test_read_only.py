"""Pages can be read without JavaScript, and offer a viewer nothing that would be refused."""

import re

import pytest

from tests.browser.page_paths import NOT_FOR_VIEWERS, READ_ONLY, page_path
from tests.browser.windows import PHONE
from tests.running_worker import until

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(300),  # the first one waits for the demo site and its server
]


async def test_a_viewer_can_read_pages_without_a_script_and_sees_no_form(windows, site):
    page = await windows.open("viewer", "/", java_script_enabled=False, size=PHONE)
    for name in READ_ONLY.keys() - NOT_FOR_VIEWERS:
        answer = await page.goto(page_path(site, name))
        assert answer.status == 200, name
        html = await answer.text()
        main = html.partition("<main")[2] or html
        words = re.sub(r"<[^>]+>", " ", main)
        assert len(words.split()) > 10, name
        own = r'<form[^>]*method="post"[^>]*action="([^"]+)"'
        assert re.findall(own, main) == [], name


async def test_the_overview_has_its_charts_without_a_script(windows, site):
    page = await windows.open("viewer", site.dashboard, java_script_enabled=False)
    drawn = page.locator("main svg[role=img]")
    assert await drawn.count() >= 2
    assert await drawn.first.is_visible()


async def test_faults_of_a_page_are_recorded(windows, site):
    """Prove that the other tests would notice a fault."""
    page = await windows.open("viewer", site.dashboard)
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">styled</p>')")
    await page.evaluate("console.error('a complaint')")
    await page.evaluate("setTimeout(() => { throw new Error('broken') })")
    await page.evaluate("fetch('http://127.0.0.1:9/').catch(() => 0)")

    async def has_recorded_all():
        recorded = "\n".join(windows.faults)
        return all(word in recorded for word in ("style-src", "a complaint", "broken", "connect-src"))

    await until(has_recorded_all)
    windows.faults.clear()
