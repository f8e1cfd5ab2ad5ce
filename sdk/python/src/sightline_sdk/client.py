"""The clients: one for plain code and one for asyncio, with the same methods."""

from types import TracebackType
from typing import Self

import httpx2
from msgspec import UNSET, UnsetType

from sightline_sdk._config import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT, Config, read_config
from sightline_sdk._retries import RetryPolicy
from sightline_sdk._transport import AsyncTransport, Transport
from sightline_sdk.resources import AsyncResources, Resources


class Sightline(Resources):
    """A client of one Sightline server, for plain code. It can be used by several threads.

    Args:
        api_key: A Console key (`sk_…`) or a Data key (`dk_…`); by default SIGHTLINE_API_KEY of the environment. The
            kind of the key decides which resources can be used.
        base_url: Address of the server; by default SIGHTLINE_BASE_URL of the environment, or the local machine.
        timeout: Seconds to wait for a connection, and for the next bytes of a response.
        max_retries: How often a request is sent again after a failed connection or a temporary refusal.
        http_client: An HTTP client of your own, such as one with a proxy. You close it.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | httpx2.Timeout | None = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx2.Client | None = None,
    ) -> None:
        config = read_config(api_key, base_url, timeout, max_retries)
        self._closes_http = http_client is None
        self._set_transport(Transport(config, http_client or httpx2.Client()))

    def _set_transport(self, transport: Transport) -> None:
        self._transport = transport
        super().__init__(transport)

    def with_options(
        self, *, timeout: float | httpx2.Timeout | UnsetType | None = UNSET, max_retries: int | UnsetType = UNSET
    ) -> "Sightline":
        """Return a client with other limits. It shares the connections of this one, and closes nothing."""
        changed = object.__new__(type(self))
        changed._closes_http = False
        changed._set_transport(
            Transport(_change_limits(self._transport.config, timeout, max_retries), self._transport.http)
        )
        return changed

    def close(self) -> None:
        """Close all connections, unless they belong to an `http_client` of your own."""
        if self._closes_http:
            self._transport.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class AsyncSightline(AsyncResources):
    """A client of one Sightline server, for asyncio. Lists and streams are read with `async for`.

    Args:
        api_key: A Console key (`sk_…`) or a Data key (`dk_…`); by default SIGHTLINE_API_KEY of the environment. The
            kind of the key decides which resources can be used.
        base_url: Address of the server; by default SIGHTLINE_BASE_URL of the environment, or the local machine.
        timeout: Seconds to wait for a connection, and for the next bytes of a response.
        max_retries: How often a request is sent again after a failed connection or a temporary refusal.
        http_client: An HTTP client of your own, such as one with a proxy. You close it.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | httpx2.Timeout | None = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        config = read_config(api_key, base_url, timeout, max_retries)
        self._closes_http = http_client is None
        self._set_transport(AsyncTransport(config, http_client or httpx2.AsyncClient()))

    def _set_transport(self, transport: AsyncTransport) -> None:
        self._transport = transport
        super().__init__(transport)

    def with_options(
        self, *, timeout: float | httpx2.Timeout | UnsetType | None = UNSET, max_retries: int | UnsetType = UNSET
    ) -> "AsyncSightline":
        """Return a client with other limits. It shares the connections of this one, and closes nothing."""
        changed = object.__new__(type(self))
        changed._closes_http = False
        changed._set_transport(
            AsyncTransport(_change_limits(self._transport.config, timeout, max_retries), self._transport.http)
        )
        return changed

    async def close(self) -> None:
        """Close all connections, unless they belong to an `http_client` of your own."""
        if self._closes_http:
            await self._transport.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.close()


def _change_limits(
    config: Config, timeout: float | httpx2.Timeout | UnsetType | None, max_retries: int | UnsetType
) -> Config:
    retries = config.retries if max_retries is UNSET else RetryPolicy(max_retries)
    return config.change(timeout=config.timeout if timeout is UNSET else timeout, retries=retries)
