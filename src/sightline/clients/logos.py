"""Reading an uploaded logo: what is stored is never the file itself, but a PNG that a limited process has drawn."""

import asyncio
import base64
import struct
import sys
import tempfile

import structlog

from sightline.clients.draw_logo import MAX_BYTES, REFUSED
from sightline.errors import Problem, invalid_field, retry_later
from sightline.kit.child_environment import build_child_environment

log = structlog.get_logger()

_REASONS = {
    "blank": "shows nothing",
    "damaged": "is damaged, or not a valid PNG or SVG file",
    "limits": "takes too long or too much memory to draw; save it as a PNG",
    "references": "refers to other files or addresses, which are never loaded; embed its pictures, or save it as a PNG",
    "shape": "is too narrow or too flat",
}
_PNG = b"\x89PNG\r\n\x1a\n"
_MAX_SIDE = 4_096
_TIMEOUT_SECONDS = 8.0
# Processes that draw at the same time. The other uploads wait.
_DRAWING = asyncio.Semaphore(2)


async def read_logo(content: bytes) -> bytes:
    """Return the logo as a PNG of at most 200 KB.

    Refused: a file that is neither PNG nor SVG, is too large, refers to other files, cannot be drawn within limits, or
    shows nothing.
    """
    if len(content) > MAX_BYTES:
        raise invalid_field("logo", f"is larger than {MAX_BYTES // 1024} KB", "too_large")
    image_format = _find_format(content)
    async with _DRAWING:
        with tempfile.TemporaryDirectory() as empty_folder:
            return await _draw(content, image_format, empty_folder)


def decode_logo(text: str) -> bytes:
    """Return the file in a text. Refused: a text that is not Base64."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise invalid_field("logo", "must be encoded with Base64", "base64") from None


def _find_format(content: bytes) -> str:
    if content.startswith(_PNG):
        width, height = struct.unpack(">II", content[16:24]) if len(content) > 24 else (0, 0)
        if not (0 < width <= _MAX_SIDE and 0 < height <= _MAX_SIDE):
            raise invalid_field("logo", f"must be at most {_MAX_SIDE} pixels wide and high", "too_large")
        return "png"
    if b"<svg" in content and content.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return "svg"
    raise invalid_field("logo", "is neither a PNG nor an SVG file", "format")


async def _draw(content: bytes, image_format: str, empty_folder: str) -> bytes:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "sightline.clients.draw_logo",
        image_format,
        empty_folder,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=build_child_environment(),
    )
    try:
        drawn, output = await asyncio.wait_for(process.communicate(content), _TIMEOUT_SECONDS)
    except TimeoutError:
        raise _refuse("limits") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    reason = output.decode(errors="replace")
    if process.returncode == 0:
        return drawn
    if process.returncode == REFUSED:
        raise _refuse(reason)
    if (process.returncode or 0) < 0 or "memory" in reason:  # it was ended by a limit, or it could allocate no more
        raise _refuse("limits")
    log.error("logo_process_failed", returncode=process.returncode, output=reason[-500:])
    raise retry_later("service_unavailable", 60)


def _refuse(code: str) -> Problem:
    return invalid_field("logo", _REASONS[code], code)
