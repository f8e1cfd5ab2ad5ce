"""The HTTP client of a process: one session, so that connections are shared."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import BaseConnector, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

from sightline import __version__

USER_AGENT = f"Sightline/{__version__}"
CONNECT_SECONDS = 10.0
# For callers without a timeout of their own. Platforms have one, because models may take long to answer.
_DEFAULT_TIMEOUT = ClientTimeout(total=60, sock_connect=CONNECT_SECONDS)
_DNS_CACHE_SECONDS = 60


@asynccontextmanager
async def open_session(
    *, connections: int = 512, per_host: int = 256, connector: BaseConnector | None = None
) -> AsyncIterator[ClientSession]:
    """Open a session for the duration of the block.

    It stores no cookies, and takes neither proxies nor credentials from the environment. Use it for addresses that
    the operator has set; addresses from other people need `egress.open_guarded_session`.
    """
    session = ClientSession(
        connector=connector
        or TCPConnector(limit=connections, limit_per_host=per_host, ttl_dns_cache=_DNS_CACHE_SECONDS),
        cookie_jar=DummyCookieJar(),
        headers={"User-Agent": USER_AGENT},
        timeout=_DEFAULT_TIMEOUT,
        trust_env=False,
    )
    async with session:
        yield session
