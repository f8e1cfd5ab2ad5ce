"""The progress of a running scan, as server-sent events."""

import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable

import msgspec

from sightline.db.engine import Reader
from sightline.scans import queries
from sightline.scans.schemas.scan import Scan, to_scan
from sightline.scans.stored import ScanRow

PAUSE = 0.5
"""Seconds between two reads of the scan."""
KEEP_ALIVE = 15.0
"""Seconds without an event after which a comment shows proxies and the client that the connection is alive."""

_encode = msgspec.json.Encoder().encode


class PlatformProgress(msgspec.Struct, frozen=True):
    """How far a scan is on one platform."""

    platform: str
    completed: int
    failed: int
    total: int


async def read_progress(db: Reader, scan: ScanRow) -> list[PlatformProgress]:
    """Return the progress on each platform, in the order in which they were selected. All have the same prompts."""
    counted = await queries.count_answers_by_platform(db, scan.workspace_id, scan.id)
    total = scan.answers_total // max(1, len(scan.selected_platforms))
    return [PlatformProgress(key, *counted.get(key, (0, 0)), total) for key in scan.selected_platforms]


async def follow_scan(
    db: Reader, scan: ScanRow, *, sleep: Callable[[float], Awaitable[object]], by_platform: bool = False
) -> AsyncGenerator[bytes, None]:
    """Yield `progress` at once and whenever counts or status change, and `end` as the last event.

    With `by_platform`, each `progress` is preceded by `platforms`, the same per platform. Every event carries the whole
    scan, so a client that missed some has missed nothing. No database connection is held between two reads.
    """
    sent: ScanRow | None = None
    idle_seconds = 0.0
    while True:
        if sent is None or _differs(scan, sent):
            sent, idle_seconds = scan, 0.0
            if by_platform:
                yield _event("platforms", await read_progress(db, scan))
            yield _event("progress", to_scan(scan))
        elif idle_seconds >= KEEP_ALIVE:
            idle_seconds = 0.0
            yield b": still there\n\n"
        if not scan.status.is_active:
            yield _event("end", to_scan(scan))
            return
        await sleep(PAUSE)
        idle_seconds += PAUSE
        scan = await _read(db, scan.workspace_id, scan.id)


async def _read(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> ScanRow:
    scan = await queries.find_scan(db, workspace_id, scan_id)
    assert scan is not None  # scans are never deleted
    return scan


def _differs(now: ScanRow, before: ScanRow) -> bool:
    return _visible_state(now) != _visible_state(before)


def _visible_state(scan: ScanRow) -> tuple[object, ...]:
    return scan.status, scan.answers_total, scan.answers_completed, scan.answers_failed


def _event(name: str, data: Scan | list[PlatformProgress]) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (name.encode(), _encode(data))
