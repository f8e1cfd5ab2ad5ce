"""An HTTP client that acts as a browser without scripts: it keeps cookies and follows no redirects."""

import re
from contextlib import asynccontextmanager
from functools import cache

import httpx

from sightline.api.app import OPERATIONS, create_app
from sightline.api.app_context import build_app_context
from sightline.api.edge.middleware import ApiMiddleware
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.settings import Settings
from sightline.web.app import ROUTES, handle_not_found


@asynccontextmanager
async def open_browser(installation, user=None, **headers: str):
    """Open a browser, signed in as `user` if one is given."""
    transport = httpx.ASGITransport(app=build_application(installation), client=("203.0.113.7", 4711))
    named = {name.replace("_", "-"): value for name, value in {"Sec_Fetch_Site": "same-origin", **headers}.items()}
    async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=named) as browser:
        if user is not None:
            await installation.open_session_for(browser, user, agent=named.get("User-Agent"))
        yield browser


@cache
def _build_pages():
    """Build the pages once for all tests: routing a hundred of them takes longer than most tests."""
    unused = build_app_context(Settings(secret_key="s" * 40), Database("postgresql://unused", pool_size=1), utc_now)
    return create_app(unused, ROUTES, handle_not_found).app


def build_application(installation):
    """Return the ASGI application of an installation; each request gets its app context on arrival."""
    pages = _build_pages()
    edge = ApiMiddleware(pages, OPERATIONS, installation.app_context)

    async def serve(scope, receive, send):
        pages.state.app_context = installation.app_context
        await edge(scope, receive, send)

    return serve


def assert_explained(page):
    """Assert that each button of a page opens an explanation, and that no two have the same id."""
    asked = set(re.findall(r'popovertarget="(about-\w+)"', page))
    given = re.findall(r'<section class="explanation" id="(about-\w+)" popover', page)
    assert asked and sorted(asked) == sorted(given)
