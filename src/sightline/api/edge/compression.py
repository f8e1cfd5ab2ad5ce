"""Compression of responses: JSON and text of 1 KB and more, as gzip or zstd, whichever the client prefers.

Event streams, and types that are compressed already, are sent as they are. A page can show secrets next to text from
its URL, and the length of the compressed page reveals whether the two have text in common. So a request with a cookie
gets a compressed response only if the browser says that no other site made it (the attack BREACH guesses secrets from
the lengths of compressed pages).
"""

import asyncio
import sys
import zlib
from collections.abc import Mapping
from typing import Any, Literal, Protocol

from cachetools import LRUCache

from sightline.api.edge.responses import Header, Send

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["MIN_LENGTH", "choose_encoding", "compress_body", "compress_responses", "is_compressible", "zstd"]

Encoding = Literal["zstd", "gzip"]
MIN_LENGTH = 1_024
_ZSTD_LEVEL, _GZIP_LEVEL = 3, 5
_THREAD_LENGTH = 256 * 1_024
"""From this length on, compressing would stop other requests for milliseconds: it is done in a thread."""
_ENCODINGS: tuple[Encoding, ...] = ("zstd", "gzip")
_TYPES = frozenset({b"application/json", b"application/javascript", b"application/jsonl", b"image/svg+xml"})
_BODILESS = frozenset({204, 304})
_OWN_SITE = frozenset({b"same-origin", b"none"})
_ASSETS = "/static/"
# Compressed styles and scripts, by path, ETag and encoding: they are the same for everybody and sent often.
_compressed: LRUCache[tuple[str, bytes, Encoding], bytes] = LRUCache(128)


class _Compressor(Protocol):
    def add(self, chunk: bytes) -> bytes: ...
    def end(self) -> bytes: ...


class _Zstd:
    def __init__(self) -> None:
        self._compressor = zstd.ZstdCompressor(level=_ZSTD_LEVEL)

    def add(self, chunk: bytes) -> bytes:
        return self._compressor.compress(chunk, zstd.ZstdCompressor.FLUSH_BLOCK)

    def end(self) -> bytes:
        return self._compressor.flush(zstd.ZstdCompressor.FLUSH_FRAME)


class _Gzip:
    def __init__(self) -> None:
        self._compressor = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS)

    def add(self, chunk: bytes) -> bytes:
        return self._compressor.compress(chunk) + self._compressor.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        return self._compressor.flush()


def _open_compressor(encoding: Encoding) -> _Compressor:
    return _Zstd() if encoding == "zstd" else _Gzip()


def compress_body(body: bytes, encoding: Encoding) -> bytes:
    if encoding == "zstd":
        return zstd.ZstdCompressor(level=_ZSTD_LEVEL).compress(body, zstd.ZstdCompressor.FLUSH_FRAME)
    return zlib.compress(body, _GZIP_LEVEL, 16 + zlib.MAX_WBITS)


def choose_encoding(headers: Mapping[bytes, bytes]) -> Encoding | None:
    """Return the encoding that the client prefers, zstd if both are equal; None to send the response as it is."""
    accepted = headers.get(b"accept-encoding", b"").decode("latin-1").lower()
    if not accepted or (b"cookie" in headers and headers.get(b"sec-fetch-site") not in _OWN_SITE):
        return None
    weights: dict[str, float] = {}
    for part in accepted.split(","):
        name, _, parameter = part.partition(";")
        weights[name.strip()] = _parse_weight(parameter)
    any_other = weights.get("*", 0.0)
    best = max(_ENCODINGS, key=lambda encoding: weights.get(encoding, any_other))
    weight = weights.get(best, any_other)
    return best if weight > 0 and weight >= weights.get("identity", 0.0) else None


