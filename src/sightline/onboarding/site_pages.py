"""Home pages of sites that are being set up, remembered for a minute.

Anyone can name a domain and open its set-up again and again. The site is requested once a minute at most.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

from aiohttp import ClientSession
from cachetools import TTLCache

from sightline.domains.home_page import SiteUnreadable, fetch_home_page
from sightline.domains.page_declarations import cut_declarations
from sightline.http.egress import EgressGuard, open_guarded_session
from sightline.kit.shared_tasks import SharedTasks

_Fetched = str | SiteUnreadable | None
_MAX_PAGES = 64
_SECONDS = 60.0
_TIMEOUT = 5.0  # somebody waits for the page
_MAX_REQUESTS = 32  # at the same time


class SitePages:
    """The pages that this process has fetched, cut to what they declare. Concurrent requests for one site are one."""

    def __init__(
        self,
        guard: EgressGuard | None = None,
        open_session: Callable[[], AbstractAsyncContextManager[ClientSession]] | None = None,
        *,
        timeout: float = _TIMEOUT,
    ) -> None:
        self._guard = guard or EgressGuard()
        self._open_session = open_session or partial(open_guarded_session, self._guard)
        self._timeout = timeout
        self._pages: TTLCache[str, _Fetched] = TTLCache(_MAX_PAGES, _SECONDS)
        self._fetching: SharedTasks[_Fetched] = SharedTasks()
        self._requests = 0

    async def fetch(self, domain: str) -> str | None:
        """Return what the home page of a site declares, and fail as `fetch_home_page` does."""
        if domain in self._pages:
            found = self._pages[domain]
        else:
            found = await self._fetching.run(domain, lambda: self._fetch(domain))
        if isinstance(found, SiteUnreadable):
            raise SiteUnreadable(str(found), temporary=found.temporary)
        return found

    async def _fetch(self, domain: str) -> _Fetched:
        if self._requests >= _MAX_REQUESTS:
            return SiteUnreadable("too many sites are being read; try again", temporary=True)
        self._requests += 1
        try:
            async with self._open_session() as session:
                page = await fetch_home_page(session, self._guard, domain, timeout=self._timeout)
                found: _Fetched = None if page is None else cut_declarations(page)
        except SiteUnreadable as unreadable:
            found = unreadable
        finally:
            self._requests -= 1
        self._pages[domain] = found
        return found


SITES = SitePages()
"""The pages that this process has fetched."""
