"""The Vega script that makes charts interactive, built once from the `vl-convert` wheel and stored as a file.

It is built at the first request, so that neither the start nor the first page waits for it. Building takes seconds
during which the wheel holds the interpreter lock, so a subprocess does it. Several processes may build at the same
time: each replaces the file atomically with the same content.
"""

import asyncio
import gzip
import os
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import structlog
from starlette.responses import Response

from sightline.api.app_context import AppContext
from sightline.api.site_routes import SiteRequest, read
from sightline.kit.child_environment import build_child_environment
from sightline.web.render import HEADERS

log = structlog.get_logger()

BUNDLE_NAME = f"vega-{version('vl-convert-python')}.js"
BUNDLE_PATH = f"/static/{BUNDLE_NAME}"
_BUILD_SCRIPT = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"
_BUILD_TIMEOUT_SECONDS = 120.0
# The name changes with the content, so a browser never needs to ask again.
_CACHE_HEADERS = {**HEADERS, "Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}


class BundleUnavailable(Exception):
    """The bundle could not be built. Charts stay as the server rendered them."""


class VegaBundle:
    """The compressed bundle, held in memory after its first use. Concurrent readers share one build."""

    def __init__(self, build_script: str = _BUILD_SCRIPT) -> None:
        self._build_script = build_script
        self._content: bytes | None = None
        self._build: asyncio.Task[bytes] | None = None

    async def read(self, folder: Path) -> bytes:
        if self._content is None:
            build = self._build = self._build or asyncio.create_task(
                _read_or_build(folder / f"{BUNDLE_NAME}.gz", self._build_script)
            )
            build.add_done_callback(self._clear_build)
            # A reader that disconnects must not cancel the build for the others.
            self._content = await asyncio.shield(build)
        return self._content

    def _clear_build(self, build: asyncio.Task[bytes]) -> None:
        """Let the next reader try again after a failure, and retrieve an exception that nobody awaits."""
        self._build = None
        if not build.cancelled():
            build.exception()


async def _read_or_build(file: Path, build_script: str) -> bytes:
    try:
        return await asyncio.to_thread(file.read_bytes)
    except OSError:
        pass
    content = await asyncio.to_thread(gzip.compress, await _build(build_script), 9)
    try:
        await asyncio.to_thread(_store, file, content)
    except OSError as error:  # the folder is not writable: the next process builds it again
        log.info("bundle_not_stored", path=str(file), reason=str(error))
    return content


async def _build(script: str) -> bytes:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        script,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=build_child_environment(),
    )
    try:
        bundle, _ = await asyncio.wait_for(process.communicate(), _BUILD_TIMEOUT_SECONDS)
    except TimeoutError:
        bundle = b""
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode != 0 or not bundle:
        raise BundleUnavailable
    return bundle


def _store(file: Path, content: bytes) -> None:
    """Write the file atomically, so that no other process reads half of it."""
    file.parent.mkdir(mode=0o700, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as temporary:
            temporary.write(content)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


_BUNDLE = VegaBundle()


@read(BUNDLE_PATH)
async def serve_bundle(request: SiteRequest) -> Response:
    app_context: AppContext = request.app.state.app_context
    try:
        content = await _BUNDLE.read(app_context.settings.data_dir / "assets")
    except (BundleUnavailable, OSError):
        log.warning("bundle_unavailable")
        return Response(b"", status_code=503, media_type="text/javascript", headers={**HEADERS, "Retry-After": "60"})
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = {**_CACHE_HEADERS, "Content-Encoding": "gzip"}
        return Response(content, media_type="text/javascript", headers=headers)
    script = await asyncio.to_thread(gzip.decompress, content)
    return Response(script, media_type="text/javascript", headers=_CACHE_HEADERS)
