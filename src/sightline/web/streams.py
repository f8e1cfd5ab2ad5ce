"""Live progress of a check for a page: server-sent events that end by themselves."""

import asyncio
from collections.abc import AsyncGenerator

from litestar.response import Stream

from sightline.db.engine import Database
from sightline.scans.progress import follow_scan
from sightline.scans.stored import ScanRow
from sightline.web.render import HEADERS

# A browser takes up a line that has ended by itself, and is then asked anew who it is.
LONGEST_LINE = 600.0


class _LineIsOver(Exception):
    """The line has been open for long enough."""


def stream_progress(db: Database, scan: ScanRow) -> Stream:
    """`platforms` and `progress` whenever something changes, then `end`. Every event says all there is, so a browser
    that comes back after a broken line has missed nothing."""
    return Stream(
        _follow(db, scan),
        status_code=200,
        media_type="text/event-stream",
        # Proxies would gather the events and send them all at the end.
        headers={**HEADERS, "Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _follow(db: Database, scan: ScanRow) -> AsyncGenerator[bytes, None]:
    waited = 0.0

    async def pause(seconds: float) -> None:
        nonlocal waited
        waited += seconds
        if waited > LONGEST_LINE:
            raise _LineIsOver
        await asyncio.sleep(seconds)

    events = follow_scan(db, scan, sleep=pause, by_platform=True)
    yield b"retry: 1000\n\n"  # milliseconds until a browser takes up a broken line
    try:
        async for event in events:
            yield event
    except _LineIsOver:
        return
    finally:
        await events.aclose()
