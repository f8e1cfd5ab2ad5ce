"""Pages of a domain that are rendered once for the rows that they show, as long as none of these rows changes.

A key covers everything that a page is made of, so an entry is never out of date. `insights/versions/` tells whether a
row has changed without reading it.
"""

import hashlib
import uuid
from collections.abc import Awaitable, Callable
from threading import Lock
from typing import Any

import msgspec
from cachetools import LRUCache
from litestar import Response

from sightline.insights.versions.models import DomainVersion
from sightline.insights.versions.read import read_version
from sightline.kit.ids import parse_id
from sightline.presentation.dates import current_time_zone, format_date
from sightline.presentation.language import current_language
from sightline.web.layout import list_frame_inputs
from sightline.web.page_context import MAX_SWITCHER_DOMAINS, PageContext, add_domain, open_membership
from sightline.web.page_requests import PageRequest
from sightline.web.render import private_html_response
from sightline.web.returned_forms import RESTORE
from sightline.web.theme import current_theme

_MAX_PAGES = 200  # of at most 150 KB


class PageCache:
    """The most recently used pages, safe to use from several threads."""

    def __init__(self, max_pages: int = _MAX_PAGES) -> None:
        self._pages: LRUCache[bytes, str] = LRUCache(max_pages)
        self._lock = Lock()

    def get(self, key: bytes) -> str | None:
        with self._lock:
            return self._pages.get(key)

    def put(self, key: bytes, html: str) -> None:
        with self._lock:
            self._pages[key] = html


RENDERED_PAGES = PageCache()


async def render_once(
    request: PageRequest,
    workspace: str,
    domain: str,
    render: Callable[..., Awaitable[Response[str]]],
    read_state: Callable[[PageContext], Awaitable[Any]] | None = None,
    *,
    shows_progress: bool = False,
) -> Response[str]:
    """Return the page of a domain that `render` makes of its context, or made before for the same person and rows.

    `read_state` reads what the page shows besides rows of the domain, which `read_version` does not know; `render`
    gets it after the context. A page that `shows_progress` is rendered again for every answer of a running scan.
    """
    member = await open_membership(request, workspace)
    wanted = parse_id(domain)
    version = await _read_version(member, wanted, shows_progress=shows_progress)
    ctx = await add_domain(member, domain) if read_state else None
    state = (await read_state(ctx),) if read_state and ctx else ()
    times = (f"{member.now:%Y-%m-%d %H}", format_date(member.now))  # a reader's day may begin within an hour
    key = page_key(version, str(request.url), list_frame_inputs(member), times, state)
    is_kept = version.is_settled and RESTORE not in request.query_params
    html = RENDERED_PAGES.get(key) if is_kept else None
    if html is not None:
        return private_html_response(html)
    response = await render(ctx or await add_domain(member, domain), *state)
    is_usual = response.status_code in {None, 200}
    if is_kept and is_usual and version == await _read_version(member, wanted, shows_progress=shows_progress):
        RENDERED_PAGES.put(key, response.content)  # not if rows have changed while rendering
    return response


async def _read_version(member: PageContext, domain_id: uuid.UUID | None, *, shows_progress: bool) -> DomainVersion:
    version = await read_version(member.db, member.actor.workspace_id, domain_id, newest_domains=MAX_SWITCHER_DOMAINS)
    return version if shows_progress else msgspec.structs.replace(version, newest_scan="")


def page_key(*inputs: Any) -> bytes:
    """Return a digest of all that a page is rendered from, with the reader's time zone, language and theme."""
    reader = (current_time_zone(), current_language(), current_theme())
    return hashlib.sha256(msgspec.msgpack.encode((reader, inputs))).digest()
