"""Connecting a platform in the browser: from the sandbox's banner to the first live Overview, in four clicks.

The pages run in one process and the checks in another, which uses the connection without a restart.
"""

import re
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest
from playwright.async_api import Error, Page, async_playwright, expect

from sightline.accounts.operators.grant import grant_operator
from sightline.kit.clock import utc_now
from tests.fakes.chat import Local
from tests.fakes.server import FakeServer
from tests.installation import PASSWORD, Installation
from tests.process.serving.processes import Running, running
from tests.tracked_domains import Tracker

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
SECRET_KEY = "s" * 40
_COUNT_CLICKS = (
    "addEventListener('click', (event) => { if (event.isTrusted && event.detail) window.countClick(); }, true)"
)


@asynccontextmanager
async def open_page(chromium: str, base_url: str):
    """Open a page, and count the clicks in it."""
    clicks: list[int] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = await browser.new_context(base_url=base_url)
        await context.expose_function("countClick", lambda: clicks.append(1))
        await context.add_init_script(_COUNT_CLICKS)
        yield await context.new_page(), clicks
        await browser.close()


@contextmanager
def closing_worker(settings: dict[str, object]):
    worker = Running("worker", **settings)
    try:
        yield
        assert worker.process.poll() is None, worker.printed
    finally:
        worker.kill()


async def sign_in(page: Page, email: str) -> None:
    await page.goto("/sign-in")
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.locator(".strip", has_text="every answer here is made up")).to_be_visible()


async def test_an_operator_connects_a_platform_and_sees_the_first_live_overview(chromium, database_url, tmp_path):
    async with Installation.open(database_url, tmp_path, secret_key=SECRET_KEY) as installation:
        installation.clock.now = utc_now()
        async with Tracker.open(installation) as tracker, installation.db.transaction() as tx:
            owner = tracker.tenant.owner
            await grant_operator(tx, owner.id, now=utc_now())
            await tracker.track()
        settings = {"database_url": database_url, "secret_key": SECRET_KEY, "data_dir": tmp_path / "data"}
        quick = {**settings, "analyzer_processes": 0, "sandbox_latency_ms": 0, "log_level": "warning"}
        async with FakeServer() as server:
            with running("api", **quick) as api, closing_worker(quick):
                async with open_page(chromium, api.url) as (page, clicks):
                    await sign_in(page, owner.email)
                    clicks.clear()
                    await page.get_by_role("link", name="Connect a platform").click()
                    await page.get_by_role("link", name=re.compile("^Connect .*(own|Local)", re.IGNORECASE)).click()
                    await page.get_by_label("URL").fill(server.base_url("local"))
                    await page.get_by_label("Key").fill(Local.key)
                    await page.get_by_label("Model").fill(Local.model)
                    await page.get_by_role("button", name="Connect", exact=True).click()
                    await expect(page.get_by_text("Local model is connected.")).to_be_visible()
                    await expect(page.get_by_text("The sandbox has ended.")).to_be_visible()
                    await page.get_by_role("link", name="Open the dashboard").click()
                    for _ in range(60):  # reading again is no click
                        if await page.locator(".league").count():
                            break
                        await page.wait_for_timeout(1_000)
                        with suppress(Error):  # the page leads on by itself at the same moment
                            await page.reload()
                    await expect(page.locator(".league")).to_be_visible()
                    assert await page.get_by_text("made up").count() == 0
                    assert 3 <= len(clicks) <= 4, "each counted, and not too many"
            answered = await installation.db.fetch(
                "SELECT DISTINCT platform FROM answers a JOIN scans s ON s.id = a.scan_id WHERE answers_source = 'live'"
            )
            assert [row[0] for row in answered] == ["local"] and len(server.requests["local"]) > 1
