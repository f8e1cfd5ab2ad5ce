"""Fetching the pages of one site: robots.txt obeyed, one at a time, through the guard, within limits of size and time.

Nothing raises because of what a site does: a page that cannot be read has a reason.
"""

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import Literal, get_args

import msgspec
from aiohttp import ClientError, ClientSession
from yarl import URL

from sightline import __version__
from sightline.answers.citations import SiteOwners, normalize_url
from sightline.domains.home_page import decode_page
from sightline.domains.site_requests import SiteReply, TooManyRedirects, follow_within_site
from sightline.http.egress import EgressGuard, EgressRefused, GuardedResponse
from sightline.site_review.robots import MAX_BYTES, RobotsRules, parse_robots

AGENT = "SightlineBot"
"""Our name in robots.txt."""

Reason = Literal[
    "robots",  # robots.txt forbids it to us
    "robots_unreadable",  # robots.txt fails: nothing may be read
    "no_connection",
    "timeout",
    "too_large",
    "too_many_redirects",
    "address_refused",  # an address in a private network, or one that no browser opens
    "compressed",  # although that was not asked for
    "not_html",
    "encoding",
    "refused",  # the site refuses us: 401, 403, 429
    "server_error",
    "time_used_up",
]
REASONS: tuple[Reason, ...] = get_args(Reason)


SITE_GUARD = EgressGuard(ports=frozenset({80, 443}))
"""Addresses of pages may have either scheme."""


class FetchLimits(msgspec.Struct, frozen=True):
    """What a review may cost a site and us."""

    page_bytes: int = 2 * 1024 * 1024
    page_seconds: float = 15.0
    sitemap_bytes: int = 5 * 1024 * 1024
    sitemaps: int = 8
    addresses: int = 5_000
    delay: float = 1.0
    """Seconds between two requests; a Crawl-delay in robots.txt makes it longer, up to thirty."""


class RobotsOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a request for robots.txt led to. `text` is None if nothing is known of it."""

    url: str
    status: int | None = None
    text: str | None = None
    is_cut: bool = False
    """Whether it is longer than what is read."""

    @property
    def is_failing(self) -> bool:
        """Return whether agents treat the file as one that forbids everything (RFC 9309, 2.3.1.4)."""
        return self.status is not None and self.status >= 500


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """What one request for a page led to, after redirects that stay on the site."""

    url: str
    """Where the redirects ended."""
    status: int | None = None
    redirects: int = 0
    left_site: bool = False
    """The page redirects to `url`, which is not on the site and was not fetched."""
    reason: Reason | None = None
    """Why the page was not read; None if `html` is what it sent, or if its status says that there is no page."""
    robots_tags: tuple[str, ...] = ()
    """The values of X-Robots-Tag."""
    html: str | None = None


class SiteFetcher:
    """Fetches from the hosts of one brand. One instance asks for one page at a time."""

    def __init__(
        self,
        session: ClientSession,
        guard: EgressGuard,
        domains: Sequence[str],
        *,
        docs_url: str,
        limits: FetchLimits | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        scheme: Literal["https", "http"] = "https",
    ) -> None:
        """`domains` are the brand's, its site first. `scheme` is http only for the example site of this machine."""
        self.domain, self.scheme = domains[0], scheme
        self._session, self._guard = session, guard
        self._owners = SiteOwners([domains])
        self._headers = {"User-Agent": f"Mozilla/5.0 (compatible; {AGENT}/{__version__}; +{docs_url})"}
        self._limits = limits or FetchLimits()
        self._sleep = sleep
        self._rules: dict[str, RobotsRules | None] = {}
        self._asked = False

    def is_own_host(self, host: str) -> bool:
        citation = normalize_url(f"https://{host}/")
        return citation is not None and bool(self._owners.of(citation))

    async def fetch_robots(self, host: str | None = None) -> RobotsOutcome:
        """Read robots.txt of a host, and keep its rules for the pages of that host. A 4xx allows everything."""
        host = host or self.domain
        url = f"{self.scheme}://{host}/robots.txt"
        found = await self._request(url, accept="text/plain", max_bytes=MAX_BYTES, max_redirects=5)
        outcome = _read_robots(url, found)
        self._rules[host] = None if outcome.text is None else parse_robots(outcome.text)
        return outcome

    def list_named_sitemaps(self) -> tuple[str, ...]:
        """Return the sitemaps that robots.txt of the site names."""
        rules = self._rules.get(self.domain)
        return () if rules is None else rules.sitemaps

    async def fetch_page(self, url: str) -> Fetched:
        """Fetch a page of the site. Nothing is requested of another site, or against robots.txt."""
        try:
            address = URL(url)
            host = address.raw_host or ""
        except ValueError:
            return Fetched(url=url, reason="address_refused")
        if not self.is_own_host(host):
            return Fetched(url=url, reason="address_refused")
        if self.scheme == "http":
            url = str(address := address.with_scheme("http"))
        if (refused := await self._ask_robots(address, host)) is not None:
            return Fetched(url=url, reason=refused)
        found = await self._request(url, accept="text/html, application/xhtml+xml")
        if isinstance(found, SiteReply) and found.response is not None and found.response.status >= 500:
            found = await self._request(url, accept="text/html, application/xhtml+xml")  # it may have been a hiccup
        if not isinstance(found, SiteReply):
            return Fetched(url=url, reason=found)
        if found.response is None:
            return Fetched(url=found.url, redirects=found.redirects, left_site=True)
        return self._read_page(found, found.response)

    async def fetch_sitemap(self, sitemaps: Collection[str] = ()) -> list[str]:
        """Return the addresses of the site's sitemaps, in their order, as far as they can be read within the limits.

        An index leads to further sitemaps, eight files in total. What cannot be read has no addresses.
        """
        waiting = list(sitemaps) or [f"{self.scheme}://{self.domain}/sitemap.xml"]
        seen: set[str] = set()
        found: dict[str, None] = {}
        while waiting and len(seen) < self._limits.sitemaps and len(found) < self._limits.addresses:
            url = waiting.pop(0)
            if url in seen or not self._is_own(url):
                continue
            seen.add(url)
            reply = await self._request(url, accept="application/xml, text/xml", max_bytes=self._limits.sitemap_bytes)
            if not isinstance(reply, SiteReply) or reply.response is None or reply.response.status != 200:
                continue
            text = _unpack(reply.response.body, self._limits.sitemap_bytes)
            nested, pages = _read_sitemap(text, self._limits.addresses - len(found))
            waiting += nested
            found.update(dict.fromkeys(page for page in pages if self._is_own(page)))
        return list(found)[: self._limits.addresses]

    def _is_own(self, url: str) -> bool:
        try:
            address = URL(url)
        except ValueError:
            return False
        return address.scheme in {"http", "https"} and self.is_own_host(address.raw_host or "")

    async def _ask_robots(self, address: URL, host: str) -> Reason | None:
        if host not in self._rules:
            await self.fetch_robots(host)
        rules = self._rules[host]
        if rules is None:
            return "robots_unreadable"
        return None if rules.allows(AGENT, address.raw_path_qs) else "robots"

    async def _request(
        self, url: str, *, accept: str, max_bytes: int | None = None, max_redirects: int = 5
    ) -> SiteReply | Reason:
        """Request an address after the delay, and return the reply or why there is none."""
        limit = self._limits.page_bytes if max_bytes is None else max_bytes
        if self._asked:
            delays = (rules.find_crawl_delay(AGENT) for rules in self._rules.values() if rules)
            await self._sleep(max(self._limits.delay, *delays, 0.0))
        self._asked = True
        seconds = self._limits.page_seconds
        try:
            async with asyncio.timeout(seconds):
                return await follow_within_site(
                    self._session,
                    self._guard,
                    url,
                    is_own=self.is_own_host,
                    headers={**self._headers, "Accept": accept},
                    timeout=seconds,
                    max_bytes=limit + 1,
                    max_redirects=max_redirects,
                )
        except TooManyRedirects:
            return "too_many_redirects"
        except EgressRefused:
            return "address_refused"
        except TimeoutError:
            return "timeout"
        except (ClientError, OSError):
            return "no_connection"
        except ValueError:
            return "address_refused"

    def _read_page(self, found: SiteReply, response: GuardedResponse) -> Fetched:
        tags = response.headers.get("x-robots-tag", "")
        page = partial(
            Fetched,
            url=found.url,
            status=response.status,
            redirects=found.redirects,
            robots_tags=(tags,) if tags else (),
        )
        if response.status in {404, 410}:
            return page()
        if response.status >= 500:
            return page(reason="server_error")
        if response.status != 200:
            return page(reason="refused")
        if response.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
            return page(reason="compressed")
        kind = response.headers.get("content-type", "text/html").partition(";")[0].strip().lower()
        if kind not in {"", "text/html", "application/xhtml+xml"}:
            return page(reason="not_html")
        if len(response.body) > self._limits.page_bytes:
            return page(reason="too_large")
        html = decode_page(response)
        if _is_garbled(html):
            return page(reason="encoding")
        return page(html=html)


