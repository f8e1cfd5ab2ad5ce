"""Fetching the home page of a site. The address is untrusted, so every request goes through the guard."""

import asyncio
import codecs
import re
from collections.abc import Awaitable, Callable

from aiohttp import ClientError, ClientSession

from sightline.domains.site_requests import TooManyRedirects, get_within_site
from sightline.http.egress import EgressGuard, EgressRefused, GuardedResponse

_MAX_PAGE_BYTES = 512 * 1024
TIMEOUT = 10.0  # seconds
_PAGES = ("text/html", "application/xhtml+xml")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([a-zA-Z0-9_.:-]{1,40})", re.IGNORECASE)
# Only text encodings: Python has other codecs that decompress or transform.
_ENCODINGS = re.compile(
    r"utf-8|utf-16(-[lb]e)?|cp(125\d|874|932|949)|iso8859-\d+|shift_jis|euc_(jp|kr)|iso2022_jp|"
    r"gb2312|gbk|gb18030|big5|koi8-[ru]"
)

FetchPage = Callable[[str], Awaitable[str | None]]


class SiteUnreadable(Exception):
    """The site could not be read. `temporary`: another attempt may succeed."""

    def __init__(self, reason: str, *, temporary: bool) -> None:
        super().__init__(reason)
        self.temporary = temporary


async def fetch_home_page(
    session: ClientSession, guard: EgressGuard, domain: str, *, timeout: float | None = None
) -> str | None:
    """Return the HTML of the home page, or None if the site has none: it redirects elsewhere or sends something else.

    Raises `SiteUnreadable`. The session comes from `egress.open_guarded_session`. At most 512 KiB are read, within
    `timeout` seconds in total, 10 by default. Three redirects are followed, each through the guard, and none that
    leaves the registrable domain: another site may belong to another company.
    """
    timeout = TIMEOUT if timeout is None else timeout
    try:
        async with asyncio.timeout(timeout):
            reply = await get_within_site(
                session,
                guard,
                f"https://{domain}/",
                accept=", ".join(_PAGES),
                timeout=timeout,
                max_bytes=_MAX_PAGE_BYTES,
            )
    except TooManyRedirects as failure:
        raise SiteUnreadable("too many redirects", temporary=False) from failure
    except EgressRefused as refused:
        raise SiteUnreadable(str(refused), temporary=False) from refused
    except TimeoutError as failure:
        raise SiteUnreadable(f"no answer within {timeout:g} seconds", temporary=True) from failure
    except (ClientError, OSError, ValueError) as failure:
        raise SiteUnreadable("no connection", temporary=True) from failure
    if reply is None:
        return None
    if reply.status != 200:
        temporary = reply.status in {408, 425, 429} or reply.status >= 500
        raise SiteUnreadable(f"status {reply.status}", temporary=temporary)
    if not reply.headers.get("content-type", "text/html").strip().lower().startswith(_PAGES):
        return None
    if reply.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        raise SiteUnreadable("the page is compressed, which was not requested", temporary=False)
    return decode_page(reply)


def decode_page(reply: GuardedResponse) -> str:
    """Decode the page by its header, or else by its first 1,024 bytes; undecodable characters become U+FFFD."""
    charset = _CHARSET.search(reply.headers.get("content-type", "")) or _CHARSET.search(
        reply.body[:1024].decode("ascii", "replace")
    )
    if reply.body.startswith(codecs.BOM_UTF8) or charset is None:
        return reply.body.decode("utf-8", "replace")
    try:
        encoding = codecs.lookup(charset[1]).name
    except LookupError:
        encoding = "utf-8"
    if encoding in {"iso8859-1", "ascii"}:
        encoding = "cp1252"  # as browsers do
    return reply.body.decode(encoding if _ENCODINGS.fullmatch(encoding) else "utf-8", "replace")
