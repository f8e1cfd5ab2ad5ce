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
from functools import partial

import msgspec
import uvloop

from bench.attack.orders import (
    BOOTSTRAPS,
    IMPORTED_PROMPTS,
    IMPORTED_TAGS,
    SLOW_HEADERS,
    STREAMS,
    AttackingWorkspace,
    Orders,
)

_HEADER_SECONDS = 1.0
_RECONNECT_SECONDS = 1.0
_TEST_SENDS_PER_SECOND = 5
_SENDERS = 8  # of large bodies, at the same time
_CLOSED = (OSError, RuntimeError, asyncio.IncompleteReadError)  # uvloop raises RuntimeError for a closed connection
_PREFIX = "/api/v1"
_PREVIEW_BYTES, _IMPORT_BYTES = 256 * 1024, 512 * 1024


class Attackers:
    """One party, and the counts of what it was answered."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.counts: Counter[str] = Counter()

    async def send_bootstraps(self) -> None:
        """Keep 60 requests with a wrong token in flight."""
        body = {"token": "bt_wrong", "email": "a@evil.example", "password": str(uuid.uuid4()), "workspace_name": "Evil"}
        request = _format("POST", "/console/account/bootstrap", json.dumps(body).encode())
        ask = partial(self._ask_again_and_again, lambda: request, "127.0.0.2")
        await asyncio.gather(*(self._repeat(ask) for _ in range(BOOTSTRAPS)))

    async def _ask_again_and_again(self, build: Callable[[], bytes], address: str) -> None:
        reader, writer = await self._connect(address)
        try:
            while True:
                writer.write(build())
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
            writer.write(_format("GET", f"/console/scans/{workspace.scan_id}/events", key=workspace.key))
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
            path = f"/console/webhooks/{self.orders.webhook_id}/test"
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

    async def send_wrong_bodies(self) -> None:
        """Keep previews in flight whose list of keywords has a hundred thousand wrong elements."""
        await self._send_large(format_wrong_preview)

    async def send_imports(self) -> None:
        """Keep the largest valid import of prompts in flight. After the first, it changes nothing."""
        body = _format_prompts()
        await self._send_large(lambda workspace: _format_import(workspace, body))

    async def _send_large(self, build: Callable[[AttackingWorkspace], bytes]) -> None:
        """Send as many large bodies as the limits of eight workspaces allow."""
        await asyncio.gather(
            *(
                self._repeat(partial(self._ask_again_and_again, partial(build, workspace), f"127.0.0.{50 + number}"))
                for number, workspace in enumerate(self.orders.workspaces[:_SENDERS])
            )
        )

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
    "wrong bodies": Attackers.send_wrong_bodies,
    "large imports": Attackers.send_imports,
}


def format_wrong_preview(workspace: AttackingWorkspace) -> bytes:
    """Return a preview with as many wrong keywords as are read."""
    head = f'{{"domain_id": "{workspace.domain_id}", "keywords": ['
    body = f"{head}{'1,' * ((_PREVIEW_BYTES - len(head) - 4) // 2)}1]}}".encode()
    return _format("POST", "/console/scans/preview", body, workspace.key)


def format_wrong_import(workspace: AttackingWorkspace) -> bytes:
    """Return an import with as many wrong prompts as are read, each of which is a list."""
    return _format_import(workspace, f'{{"prompts": [{"[]," * ((_IMPORT_BYTES - 20) // 3)}[]]}}'.encode())


def _format_import(workspace: AttackingWorkspace, body: bytes) -> bytes:
    return _format("POST", f"/ext/domains/{workspace.tracked_domain_id}/prompt-imports", body, workspace.data_key)


def _format_prompts() -> bytes:
    """Return the largest number of prompts that one import takes."""
    tags = [f"tag {number} {'x' * 20}" for number in range(IMPORTED_TAGS)]
    prompts = [
        {"prompt": f"{number} {'which crm is best ' * 10}", "language_code": "en", "tags": tags}
        for number in range(IMPORTED_PROMPTS)
    ]
    return json.dumps({"prompts": prompts}).encode()


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