def _parse_weight(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return min(max(float(value), 0.0), 1.0)
    except ValueError:
        return 0.0


def is_compressible(content_type: bytes) -> bool:
    media_type = content_type.partition(b";")[0].strip().lower()
    if media_type == b"text/event-stream":
        return False
    return media_type.startswith(b"text/") or media_type in _TYPES or media_type.endswith(b"+json")


def compress_responses(scope: Any, send: Send) -> Send:
    """Return a `send` that compresses the response to this request where that is allowed."""
    return _ResponseCompression(scope, send).send


class _ResponseCompression:
    """Holds the start of a response until its first chunk shows whether it is worth compressing."""

    def __init__(self, scope: Any, send: Send) -> None:
        self._request_headers = dict(scope["headers"])
        self._path: str = scope["path"]
        self._is_head = scope["method"] == "HEAD"
        self._send = send
        self._start: dict[str, Any] = {}
        self._encoding: Encoding | None = None
        self._compressor: _Compressor | None = None

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif message["type"] == "http.response.body" and self._encoding is not None:
            await self._compress(message)
        else:
            await self._send(message)

    async def _begin(self, message: Any) -> None:
        headers: list[Header] = list(message.get("headers", ()))
        found = dict(headers)
        if not is_compressible(found.get(b"content-type", b"")) or b"content-encoding" in found:
            await self._send(message)
            return
        self._start = {**message, "headers": _add_vary(headers)}
        length = found.get(b"content-length")
        is_short = length is not None and int(length) < MIN_LENGTH
        encoding = choose_encoding(self._request_headers)
        if encoding is None or is_short or message["status"] in _BODILESS:
            await self._send(self._start)
        elif self._is_head:  # the length is known only after compressing
            await self._send_start(encoding, None)
        else:
            self._encoding = encoding

    async def _compress(self, message: Any) -> None:
        assert self._encoding is not None
        body, more = message.get("body", b""), message.get("more_body", False)
        if self._compressor is None and not more:
            await self._send_whole(body, self._encoding)
            return
        if self._compressor is None:
            self._compressor = _open_compressor(self._encoding)
            await self._send_start(self._encoding, None)
        chunk = self._compressor.add(body) if body else b""
        if not more:
            chunk += self._compressor.end()
        await self._send({**message, "body": chunk})

    async def _send_whole(self, body: bytes, encoding: Encoding) -> None:
        if len(body) < MIN_LENGTH:
            await self._send(self._start)
        else:
            body = await self._find_or_compress(body, encoding)
            await self._send_start(encoding, len(body))
        await self._send({"type": "http.response.body", "body": body})

    async def _find_or_compress(self, body: bytes, encoding: Encoding) -> bytes:
        etag = dict(self._start["headers"]).get(b"etag", b"") if self._path.startswith(_ASSETS) else b""
        if etag and (known := _compressed.get((self._path, etag, encoding))) is not None:
            return known
        if len(body) < _THREAD_LENGTH:
            compressed = compress_body(body, encoding)
        else:
            compressed = await asyncio.to_thread(compress_body, body, encoding)
        if etag:
            _compressed[self._path, etag, encoding] = compressed
        return compressed

    async def _send_start(self, encoding: Encoding, length: int | None) -> None:
        """Send the start of the compressed form. Its tag is weak, because its bytes are not those that were tagged."""
        headers = []
        for name, value in self._start["headers"]:
            if name == b"etag" and not value.startswith(b"W/"):
                headers.append((name, b"W/" + value))
            elif name != b"content-length":
                headers.append((name, value))
        headers.append((b"content-encoding", encoding.encode()))
        if length is not None:
            headers.append((b"content-length", b"%d" % length))
        await self._send({**self._start, "headers": headers})


def _add_vary(headers: list[Header]) -> list[Header]:
    """Add Accept-Encoding to what the response depends on, in one header."""
    known = [value for name, value in headers if name == b"vary"]
    if any(b"accept-encoding" in value.lower() for value in known):
        return headers
    rest = [header for header in headers if header[0] != b"vary"]
    return [*rest, (b"vary", b", ".join([*known, b"Accept-Encoding"]))]
