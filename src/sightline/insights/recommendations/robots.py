"""What robots.txt of a brand's own site tells the documented crawlers of a platform.

The site is untrusted, like any other address: one request through the guard, with limits on time and size.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

import msgspec
from aiohttp import ClientError, ClientSession

from sightline.domains.site_requests import TooManyRedirects, get_within_site
from sightline.http.egress import EgressGuard, EgressRefused
from sightline.insights.models import RobotsCheck
from sightline.site_review.agents import list_agents_by_platform, read_agents
from sightline.site_review.robots import MAX_BYTES, parse_robots

TIMEOUT = 10.0

CRAWLERS: Mapping[str, tuple[str, ...]] = {
    platform: tuple(agent.name for agent in agents) for platform, agents in list_agents_by_platform().items()
}
"""As their vendors document them."""
ROBOTS_ONLY = frozenset(agent.name for agent in read_agents().agents if agent.token_only)
"""Names that only robots.txt knows: no request is made under them."""


class RobotsFile(msgspec.Struct, frozen=True):
    """The file as it was read. `text` is None if it could not be read, and empty if there is none."""

    url: str
    text: str | None
    exists: bool


FetchRobots = Callable[[str], Awaitable[RobotsFile]]


async def fetch_robots(session: ClientSession, guard: EgressGuard, domain: str) -> RobotsFile:
    """Read robots.txt of a domain. It never raises: a file that cannot be read is a finding, too.

    Redirects within the site are followed, as crawlers do. At most 512 KiB are read, within 10 seconds in total.
    """
    url = f"https://{domain}/robots.txt"
    try:
        async with asyncio.timeout(TIMEOUT):
            reply = await get_within_site(
                session, guard, url, accept="text/plain", timeout=TIMEOUT, max_bytes=MAX_BYTES
            )
    except (TooManyRedirects, EgressRefused, ClientError, OSError, ValueError):  # a timeout is an OSError
        return RobotsFile(url, None, exists=False)
    if reply is not None and reply.status in {404, 410}:
        return RobotsFile(url, "", exists=False)
    is_plain = reply is not None and reply.headers.get("content-encoding", "identity").strip().lower() == "identity"
    if reply is None or reply.status != 200 or not is_plain:
        return RobotsFile(url, None, exists=False)
    return RobotsFile(url, reply.body.decode("utf-8", "replace"), exists=True)


def check_robots(file: RobotsFile, platform: str, *, now: datetime) -> RobotsCheck:
    """Return whether the crawlers of a platform may read the home page of the site."""
    crawlers = CRAWLERS.get(platform, ())
    if not crawlers:
        return RobotsCheck(url=file.url, outcome="no_crawler", checked_at=now)
    if file.text is None:
        return RobotsCheck(url=file.url, outcome="unreadable", checked_at=now)
    if not file.exists:
        return RobotsCheck(url=file.url, outcome="missing", allowed=crawlers, checked_at=now)
    rules = parse_robots(file.text)
    blocked = tuple(name for name in crawlers if not rules.allows(name, "/"))
    return RobotsCheck(
        url=file.url,
        outcome="blocked" if blocked else "allowed",
        blocked=blocked,
        allowed=tuple(name for name in crawlers if name not in blocked),
        checked_at=now,
    )
