"""Waiting for the end of a scan: by its event stream, by reading it again where that fails, until a deadline.

A restart of the server ends the stream and refuses connections for a while. Both are waited out.
"""

import time
from collections.abc import Callable
from contextlib import aclosing, closing

from sightline_sdk._calls import Call, build_call, to_segment
from sightline_sdk._errors import ConnectionFailedError, ProblemError, SightlineError, WaitTimeoutError
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk._retries import RetryPolicy, compute_pause, is_temporary
from sightline_sdk._streams import AsyncEventStream, EventStream
from sightline_sdk._transport import AsyncTransport, Transport
from sightline_sdk.models import Scan

DEFAULT_WAIT = 1_800.0
_SILENCE = 40.0
"""Seconds without a sign of life after which a stream is given up. The server sends one every 15 seconds."""
_STREAM_AT_LEAST = 20.0
"""With fewer seconds left the scan is read again and again: a stream could be silent for longer than that."""
_ENDED = {"completed", "failed", "cancelled"}
Notify = Callable[[Scan], object]


class _Wait:
    """One wait: its deadline, the last event that was seen, and how often it went wrong in a row."""

    def __init__(self, scan_id: str, timeout: float, notify: Notify | None) -> None:
        self.scan_id = scan_id
        self._deadline = time.monotonic() + timeout
        self._notify = notify
        self._seen: Scan | None = None
        self._last_id: str | None = None
        self._failures = 0

    @property
    def left(self) -> float:
        return self._deadline - time.monotonic()

    @property
    def can_stream(self) -> bool:
        return self.left >= _STREAM_AT_LEAST

    def require_time(self) -> None:
        if self.left <= 0:
            status = "unknown" if self._seen is None else self._seen.status
            raise WaitTimeoutError(f"The scan {self.scan_id} has not ended in time; its status is {status}.")

    def build_stream_call(self) -> Call:
        headers = {} if self._last_id is None else {"Last-Event-ID": self._last_id}
        path = f"/scans/{to_segment(self.scan_id)}/events"
        return build_call("console", "GET", path, headers=headers, read_timeout=_SILENCE)

    def build_read_call(self) -> Call:
        path = f"/scans/{to_segment(self.scan_id)}"
        return build_call("console", "GET", path, read_timeout=max(1.0, min(30.0, self.left)))

    def note(self, scan: Scan, event_id: str | None = None) -> Scan | None:
        """Take over a state of the scan. Return it when the scan has ended."""
        self._failures = 0
        self._last_id = event_id or self._last_id
        if self._notify is not None and scan != self._seen:
            self._notify(scan)
        self._seen = scan
        return scan if scan.status in _ENDED else None

    def note_failure(self, error: SightlineError) -> None:
        """Raise what waiting does not cure."""
        self._failures += 1
        if isinstance(error, ProblemError) and (not is_temporary(error) or (error.retry_after or 0) > self.left):
            raise error

    def compute_pause(self) -> float:
        """Return the seconds until the next try: about one second, more after failures, none beyond the deadline."""
        return max(0.0, min(self.left, compute_pause(self._failures + 1)))


class ScanWaiting(Resource):
    def wait(self, scan_id: str, *, timeout: float = DEFAULT_WAIT, on_progress: Notify | None = None) -> Scan:
        """Wait until the scan has ended, and return it: completed, failed or cancelled.

        Args:
            scan_id: Id of the scan.
            timeout: Seconds after which `WaitTimeoutError` is raised. The scan itself goes on.
            on_progress: Called with the scan at the start and at every change.
        """
        transport = Transport(self._transport.config.change(retries=RetryPolicy(0)), self._transport.http)
        wait = _Wait(scan_id, timeout, on_progress)
        while True:
            try:
                ended = _follow(transport, wait) or _read(transport, wait)
                if ended is not None:
                    return ended
            except (ConnectionFailedError, ProblemError) as error:
                wait.note_failure(error)
            wait.require_time()
            time.sleep(wait.compute_pause())


def _follow(transport: Transport, wait: _Wait) -> Scan | None:
    """Follow one stream. Return None when it broke, where the server has no place for it, and close to the deadline."""
    if not wait.can_stream:
        return None
    try:
        with closing(EventStream(transport, wait.build_stream_call(), Scan).signals()) as signals:
            for event in signals:
                if event is not None and (ended := wait.note(event.data, event.id)) is not None:
                    return ended
                wait.require_time()
    except (ConnectionFailedError, ProblemError) as error:
        wait.note_failure(error)
    return None


def _read(transport: Transport, wait: _Wait) -> Scan | None:
    return wait.note(transport.fetch(wait.build_read_call(), Scan))


class AsyncScanWaiting(AsyncResource):
    async def wait(self, scan_id: str, *, timeout: float = DEFAULT_WAIT, on_progress: Notify | None = None) -> Scan:
        """Wait until the scan has ended, and return it: completed, failed or cancelled.

        Args:
            scan_id: Id of the scan.
            timeout: Seconds after which `WaitTimeoutError` is raised. The scan itself goes on.
            on_progress: Called with the scan at the start and at every change.
        """
        from anyio import sleep

        transport = AsyncTransport(self._transport.config.change(retries=RetryPolicy(0)), self._transport.http)
        wait = _Wait(scan_id, timeout, on_progress)
        while True:
            try:
                ended = await _async_follow(transport, wait) or await _async_read(transport, wait)
                if ended is not None:
                    return ended
            except (ConnectionFailedError, ProblemError) as error:
                wait.note_failure(error)
            wait.require_time()
            await sleep(wait.compute_pause())


async def _async_follow(transport: AsyncTransport, wait: _Wait) -> Scan | None:
    if not wait.can_stream:
        return None
    try:
        async with aclosing(AsyncEventStream(transport, wait.build_stream_call(), Scan).signals()) as signals:
            async for event in signals:
                if event is not None and (ended := wait.note(event.data, event.id)) is not None:
                    return ended
                wait.require_time()
    except (ConnectionFailedError, ProblemError) as error:
        wait.note_failure(error)
    return None


async def _async_read(transport: AsyncTransport, wait: _Wait) -> Scan | None:
    return wait.note(await transport.fetch(wait.build_read_call(), Scan))
