"""The HTTP client of a process: one session, so that connections are made once and used by everybody."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import BaseConnector, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

from sightline import __version__

USER_AGENT = f"Sightline/{__version__}"
CONNECT_SECONDS = 10.0
# For a caller who names no time-out of its own. Platforms are asked with one, as long as their models think.
_DEFAULT_TIMEOUT = ClientTimeout(total=60, sock_connect=CONNECT_SECONDS)
_KEEP_ADDRESSES_SECONDS = 60


@asynccontextmanager
async def open_session(
    *, connections: int = 512, per_host: int = 256, connector: BaseConnector | None = None
) -> AsyncIterator[ClientSession]:
    """Opens one session for as long as the block runs.

    It keeps no cookies and takes no proxy, and no credentials, from the environment. It is for addresses that the
    operator has set; addresses that others give go through `egress.open_guarded_session`.
    """
    session = ClientSession(
        connector=connector
        or TCPConnector(limit=connections, limit_per_host=per_host, ttl_dns_cache=_KEEP_ADDRESSES_SECONDS),
        cookie_jar=DummyCookieJar(),
        headers={"User-Agent": USER_AGENT},
        timeout=_DEFAULT_TIMEOUT,
        trust_env=False,
    )
    async with session:
        yield session