def _read_robots(url: str, found: SiteReply | Reason) -> RobotsOutcome:
    if not isinstance(found, SiteReply) or found.response is None:
        return RobotsOutcome(url=url, text="" if found == "too_many_redirects" else None)
    response = found.response
    if response.status >= 500 or response.status == 429:
        return RobotsOutcome(url=url, status=response.status)
    if not 200 <= response.status < 300:
        return RobotsOutcome(url=url, status=response.status, text="")
    if response.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        return RobotsOutcome(url=url, status=response.status)
    body = response.body[:MAX_BYTES]
    return RobotsOutcome(
        url=url,
        status=response.status,
        text=body.decode("utf-8", "replace"),
        is_cut=len(response.body) > MAX_BYTES,
    )


_MAX_UNREADABLE = 0.05


def _is_garbled(html: str) -> bool:
    """Return whether the page was written in another encoding than it says, or is no text at all."""
    strange = html.count("\ufffd") + html.count("\x00")
    letters = sum(not character.isascii() for character in html)
    return strange > 5 and (strange > _MAX_UNREADABLE * len(html) or 2 * strange > letters)


def _unpack(body: bytes, limit: int) -> bytes:
    """Return the sitemap, which may be a gzip file; no more than `limit` bytes of it."""
    if not body.startswith(b"\x1f\x8b"):
        return body[:limit]
    try:
        return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(body, limit)
    except zlib.error:
        return b""


def _read_sitemap(body: bytes, limit: int) -> tuple[list[str], list[str]]:
    """Return the sitemaps and the pages that a sitemap names.

    It is searched instead of parsed: an XML parser would follow what a hostile file defines.
    """
    text = body.decode("utf-8", "replace").removeprefix("\ufeff")
    is_index = "<sitemapindex" in text[:2_000].lower()
    found: list[str] = []
    place = 0
    while len(found) < limit and (start := text.find("<loc>", place)) >= 0:
        end = text.find("</loc>", start)
        if end < 0:
            break
        address = text[start + 5 : end].strip()
        if len(address) <= 2_000:
            found.append(address.removeprefix("<![CDATA[").removesuffix("]]>").strip().replace("&amp;", "&"))
        place = end + 6
    if not found and not text.lstrip().startswith("<"):
        found = [line for line in text.split("\n")[:limit] if line.startswith("http")]
    return (found, []) if is_index else ([], found)
