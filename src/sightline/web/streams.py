"""Live progress of a scan for a page: server-sent events that end with the scan."""

import asyncio
from collections.abc import AsyncGenerator

from litestar.response import Stream

from sightline.db.engine import Database
from sightline.scans.progress import follow_scan
from sightline.scans.stored import ScanRow
from sightline.web.render import HEADERS

# A browser reconnects after a stream has ended, and is then authenticated again.
MAX_STREAM_SECONDS = 600.0


class _StreamExpired(Exception):
    """The stream has been open for the maximum time."""


def stream_progress(db: Database, scan: ScanRow) -> Stream:
    """Stream `platforms` and `progress` events whenever something changes, then `end`.

    Every event is complete, so a browser that reconnects has missed nothing.
    """
    return Stream(
        _follow(db, scan),
        status_code=200,
        media_type="text/event-stream",
        # Without the header, proxies would buffer the events and send them all at the end.
        headers={**HEADERS, "Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _follow(db: Database, scan: ScanRow) -> AsyncGenerator[bytes, None]:
    elapsed = 0.0

    async def pause(seconds: float) -> None:
        nonlocal elapsed
        elapsed += seconds
        if elapsed > MAX_STREAM_SECONDS:
            raise _StreamExpired
        await asyncio.sleep(seconds)

    events = follow_scan(db, scan, sleep=pause, by_platform=True)
    yield b"retry: 1000\n\n"  # milliseconds until a browser reconnects
    try:
        async for event in events:
            yield event
    except _StreamExpired:
        return
    finally:
        await events.aclose()
