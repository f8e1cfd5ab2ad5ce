"""One Chromium, one server and one world for all tests of the browser; without a Chromium they are left out.

Everything runs on one event loop of the session: a browser cannot change loops from test to test.
"""

import asyncio
import shutil
import tempfile
import uuid
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from tests.browser.visit import Chrome
from tests.browser.world import build_world, serving
from tests.databases import run_sql, with_database

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="session")
def chromium() -> str:
    found = find_chromium()
    if found is None:
        pytest.skip(f"no browser test ran: there is no Chromium here (looked for {', '.join(NAMES)})")
    return found


@pytest.fixture(scope="session")
def world_home():
    home = Path(tempfile.mkdtemp(prefix="sightline-browser-"))
    yield home
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def world_database(chromium, server_url, template):
    name = f"test_{uuid.uuid4().hex}"
    asyncio.run(run_sql(server_url, f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY'))
    yield with_database(server_url, name)
    asyncio.run(run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)'))


@pytest.fixture(scope="session")
def world(world_database, world_home):
    return asyncio.run(build_world(world_database, world_home))


@pytest.fixture(scope="session")
def base_url(world, world_database, world_home):
    with serving(world_database, world_home) as url:
        yield url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chrome(chromium, base_url, world):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        opened = Chrome(browser, base_url, world)
        yield opened
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visit(chrome):
    """Opens pages as somebody; what went wrong on any of them fails the test when it ends."""
    async with chrome.watching() as opened:
        yield opened
