"""Requests to a site whose address a user provides: through the guard, with redirects that stay on the site."""

from collections.abc import Callable, Mapping

import msgspec
from aiohttp import ClientSession
from yarl import URL

from sightline.domains.names import registrable_domain
from sightline.http.egress import EgressGuard, GuardedResponse, send_guarded

_MAX_REDIRECTS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class TooManyRedirects(Exception):
    """The site redirects more often than is followed."""


class SiteReply(msgspec.Struct, frozen=True):
    """What a site answered. `response` is None if it redirects to `url`, which is not on the site."""

    response: GuardedResponse | None
    url: str
    redirects: int


async def follow_within_site(
    session: ClientSession,
    guard: EgressGuard,
    address: str,
    *,
    is_own: Callable[[str], bool],
    headers: Mapping[str, str],
    timeout: float,
    max_bytes: int,
    max_redirects: int = _MAX_REDIRECTS,
) -> SiteReply:
    """Return the reply after the redirects that stay on hosts for which `is_own` holds, each through the guard.

    Raises `TooManyRedirects` and what `send_guarded` raises.
    """
    url = URL(address)
    for redirects in range(max_redirects + 1):
        reply = await send_guarded(
            session, guard, "GET", str(url), headers=headers, timeout=timeout, max_bytes=max_bytes
        )
        location = reply.headers.get("location")
        if reply.status not in _REDIRECTS or not location:
            return SiteReply(reply, str(url), redirects)
        url = url.join(URL(location))
        if not is_own(url.raw_host or ""):
            return SiteReply(None, str(url), redirects + 1)
    raise TooManyRedirects


async def get_within_site(
    session: ClientSession, guard: EgressGuard, address: str, *, accept: str, timeout: float, max_bytes: int
) -> GuardedResponse | None:
    """Return the reply, or None if the site redirects to another registrable domain; three redirects are followed."""
    site = registrable_domain(URL(address).raw_host or "")
    found = await follow_within_site(
        session,
        guard,
        address,
        is_own=lambda host: registrable_domain(host) == site,
        headers={"Accept": accept},
        timeout=timeout,
        max_bytes=max_bytes,
    )
    return found.response
