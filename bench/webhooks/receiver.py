"""A receiver of webhooks, as cheap as Python can make it: it records what came and when, and accepts everything.

Run as `python -m bench.webhooks.receiver`; prints its port. GET /received returns the record; GET /forget clears it.
"""

import asyncio
import json
import time
from typing import ClassVar

import uvloop

_FINE = b"HTTP/1.1 204 No Content\r\n\r\n"


class _Receiver(asyncio.Protocol):
    times: ClassVar[list[float]] = []
    ids: ClassVar[set[bytes]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[: end + 2].lower()
            length = int(_header(head, b"content-length") or 0)
            if len(self.buffer) < end + 4 + length:
                return
            self.buffer = self.buffer[end + 4 + length :]
            self.write(self.tell(head) if head.startswith(b"get /") else self.note(head))

    def note(self, head: bytes) -> bytes:
        self.times.append(time.perf_counter())
        self.ids.add(_header(head, b"webhook-id"))
        return _FINE

    def tell(self, head: bytes) -> bytes:
        if head.startswith(b"get /forget "):
            self.times.clear()
            self.ids.clear()
        seconds = self.times[-1] - self.times[0] if self.times else 0.0
        body = json.dumps({"deliveries": len(self.times), "events": len(self.ids), "seconds": seconds}).encode()
        return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)

    def write(self, reply: bytes) -> None:
        self.transport.write(reply)  # type: ignore[attr-defined]


def _header(head: bytes, name: bytes) -> bytes:
    at = head.find(b"\r\n" + name + b":")
    return head[at + len(name) + 3 : head.find(b"\r\n", at + 2)].strip() if at >= 0 else b""


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Receiver, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve())
