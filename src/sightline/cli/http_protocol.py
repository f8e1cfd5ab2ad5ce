"""HTTP connections within limits: size and number of headers, slow requests, and connections per address.

uvicorn itself only ends idle connections. What it does not limit is limited here, on top of its protocol, because no
reverse proxy has to be in front of the service.
"""

import asyncio
import enum
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import msgspec
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.server import ServerState

from sightline.kit.addresses import address_group
from sightline.settings import Settings

# Requests that a client may send ahead without waiting for a response. Each takes memory until it is its turn.
_MAX_PIPELINED = 16
_BODY_CHECK_SECONDS = 0.5


class RequestLimits(msgspec.Struct, frozen=True):
    """What one request may have and how long it may take. Times are in seconds, the rate in bytes a second."""

    header_bytes: int
    headers: int
    header_timeout: float
    body_rate: int
    body_grace: float


def read_request_limits(settings: Settings) -> RequestLimits:
    return RequestLimits(
        header_bytes=settings.http_max_header_bytes,
        headers=settings.http_max_headers,
        header_timeout=settings.http_header_timeout,
        body_rate=settings.http_min_body_rate,
        body_grace=settings.http_body_grace,
    )


class ConnectionCounts:
    """The open connections of each address. Those of exempt addresses, the trusted proxies, are not limited."""

    def __init__(self, limit: int, is_exempt: Callable[[str], bool]) -> None:
        self._limit = limit
        self._is_exempt = is_exempt
        self._open: Counter[str] = Counter()

    def add(self, address: str | None) -> str | None:
        """Count a connection and return what it is counted under, for `remove`. Raises TooManyConnections."""
        if address is None or self._is_exempt(address):
            return None
        group = address_group(address)
        if self._open[group] >= self._limit:
            raise TooManyConnections(group)
        self._open[group] += 1
        return group

    def remove(self, group: str) -> None:
        self._open[group] -= 1
        if not self._open[group]:
            del self._open[group]


class TooManyConnections(Exception):
    """The address has as many open connections as it may have."""


class _RefusedRequest(Exception):
    """Raised in a callback of the parser, which stops parsing."""


class _Reading(enum.Enum):
    NOTHING = enum.auto()
    HEADERS = enum.auto()
    BODY = enum.auto()


class LimitedHttpProtocol(HttpToolsProtocol):
    """A connection that refuses requests beyond the limits."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        limits: RequestLimits,
        counts: ConnectionCounts,
        response_headers: list[tuple[bytes, bytes]],
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = limits
        self._counts = counts
        self._response_headers = response_headers
        self._counted_under: str | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._refusal: tuple[HTTPStatus, str] | None = None
        self._reading = _Reading.NOTHING
        self._header_bytes = self._header_count = 0
        self._unparsed_bytes = 0
        self._body_bytes = 0
        self._body_seconds = 0.0

    # The connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        remote = get_remote_addr(transport)
        try:
            self._counted_under = self._counts.add(remote[0] if remote else None)
        except TooManyConnections:
            self.transport = transport
            self._refuse(HTTPStatus.TOO_MANY_REQUESTS, "Too many open connections from this address.")
            return
        super().connection_made(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        if self._counted_under is not None:
            self._counts.remove(self._counted_under)
            self._counted_under = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self._unparsed_bytes += len(data)
        super().data_received(data)
        # A single header that never ends reaches no callback, so its bytes are counted as they come in.
        if self._unparsed_bytes > self._limits.header_bytes:
            self._refuse(*_HEADERS_TOO_LARGE)
        self._watch()

    # Callbacks of the parser. Trailers after a chunked body are headers, too, and count with those before it.

    def on_message_begin(self) -> None:
        self._reading = _Reading.HEADERS
        self._header_bytes = self._header_count = self._unparsed_bytes = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count_header_bytes(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._header_count += 1
        if self._header_count > self._limits.headers:
            self._stop_parsing(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The request has too many headers.")
        self._count_header_bytes(len(name) + len(value) + len(b": \r\n"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= _MAX_PIPELINED:
            self._stop_parsing(
                HTTPStatus.TOO_MANY_REQUESTS, "Too many requests were sent without waiting for responses."
            )
        self._stop_timer()
        self._reading = _Reading.BODY
        self._body_bytes, self._body_seconds = 0, 0.0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unparsed_bytes = 0
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stop_timer()
        self._reading = _Reading.NOTHING
        self._unparsed_bytes = 0
        super().on_message_complete()

    def _count_header_bytes(self, size: int) -> None:
        self._unparsed_bytes = 0
        self._header_bytes += size
        if self._header_bytes > self._limits.header_bytes:
            self._stop_parsing(*_HEADERS_TOO_LARGE)

    # Time

    def _watch(self) -> None:
        """Start the timer that the state of the connection needs. A request that is complete needs none."""
        if self._timer is not None or self.transport.is_closing():
            return
        if self._reading is _Reading.BODY:
            self._start_timer(_BODY_CHECK_SECONDS, self._check_body_rate)
        elif self._reading is _Reading.HEADERS or self._is_idle_without_timer():
            self._start_timer(self._limits.header_timeout, self._end_waiting_for_headers)

    def _is_idle_without_timer(self) -> bool:
        """Return whether an idle connection has no timer: when it is new, and after line breaks between requests."""
        cycle = self._latest_cycle
        return self.timeout_keep_alive_task is None and (cycle is None or cycle.response_complete)

    def _end_waiting_for_headers(self) -> None:
        if self._reading is _Reading.HEADERS:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The headers did not arrive in time.")
        else:
            self.transport.close()

    def _check_body_rate(self) -> None:
        """Refuse a body that is too slow. Only time spent waiting for the client counts, not for the application."""
        self._timer = None
        if not self.flow.read_paused and not self.cycle.waiting_for_100_continue:
            self._body_seconds += _BODY_CHECK_SECONDS
        if self._body_seconds > self._limits.body_grace + self._body_bytes / self._limits.body_rate:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The body did not arrive in time.")
        self._watch()

    def _start_timer(self, seconds: float, end: Callable[[], None]) -> None:
        self._timer = self.loop.call_later(seconds, end)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def _latest_cycle(self) -> RequestResponseCycle | None:
        return self.cycle  # None before the first request

    # Refusals

    def _stop_parsing(self, status: HTTPStatus, message: str) -> None:
        self._refusal = status, message
        raise _RefusedRequest(message)  # uvicorn then calls send_400_response

    def send_400_response(self, msg: str) -> None:
        self._refuse(*(self._refusal or (HTTPStatus.BAD_REQUEST, msg)))

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        """Send the refusal and close the connection; only close it where a response is under way or sent already."""
        if self.transport.is_closing():
            return
        cycle = self._latest_cycle
        if cycle is not None and (self._reading is _Reading.BODY or not cycle.response_complete):
            if self.pipeline or cycle.response_started:
                self.transport.abort()
                return
            cycle.disconnected = True  # the application must not process half a body
            cycle.message_event.set()
        self.transport.write(self._format_refusal(status, message))
        self.transport.close()

    def _format_refusal(self, status: HTTPStatus, message: str) -> bytes:
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", b"%d" % len(message)),
            (b"connection", b"close"),
            *self._response_headers,
        ]
        if status is HTTPStatus.TOO_MANY_REQUESTS:
            headers.append((b"retry-after", b"5"))
        lines = [
            f"HTTP/1.1 {status.value} {status.phrase}".encode(),
            *(name + b": " + value for name, value in headers),
        ]
        return b"\r\n".join([*lines, b"", message.encode("ascii")])


_HEADERS_TOO_LARGE = (HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The headers are too large.")
