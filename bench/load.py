"""The load: raw HTTP/1.1 on kept-alive connections, cheap enough not to be what is measured.

`saturate` keeps every connection busy and measures throughput. `pace` sends at fixed times whatever comes back, and
measures latency. Its clock starts when a request was due, so a server that stalls is charged for the requests that
queued behind the stall (otherwise they would not be sent, and not be seen).
"""

import asyncio
import re
import selectors
import time
from collections import deque
from collections.abc import Callable

import msgspec
import uvloop

_PATIENCE_SECONDS = 30
_OK = b"HTTP/1.1 200 "
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


class LoadFailed(Exception):
    """A server answered with something other than success, so no figure means anything."""


class Saturation(msgspec.Struct, frozen=True):
    requests: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds


class _Connection(asyncio.Protocol):
    """Sends one request at a time and reports when the response is complete. Reads only status and length."""

    def __init__(self, request: bytes, when_answered: Callable[["_Connection"], None]) -> None:
        self._request = request
        self._when_answered = when_answered
        self._head = b""
        self._missing = 0
        self._transport: asyncio.WriteTransport
        self.failure: Exception | None = None

    def connection_made(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.failure = self.failure or exc or LoadFailed("the server closed a connection")

    def send(self) -> None:
        self._transport.write(self._request)

    def close(self) -> None:
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        if self._missing:
            self._missing -= len(data)
        else:
            self._head += data
            end = self._head.find(b"\r\n\r\n")
            if end < 0:
                return
            length = _LENGTH.search(self._head, 0, end + 2)
            if length is None or not self._head.startswith(_OK):
                self._fail(self._head)
                return
            self._missing = int(length[1]) - (len(self._head) - end - 4)
            self._head = b""
        if self._missing == 0:
            self._when_answered(self)

    def _fail(self, answer: bytes) -> None:
        self.failure = LoadFailed(f"not a success: {answer[:600].decode(errors='replace')}")
        self._transport.abort()


async def _connect(port: int, requests: list[bytes], when_answered: Callable[[_Connection], None]) -> list[_Connection]:
    loop = asyncio.get_running_loop()
    made = []
    for request in requests:
        factory = lambda request=request: _Connection(request, when_answered)  # noqa: E731 - a factory is what it is
        made.append((await loop.create_connection(factory, "127.0.0.1", port))[1])
    return made


def _require_success(connections: list[_Connection]) -> None:
    for connection in connections:
        if connection.failure is not None:
            raise connection.failure


def saturate(port: int, requests: list[bytes], seconds: float) -> Saturation:
    """Keep one connection busy for each request; each is sent again as soon as it is answered."""
    return uvloop.run(_saturate(port, requests, seconds))


async def _saturate(port: int, requests: list[bytes], seconds: float) -> Saturation:
    answered, unanswered, last = 0, len(requests), 0.0

    def count(connection: _Connection) -> None:
        nonlocal answered, unanswered, last
        answered += 1
        last = time.perf_counter()
        if last < end:
            connection.send()
        else:
            unanswered -= 1

    connections = await _connect(port, requests, count)
    started = time.perf_counter()
    end = started + seconds
    for connection in connections:
        connection.send()
    await asyncio.sleep(seconds)
    # What is still under way counts, and must not disturb the server whose turn is next.
    await _finish(connections, lambda: unanswered > 0)
    return Saturation(answered, last - started)


def pace(port: int, requests: list[bytes], seconds: float, rate: float) -> list[float]:
    """Return the seconds from the time each request was due to the last byte of its response."""

    # epoll, and with it uvloop, sleeps in whole milliseconds, which is as long as an answer takes; select does not.
    def new_loop() -> asyncio.AbstractEventLoop:
        return asyncio.SelectorEventLoop(selectors.SelectSelector())

    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(_pace(port, requests, seconds, rate))


async def _pace(port: int, requests: list[bytes], seconds: float, rate: float) -> list[float]:
    waiting: deque[float] = deque()
    due_times: dict[_Connection, float] = {}
    latencies: list[float] = []

    def send_waiting() -> None:
        while waiting and free:
            connection = free.popleft()  # in turn: a server closes a connection that is not used
            due_times[connection] = waiting.popleft()
            connection.send()

    def note(connection: _Connection) -> None:
        latencies.append(time.perf_counter() - due_times.pop(connection))
        free.append(connection)
        send_waiting()

    connections = await _connect(port, requests, note)
    free = deque(connections)
    started = time.perf_counter()
    for number in range(int(seconds * rate)):
        due = started + number / rate
        delay = due - time.perf_counter()
        if delay > 0:
            await asyncio.sleep(delay)
        waiting.append(due)
        send_waiting()
    await _finish(connections, lambda: bool(waiting or due_times))
    return latencies


async def _finish(connections: list[_Connection], is_busy: Callable[[], bool]) -> None:
    deadline = time.perf_counter() + _PATIENCE_SECONDS
    while is_busy():
        _require_success(connections)
        if time.perf_counter() > deadline:
            raise LoadFailed(f"answers are missing after {_PATIENCE_SECONDS} seconds")
        await asyncio.sleep(0.005)
    for connection in connections:
        connection.close()
