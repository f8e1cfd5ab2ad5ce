"""The attackers: `python -m bench.attack.parties <party> <orders as JSON>`, until they are told to stop.

Each party has an address of its own and yields to everybody else (nice 19), so that what is measured is what they make
the server do. A party prints a line when it begins and, when stopped, what it was answered, as counts in JSON.
"""

import asyncio
import json
import os
import signal
import sys
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable

import msgspec
import uvloop

from bench.attack.orders import BOOTSTRAPS, SLOW_HEADERS, STREAMS, Orders

_HEADER_SECONDS = 1.0
_RECONNECT_SECONDS = 1.0
_TEST_SENDS_PER_SECOND = 5
_CLOSED = (OSError, RuntimeError, asyncio.IncompleteReadError)  # uvloop raises RuntimeError for a closed connection
_PREFIX = "/api/v1/console"


class Attackers:
    """One party, and the counts of what it was answered."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.counts: Counter[str] = Counter()

    async def send_bootstraps(self) -> None:
        """Keep 60 requests with a wrong token in flight."""
        body = {"token": "bt_wrong", "email": "a@evil.example", "password": str(uuid.uuid4()), "workspace_name": "Evil"}
        request = _format("POST", "/account/bootstrap", json.dumps(body).encode())
        await asyncio.gather(*(self._repeat(lambda: self._ask_again_and_again(request)) for _ in range(BOOTSTRAPS)))

    async def _ask_again_and_again(self, request: bytes) -> None:
        reader, writer = await self._connect("127.0.0.2")
        try:
            while True:
                writer.write(request)
                status, length = await _read_head(reader)
                await reader.readexactly(length)
                self.counts[status] += 1
        finally:
            writer.close()

    async def send_slow_headers(self) -> None:
        """Keep 200 requests whose headers never end."""
        await asyncio.gather(*(self._repeat(self._send_headers_slowly) for _ in range(SLOW_HEADERS)))

    async def _send_headers_slowly(self) -> None:
        reader, writer = await self._connect("127.0.0.3")
        try:
            writer.write(b"GET / HTTP/1.1\r\nHost: sightline\r\n")
            while not reader.at_eof():
                await asyncio.sleep(_HEADER_SECONDS)
                writer.write(b"X-Slow: yes\r\n")
                await writer.drain()
            self.counts["closed"] += 1
        finally:
            writer.close()

    async def open_streams(self) -> None:
        """Try to open 3,000 event streams, evenly over the time and the workspaces; hold on to those that open."""
        started, attempts = time.monotonic(), []
        for number in range(STREAMS):
            await asyncio.sleep(started + number * self.orders.seconds / STREAMS - time.monotonic())
            attempts.append(asyncio.create_task(self._open_stream(number % len(self.orders.workspaces))))
        await asyncio.gather(*attempts)

    async def _open_stream(self, number: int) -> None:
        workspace = self.orders.workspaces[number]
        try:
            reader, writer = await self._connect(f"127.0.0.{100 + number}")
        except _CLOSED:
            self.counts["not connected"] += 1
            return
        try:
            writer.write(_format("GET", f"/scans/{workspace.scan_id}/events", key=workspace.key))
            status, _ = await _read_head(reader)
            self.counts[status] += 1
            while status == "200" and await reader.read(65_536):
                pass
        except _CLOSED:
            self.counts["closed"] += 1
        finally:
            writer.close()

    async def send_tests(self) -> None:
        """Send tests of a webhook whose receiver is slow."""

        async def send() -> None:
            path = f"/webhooks/{self.orders.webhook_id}/test"
            reader, writer = await self._connect("127.0.0.5")
            try:
                while True:
                    writer.write(_format("POST", path, b"{}", key=self.orders.webhook_key))
                    status, length = await _read_head(reader)
                    await reader.readexactly(length)
                    self.counts[status] += 1
                    await asyncio.sleep(1 / _TEST_SENDS_PER_SECOND)
            finally:
                writer.close()

        await self._repeat(send)

    async def _repeat(self, attack: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await attack()
            except _CLOSED:
                self.counts["closed"] += 1
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _connect(self, address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.orders.port, local_addr=(address, 0))


_ATTACKS: dict[str, Callable[[Attackers], Awaitable[None]]] = {
    "bootstraps": Attackers.send_bootstraps,
    "slow headers": Attackers.send_slow_headers,
    "streams": Attackers.open_streams,
    "slow receiver": Attackers.send_tests,
}


def _format(method: str, path: str, body: bytes = b"", key: str = "") -> bytes:
    lines = [f"{method} {_PREFIX}{path} HTTP/1.1", "Host: sightline", f"Content-Length: {len(body)}"]
    if body:
        lines.append("Content-Type: application/json")
    if key:
        lines += [f"X-API-Key: {key}", f"Idempotency-Key: {uuid.uuid4()}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def _read_head(reader: asyncio.StreamReader) -> tuple[str, int]:
    """Return the status and the length of the body; 0 for a body that is streamed."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    _, _, length = head.partition(b"\r\ncontent-length: ")
    return head.split(b" ", 2)[1].decode(), int(length.split(b"\r\n", 1)[0] or 0)


async def _attack(party: str, orders: Orders) -> None:
    attackers, stopped = Attackers(orders), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    print("ready", flush=True)
    attacking = asyncio.ensure_future(_ATTACKS[party](attackers))
    await stopped.wait()
    print(json.dumps(attackers.counts), flush=True)
    os._exit(1 if attacking.done() and attacking.exception() else 0)  # thousands of connections close with the process


if __name__ == "__main__":
    os.nice(19)
    uvloop.run(_attack(sys.argv[1], msgspec.json.decode(sys.argv[2], type=Orders)))
