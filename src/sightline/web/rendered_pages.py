"""Pages of a domain that are rendered once for the rows that they show, as long as none of these rows changes.

A key covers everything that a page is made of, so an entry is never out of date. `insights/versions/` tells whether a
row has changed without reading it.
"""

import hashlib
from collections.abc import Awaitable, Callable
from threading import Lock
from typing import Any

import msgspec
from cachetools import LRUCache
from litestar import Response

from sightline.insights.versions.models import DomainVersion
from sightline.insights.versions.read import read_version
from sightline.presentation.dates import current_time_zone, format_date
from sightline.web.form_filling import RESTORE
from sightline.web.layout import list_frame_inputs
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest
from sightline.web.render import private_html_response
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
    ctx: PageContext,
    render: Callable[[], Awaitable[Response[str]]],
    *inputs: Any,
    shows_progress: bool = False,
) -> Response[str]:
    """Return the page that `render` makes, or what it made for the same person and the same rows.

    `inputs` is what the page shows besides rows of the domain: what `read_version` does not know. A page that
    `shows_progress` is rendered again for every answer of a running scan.
    """
    version = await _read_version(ctx, shows_progress=shows_progress)
    if not version.is_settled or RESTORE in request.query_params:
        return await render()
    times = (f"{ctx.now:%Y-%m-%d %H}", format_date(ctx.now))  # a reader's day may begin within an hour
    key = page_key(version, str(request.url), list_frame_inputs(ctx), times, inputs)
    html = RENDERED_PAGES.get(key)
    if html is not None:
        return private_html_response(html)
    response = await render()
    is_usual = response.status_code in {None, 200}
    if is_usual and await _read_version(ctx, shows_progress=shows_progress) == version:  # else some rows were newer
        RENDERED_PAGES.put(key, response.content)
    return response


async def _read_version(ctx: PageContext, *, shows_progress: bool) -> DomainVersion:
    assert ctx.domain is not None
    version = await read_version(ctx.db, ctx.actor.workspace_id, ctx.domain.id)
    return version if shows_progress else msgspec.structs.replace(version, newest_scan="")


def page_key(*inputs: Any) -> bytes:
    """Return a digest of everything that a page is rendered from, the reader's time zone and theme included."""
    return hashlib.sha256(msgspec.msgpack.encode((current_time_zone(), current_theme(), inputs))).digest()
