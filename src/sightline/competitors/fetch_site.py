"""Fetching the name that a competitor's site declares for itself."""

from collections.abc import Awaitable, Callable

from aiohttp import ClientSession

from sightline.competitors.site_name import parse_site_name
from sightline.domains.home_page import fetch_home_page
from sightline.http.egress import EgressGuard

Fetch = Callable[[str], Awaitable[str | None]]


async def fetch_site_name(session: ClientSession, guard: EgressGuard, domain: str) -> str | None:
    """Return the name that the site declares, or None if it declares none. Raises `SiteUnreadable`."""
    html = await fetch_home_page(session, guard, domain)
    return None if html is None else parse_site_name(html)
