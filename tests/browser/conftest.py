"""One Chromium, one server and one demo site for all browser tests; without a Chromium they are skipped.

Everything runs on the event loop of the session: a browser cannot change loops between tests.
"""

import asyncio
import shutil
import tempfile
import uuid
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from tests.browser.demo_site import build_demo_site, run_server
from tests.browser.windows import SharedBrowser
from tests.databases import run_sql, with_database

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


@pytest.fixture(scope="session")
def chromium() -> str:
    found = find_chromium()
    if found is None:
        pytest.skip(f"browser tests are skipped: no Chromium was found (tried {', '.join(CHROMIUM_NAMES)})")
    return found


@pytest.fixture(scope="session")
def site_home():
    home = Path(tempfile.mkdtemp(prefix="sightline-browser-"))
    yield home
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def site_database(chromium, server_url, template):
    name = f"test_{uuid.uuid4().hex}"
    asyncio.run(run_sql(server_url, f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY'))
    yield with_database(server_url, name)
    asyncio.run(run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)'))


@pytest.fixture(scope="session")
def site(site_database, site_home):
    return asyncio.run(build_demo_site(site_database, site_home))


@pytest.fixture(scope="session")
def base_url(site, site_database, site_home):
    with run_server(site_database, site_home) as url:
        yield url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def shared_browser(chromium, base_url, site):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        opened = SharedBrowser(browser, base_url, site)
        yield opened
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def windows(shared_browser):
    """Open browser windows as a user; any fault on their pages fails the test at its end."""
    async with shared_browser.open_windows() as opened:
        yield opened
