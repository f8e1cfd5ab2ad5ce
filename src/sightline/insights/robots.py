"""What robots.txt of a brand's own site tells the documented crawlers of a platform.

The site is untrusted, like any other address: one request through the guard, with limits on time and size.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from urllib.robotparser import RobotFileParser

import msgspec
from aiohttp import ClientError, ClientSession
from yarl import URL

from sightline.domains.names import registrable_domain
from sightline.http.egress import EgressGuard, EgressRefused, GuardedResponse, send_guarded
from sightline.insights.models import RobotsCheck

_MAX_BYTES = 512 * 1024  # what RFC 9309 asks crawlers to read at least
_TIMEOUT = 10.0
_MAX_REDIRECTS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})

# As the vendors document them. Training crawlers are left out where another one decides what answers can cite.
CRAWLERS: Mapping[str, tuple[str, ...]] = {
    "chatgpt": ("OAI-SearchBot", "ChatGPT-User", "GPTBot"),
    "claude": ("Claude-SearchBot", "Claude-User", "ClaudeBot"),
    "perplexity": ("PerplexityBot", "Perplexity-User"),
    "gemini": ("Googlebot", "Google-Extended"),
    "google_ai_overviews": ("Googlebot",),
    "google_ai_mode": ("Googlebot",),
    "copilot": ("Bingbot",),
    "mistral": ("MistralAI-User",),
}


class RobotsFile(msgspec.Struct, frozen=True):
    """The file as it was read. `text` is None if it could not be read, and empty if there is none."""

    url: str
    text: str | None
    exists: bool


FetchRobots = Callable[[str], Awaitable[RobotsFile]]


async def fetch_robots(session: ClientSession, guard: EgressGuard, domain: str) -> RobotsFile:
    """Read robots.txt of a domain. It never raises: a file that cannot be read is a finding, too.

    Up to three redirects within the registrable domain are followed, each through the guard, as crawlers do.
    """
    url = URL(f"https://{domain}/robots.txt")
    try:
        async with asyncio.timeout(_TIMEOUT):
            reply = await _get(session, guard, url)
    except (EgressRefused, ClientError, OSError, ValueError):  # a timeout is an OSError
        reply = None
    if reply is None or reply.status >= 500 or reply.status in {*_REDIRECTS, 429}:
        return RobotsFile(str(url), None, exists=False)
    if reply.status >= 400:
        return RobotsFile(str(url), "", exists=False)
    if reply.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        return RobotsFile(str(url), None, exists=False)
    return RobotsFile(str(url), reply.body.decode("utf-8", "replace"), exists=True)


async def _get(session: ClientSession, guard: EgressGuard, url: URL) -> GuardedResponse | None:
    """Return the reply, or None where a redirect leaves the domain or leads on for too long."""
    start = registrable_domain(url.raw_host or "")
    for _ in range(_MAX_REDIRECTS + 1):
        reply = await send_guarded(session, guard, "GET", str(url), timeout=_TIMEOUT, max_bytes=_MAX_BYTES)
        location = reply.headers.get("location")
        if reply.status not in _REDIRECTS or not location:
            return reply
        url = url.join(URL(location))
        if registrable_domain(url.raw_host or "") != start:
            return None
    return None


def check_robots(file: RobotsFile, platform: str, *, now: datetime) -> RobotsCheck:
    """Return whether the crawlers of a platform may read the home page of the site."""
    crawlers = CRAWLERS.get(platform, ())
    if not crawlers:
        return RobotsCheck(url=file.url, outcome="no_crawler", checked_at=now)
    if file.text is None:
        return RobotsCheck(url=file.url, outcome="unreadable", checked_at=now)
    if not file.exists:
        return RobotsCheck(url=file.url, outcome="missing", allowed=crawlers, checked_at=now)
    parser = RobotFileParser()
    parser.parse(file.text.removeprefix("\ufeff").splitlines())
    blocked = tuple(name for name in crawlers if not parser.can_fetch(name, "/"))
    return RobotsCheck(
        url=file.url,
        outcome="blocked" if blocked else "allowed",
        blocked=blocked,
        allowed=tuple(name for name in crawlers if name not in blocked),
        checked_at=now,
    )
