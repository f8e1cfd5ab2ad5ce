"""Logos for tests: small files of every kind, made here."""

import struct
import zlib

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 40">%s</svg>'


def make_png(width: int = 90, height: int = 30, pixel: bytes = b"\x7a\x1f\x5c\xff") -> bytes:
    """Return a PNG of one color with an alpha channel."""
    return make_png_of(width, height, pixel * width * height)


def make_png_of(width: int, height: int, pixels: bytes) -> bytes:
    """Return a PNG of these pixels, with four bytes for each."""
    rows = b"".join(b"\0" + pixels[start : start + width * 4] for start in range(0, len(pixels), width * 4))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _make_chunk(b"IHDR", head)
        + _make_chunk(b"IDAT", zlib.compress(rows))
        + _make_chunk(b"IEND", b"")
    )


def _make_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
