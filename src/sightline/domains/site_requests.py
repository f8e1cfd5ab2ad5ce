"""Requests to a site whose address a user provides: through the guard, with redirects that stay on the site."""

from aiohttp import ClientSession
from yarl import URL

from sightline.domains.names import registrable_domain
from sightline.http.egress import EgressGuard, GuardedResponse, send_guarded

_MAX_REDIRECTS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class TooManyRedirects(Exception):
    """The site redirects more than three times."""


async def get_within_site(
    session: ClientSession, guard: EgressGuard, address: str, *, accept: str, timeout: float, max_bytes: int
) -> GuardedResponse | None:
    """Return the reply, or None if the site redirects to another registrable domain.

    Three redirects are followed, each through the guard. Raises `TooManyRedirects` and what `send_guarded` raises.
    """
    url = URL(address)
    site = registrable_domain(url.raw_host or "")
    for _ in range(_MAX_REDIRECTS + 1):
        reply = await send_guarded(
            session, guard, "GET", str(url), headers={"Accept": accept}, timeout=timeout, max_bytes=max_bytes
        )
        location = reply.headers.get("location")
        if reply.status not in _REDIRECTS or not location:
            return reply
        url = url.join(URL(location))
        if registrable_domain(url.raw_host or "") != site:
            return None
    raise TooManyRedirects
