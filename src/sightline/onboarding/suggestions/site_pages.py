"""Home pages of sites for suggestions without a platform, remembered for a minute.

Anyone can name a domain and ask for suggestions again and again. The site is requested once a minute at most.
"""

from cachetools import TTLCache

from sightline.domains.home_page import SiteUnreadable, fetch_home_page
from sightline.http.egress import EgressGuard, open_guarded_session
from sightline.kit.shared_tasks import SharedTasks

_Fetched = str | SiteUnreadable | None
_MAX_PAGES = 64  # of at most 512 KiB each
_SECONDS = 60.0


class SitePages:
    """The pages that this process has fetched. Concurrent requests for one site fetch it once."""

    def __init__(self) -> None:
        self._pages: TTLCache[str, _Fetched] = TTLCache(_MAX_PAGES, _SECONDS)
        self._fetching: SharedTasks[_Fetched] = SharedTasks()

    async def fetch(self, domain: str) -> str | None:
        """Return the home page of a site as `fetch_home_page` does."""
        if domain in self._pages:
            found = self._pages[domain]
        else:
            found = await self._fetching.run(domain, lambda: self._fetch(domain))
        if isinstance(found, SiteUnreadable):
            raise SiteUnreadable(str(found), temporary=found.temporary)
        return found

    async def _fetch(self, domain: str) -> _Fetched:
        guard = EgressGuard()
        async with open_guarded_session(guard) as session:
            try:
                found: _Fetched = await fetch_home_page(session, guard, domain)
            except SiteUnreadable as unreadable:
                found = unreadable
        self._pages[domain] = found
        return found
