"""Vega for the browser: one file made out of the wheel that draws our charts on the server, kept for its version.

It is made at the first need, not at the start: the first page does not wait for it, and whoever never looks at a chart
never pays for it. Making it takes some seconds in which the wheel lets no other thread run, so a process of its own
does it. Any number of processes may: each puts a whole file in place, and all of them are alike.
"""

import asyncio
import gzip
import os
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import structlog
from litestar import Response, route
from litestar.enums import HttpMethod

from sightline.api.app_context import AppContext
from sightline.web.render import HEADERS
from sightline.web.visits import Asked

log = structlog.get_logger()

NAME = f"vega-{version('vl-convert-python')}.js"
PATH = f"/static/{NAME}"
_MAKE = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"
_LONGEST = 120.0
# The name changes with the content, so a browser need never ask again.
_KEPT = {**HEADERS, "Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}


class BundleUnavailable(Exception):
    """It could not be made. Charts stay as the server has drawn them."""


class Bundle:
    """Compressed, in memory once it was asked for. Who asks meanwhile waits for the one who makes it."""

    def __init__(self) -> None:
        self._content: bytes | None = None
        self._making: asyncio.Task[bytes] | None = None

    async def read(self, folder: Path) -> bytes:
        if self._content is None:
            making = self._making = self._making or asyncio.create_task(_find_or_make(folder / f"{NAME}.gz"))
            making.add_done_callback(self._forget)
            # A reader who goes away must not end it for the others.
            self._content = await asyncio.shield(making)
        return self._content

    def _forget(self, made: asyncio.Task[bytes]) -> None:
        """What failed is tried again by the next reader. A failure that nobody waits for is looked at here."""
        self._making = None
        if not made.cancelled():
            made.exception()


async def _find_or_make(file: Path) -> bytes:
    try:
        return await asyncio.to_thread(file.read_bytes)
    except OSError:
        pass
    content = await asyncio.to_thread(gzip.compress, await _make(), 9)
    try:
        await asyncio.to_thread(_keep, file, content)
    except OSError as error:  # a directory that cannot be written to: it is made again by the next process
        log.info("bundle_not_kept", path=str(file), reason=str(error))
    return content


async def _make() -> bytes:
    maker = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _MAKE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        made, _ = await asyncio.wait_for(maker.communicate(), _LONGEST)
    except TimeoutError:
        made = b""
    finally:
        if maker.returncode is None:
            maker.kill()
    if maker.returncode != 0 or not made:
        raise BundleUnavailable
    return made


def _keep(file: Path, content: bytes) -> None:
    """Whole or not at all, whoever else does the same."""
    file.parent.mkdir(mode=0o700, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as made:
            made.write(content)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


_BUNDLE = Bundle()


@route(PATH, http_method=[HttpMethod.GET, HttpMethod.HEAD])
async def serve_bundle(request: Asked) -> Response[bytes]:
    app_context: AppContext = request.app.state.app_context
    try:
        content = await _BUNDLE.read(app_context.settings.data_dir / "assets")
    except (BundleUnavailable, OSError):
        log.warning("bundle_not_made")
        return Response(b"", status_code=503, media_type="text/javascript", headers={**HEADERS, "Retry-After": "60"})
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = {**_KEPT, "Content-Encoding": "gzip"}
        return Response(content, media_type="text/javascript", headers=headers)
    return Response(await asyncio.to_thread(gzip.decompress, content), media_type="text/javascript", headers=_KEPT)
