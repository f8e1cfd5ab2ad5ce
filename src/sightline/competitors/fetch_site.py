"""Reading the front page of a competitor's site: one stranger's address, so all of it goes through the guard."""

import asyncio
import codecs
import re
from collections.abc import Awaitable, Callable

from aiohttp import ClientError, ClientSession
from yarl import URL

from sightline.competitors.site_name import parse_site_name
from sightline.domains.names import registrable_domain
from sightline.http.egress import Guard, GuardedReply, Refused, send_guarded

_MAX_PAGE_BYTES = 512 * 1024
_TIMEOUT = 10.0
_MAX_REDIRECTS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PAGES = ("text/html", "application/xhtml+xml")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([a-zA-Z0-9_.:-]{1,40})", re.IGNORECASE)
# Codecs of text alone: Python knows others by name, that unpack or compute.
_ENCODINGS = re.compile(
    r"utf-8|utf-16(-[lb]e)?|cp(125\d|874|932|949)|iso8859-\d+|shift_jis|euc_(jp|kr)|iso2022_jp|"
    r"gb2312|gbk|gb18030|big5|koi8-[ru]"
)

Fetch = Callable[[str], Awaitable[str | None]]


class SiteUnreadable(Exception):
    """Whether a name is declared was not learnt. `passing`: it may go better another time."""

    def __init__(self, reason: str, *, passing: bool) -> None:
        super().__init__(reason)
        self.passing = passing


async def fetch_site_name(session: ClientSession, guard: Guard, domain: str) -> str | None:
    """What the site of the domain calls itself; None when it was read and declares nothing. Raises `SiteUnread`.

    The session is one of `egress.open_guarded_session`. At most 512 KiB are read, within 10 seconds for everything.
    Three redirects are followed, each through the guard, and none that leaves what the domain's owner registered: there
    another's name would be declared.
    """
    try:
        async with asyncio.timeout(_TIMEOUT):
            reply = await _get(session, guard, domain)
    except Refused as refused:
        raise SiteUnreadable(str(refused), passing=False) from refused
    except (ClientError, OSError, ValueError) as failure:  # a time-out is an OSError
        raise SiteUnreadable(type(failure).__name__, passing=True) from failure
    if reply is None:
        return None
    if reply.status != 200:
        passing = reply.status in {408, 425, 429} or reply.status >= 500
        raise SiteUnreadable(f"status {reply.status}", passing=passing)
    if not reply.headers.get("content-type", "text/html").strip().lower().startswith(_PAGES):
        return None
    if reply.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        raise SiteUnreadable("the page is packed, though that was not asked for", passing=False)
    return parse_site_name(_decode(reply))


async def _get(session: ClientSession, guard: Guard, domain: str) -> GuardedReply | None:
    """None when the address leads to somebody else's."""
    url = URL(f"https://{domain}/")
    for _ in range(_MAX_REDIRECTS + 1):
        reply = await send_guarded(
            session,
            guard,
            "GET",
            str(url),
            headers={"Accept": "text/html,application/xhtml+xml"},
            timeout=_TIMEOUT,
            max_bytes=_MAX_PAGE_BYTES,
        )
        location = reply.headers.get("location")
        if reply.status not in _REDIRECTS or not location:
            return reply
        url = url.join(URL(location))
        if registrable_domain(url.raw_host or "") != registrable_domain(domain):
            return None
    raise SiteUnreadable("too many redirects", passing=False)


def _decode(reply: GuardedReply) -> str:
    """By the header, else by what the page says at its beginning; characters that cannot be read become U+FFFD."""
    said = _CHARSET.search(reply.headers.get("content-type", "")) or _CHARSET.search(
        reply.body[:1024].decode("ascii", "replace")
    )
    if reply.body.startswith(codecs.BOM_UTF8) or said is None:
        return reply.body.decode("utf-8", "replace")
    try:
        encoding = codecs.lookup(said[1]).name
    except LookupError:
        encoding = "utf-8"
    if encoding in {"iso8859-1", "ascii"}:
        encoding = "cp1252"  # as browsers do
    return reply.body.decode(encoding if _ENCODINGS.fullmatch(encoding) else "utf-8", "replace")
