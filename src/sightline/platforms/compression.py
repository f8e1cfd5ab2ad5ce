"""How a payload is compressed before it is stored."""

import zlib

# Compression blocks the event loop: level 1 takes a fraction of the default's time. Most of the rest is spent on
# allocating the window, so a small payload gets a small one.
_LEVEL = 1
_SMALL_WINDOW, _SMALL_MEMORY = 12, 5
_SMALL = 1 << _SMALL_WINDOW


def compress_payload(body: bytes) -> bytes:
    """Return the body as `zlib.decompress` reads it."""
    if len(body) > _SMALL:
        return zlib.compress(body, _LEVEL)
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _SMALL_WINDOW, _SMALL_MEMORY)
    return packer.compress(body) + packer.flush()
