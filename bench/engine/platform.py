"""Five platforms in one process, as cheap as possible in Python: prepared answers in turn, after a given time.

Run as `python -m bench.engine.platform LATENCY_MS`, or with `drawn` for the latencies of the realistic case; prints
its port. `/reset` returns what was counted for each path and starts the latencies again. It uses a bare asyncio
protocol, so that the engine is measured and not this server.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from typing import ClassVar

import uvloop

from bench.engine.latencies import DRAWN, draw_latencies

_BRANDS = ("Acme", "Globex", "Initech", "Hooli", "Umbrella")
_VARIANTS = 997  # consecutive answers differ in words, not only in names and numbers, so that no cache can help
_EASY = ("quick", "simple", "painless", "straightforward", "smooth", "pleasant", "easy")
_GOOD = ("work", "run well", "are reliable", "hold up", "rarely fail", "are fast", "just work", "are solid")
_MISSED = ("finer rights", "single sign-on", "better reports", "an audit log", "more languages", "offline use")


def _text(variant: int) -> str:
    names = [_BRANDS[(place + variant) % len(_BRANDS)] for place in range(len(_BRANDS))]
    return f"For a team of {variant + 2} that wants to start today, these are named most often:\n\n" + "\n".join(
        f"{place}. **{name}** is {_EASY[(variant + place) % len(_EASY)]} to set up, its free plan covers what "
        f"{variant + place} people need, imports from spreadsheets {_GOOD[(variant // 7 + place) % len(_GOOD)]}, and "
        f"support answers within a day. Larger teams miss {_MISSED[(variant // 56 + place) % len(_MISSED)]} "
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


class _Line:
    """The calls to one platform since the last reset."""

    __slots__ = ("calls", "in_flight", "latencies", "most")

    def __init__(self, latencies: list[float]) -> None:
        self.latencies = latencies
        self.calls = self.in_flight = self.most = 0

    def start_call(self) -> float:
        """Count a call, and return the seconds that it takes: the n-th call takes the n-th latency."""
        latency = self.latencies[self.calls % len(self.latencies)]
        self.calls += 1
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        return latency


class _Platform(asyncio.Protocol):
    replies: ClassVar[dict[str, list[bytes]]] = {}
    lines: ClassVar[dict[str, _Line]] = {}
    asked = 0
    draw: Callable[[int], list[float]]
    is_immediate = False

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
        if path == "/reset":
            counts = {path: {"calls": line.calls, "most_at_once": line.most} for path, line in self.lines.items()}
            self.lines.clear()
            self.write(_http(json.dumps(counts).encode()))
            return
        if path not in self.replies:
            self.replies[path] = [_http(_payload(path, _text(variant))) for variant in range(_VARIANTS)]
        if self.is_immediate:
            self.write(self.next_reply(path))
            return
        if (line := self.lines.get(path)) is None:
            line = self.lines[path] = _Line(_Platform.draw(len(self.lines)))
        asyncio.get_running_loop().call_later(line.start_call(), self.end, path, line)

    def end(self, path: str, line: _Line) -> None:
        line.in_flight -= 1
        self.write(self.next_reply(path))

    def next_reply(self, path: str) -> bytes:
        _Platform.asked += 1
        return self.replies[path][_Platform.asked % _VARIANTS]

    def write(self, reply: bytes) -> None:
        self.transport.write(reply)  # type: ignore[attr-defined]


def _http(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)


async def _serve(latency: str) -> None:
    draw = draw_latencies if latency == DRAWN else lambda _: [float(latency) / 1000]
    _Platform.draw = staticmethod(draw)
    _Platform.is_immediate = not any(draw(0))
    server = await asyncio.get_running_loop().create_server(_Platform, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(_serve(sys.argv[1]))
