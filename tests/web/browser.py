"""A browser without a script: keeps cookies, follows nothing by itself."""

from contextlib import asynccontextmanager
from functools import cache

import httpx

from sightline.api.app import OPERATIONS, create_app
from sightline.api.app_context import build_app_context
from sightline.api.edge.middleware import ApiMiddleware
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.settings import Settings
from sightline.web.app import PAGES, handle_not_found


@asynccontextmanager
async def visiting(installation, user=None, **headers: str):
    """Signed in as `user`, when there is one."""
    transport = httpx.ASGITransport(app=application_of(installation), client=("203.0.113.7", 4711))
    named = {name.replace("_", "-"): value for name, value in {"Sec_Fetch_Site": "same-origin", **headers}.items()}
    async with httpx.AsyncClient(transport=transport, base_url="http://test", headers=named) as browser:
        if user is not None:
            await installation.open_session_for(browser, user, agent=named.get("User-Agent"))
        yield browser


@cache
def _build():
    """Once for all tests: putting a hundred pages together takes longer than most tests."""
    unused = build_app_context(Settings(secret_key="s" * 40), Database("postgresql://unused", pool_size=1), utc_now)
    return create_app(unused, PAGES, handle_not_found)._app


def application_of(installation):
    """The pages of this house: what a request needs is handed over when it comes in."""
    pages = _build()
    edge = ApiMiddleware(pages, OPERATIONS, installation.app_context)

    async def serve(scope, receive, send):
        pages.state.app_context = installation.app_context
        await edge(scope, receive, send)

    return serve
