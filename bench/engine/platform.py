"""Five platforms in one process, as cheap as possible in Python: prepared answers in turn, after a given time.

Run as `python -m bench.engine.platform LATENCY_MS`; prints its port. It uses a bare asyncio protocol, so that
the engine is measured and not this server.
"""

import asyncio
import json
import sys
from typing import ClassVar

import uvloop

_BRANDS = ("Acme", "Globex", "Initech", "Hooli", "Umbrella")
_VARIANTS = 97  # consecutive answers differ, so that no cache can help


def _text(variant: int) -> str:
    names = [_BRANDS[(place + variant) % len(_BRANDS)] for place in range(len(_BRANDS))]
    return f"For a team of {variant + 2} that wants to start today, these are named most often:\n\n" + "\n".join(
        f"{place}. **{name}** is quick to set up, its free plan covers what {variant + place} people need, imports "
        f"from spreadsheets work, and support answers within a day. Larger teams miss finer rights "
        f"([site](https://{name.lower()}.com))."
        for place, name in enumerate(names, 1)
    )


_USAGE = {"input_tokens": 30, "output_tokens": 300}


def _payload(path: str, text: str) -> bytes:
    """Return an answer in the format of the platform with this path."""
    body: dict[str, object]
    if path.endswith("/responses"):
        part = {"type": "output_text", "text": text, "annotations": []}
        message = {"type": "message", "role": "assistant", "content": [part]}
        body = {"id": "r", "object": "response", "status": "completed", "model": "m", "output": [message]}
    elif path.endswith("/messages"):
        body = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn"}
        body["content"] = [{"type": "text", "text": text}]
    elif path.endswith("generateContent"):
        candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP", "index": 0}
        body = {"candidates": [candidate], "modelVersion": "m", "responseId": "g"}
    else:
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        body = {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice]}
    return json.dumps({**body, "usage": _USAGE}).encode()


class _Platform(asyncio.Protocol):
    replies: ClassVar[dict[str, list[bytes]]] = {}
    asked = 0
    latency = 0.0
    under_way: ClassVar[dict[str, int]] = {}
    most: ClassVar[dict[str, int]] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 : head.find(b"\r\n", at) if b"\r\n" in head[at:] else None]) if at >= 0 else 0
            if len(self.buffer) < end + 4 + length:
                return
            path = self.buffer[: self.buffer.find(b"\r\n")].split(b" ")[1].decode()
            self.buffer = self.buffer[end + 4 + length :]
            self.answer(path)

    def answer(self, path: str) -> None:
        if path == "/most":
            self.write(_http(json.dumps(self.most).encode()))
            self.most.clear()
            return
        if path not in self.replies:
            self.replies[path] = [_http(_payload(path, _text(variant))) for variant in range(_VARIANTS)]
        if not self.latency:
            self.write(self.next_reply(path))
            return
        self.under_way[path] = self.under_way.get(path, 0) + 1
        self.most[path] = max(self.most.get(path, 0), self.under_way[path])
        asyncio.get_running_loop().call_later(self.latency, self.end, path)

    def end(self, path: str) -> None:
        self.under_way[path] -= 1
        self.write(self.next_reply(path))

    def next_reply(self, path: str) -> bytes:
        _Platform.asked += 1
        return self.replies[path][_Platform.asked % _VARIANTS]

    def write(self, reply: bytes) -> None:
        self.transport.write(reply)  # type: ignore[attr-defined]


def _http(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)


async def _serve(latency_ms: float) -> None:
    _Platform.latency = latency_ms / 1000
    server = await asyncio.get_running_loop().create_server(_Platform, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve(float(sys.argv[1])))
