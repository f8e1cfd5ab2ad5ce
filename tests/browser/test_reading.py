"""Reading works without JavaScript, and a viewer is offered nothing that would be refused."""

import re

import pytest

from tests.browser.pages import NOT_FOR_VIEWERS, READING, path_of
from tests.browser.visit import PHONE
from tests.running_worker import until

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.xdist_group("browser"),
    pytest.mark.timeout(300),  # the first of them waits for the world and its server
]


async def test_every_reading_page_can_be_read_without_a_script_by_a_viewer_who_sees_no_action(visit, world):
    page = await visit.open("viewer", "/", java_script_enabled=False, size=PHONE)
    for name in READING.keys() - NOT_FOR_VIEWERS:
        answer = await page.goto(path_of(world, name))
        assert answer.status == 200, name
        html = await answer.text()
        main = html.partition("<main")[2] or html
        words = re.sub(r"<[^>]+>", " ", main)
        assert len(words.split()) > 20, name
        own = r'<form[^>]*method="post"[^>]*action="([^"]+)"'
        assert re.findall(own, main) == [], name


async def test_the_overview_has_its_charts_without_a_script(visit, world):
    page = await visit.open("viewer", world.dashboard, java_script_enabled=False)
    drawn = page.locator("main svg[role=img]")
    assert await drawn.count() >= 2
    assert await drawn.first.is_visible()


async def test_the_watch_on_every_page_notices_what_it_is_there_for(visit, world):
    """Otherwise the silence of all other tests would mean nothing."""
    page = await visit.open("viewer", world.dashboard)
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">styled</p>')")
    await page.evaluate("console.error('a complaint')")
    await page.evaluate("setTimeout(() => { throw new Error('broken') })")
    await page.evaluate("fetch('http://127.0.0.1:9/').catch(() => 0)")

    async def has_heard_all():
        heard = "\n".join(visit.faults)
        return all(word in heard for word in ("style-src", "a complaint", "broken", "connect-src"))

    await until(has_heard_all)
    visit.faults.clear()
