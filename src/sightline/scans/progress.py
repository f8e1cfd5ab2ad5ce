"""The progress of running scans, as server-sent events.

A process reads all scans that somebody follows with one statement every half second, however many listen.
"""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager

import msgspec
import structlog

from sightline.db.engine import Database, DatabaseUnavailable, Reader, SchemaMissing
from sightline.scans import queries
from sightline.scans.schemas.scan_events import ScanEventData, to_scan_event
from sightline.scans.stored import ScanRow

PAUSE = 0.5
"""Seconds between two reads of the followed scans."""
KEEP_ALIVE = 15.0
"""Seconds without an event after which a comment shows proxies and the client that the connection is alive."""

log = structlog.get_logger()
_encode = msgspec.json.Encoder().encode


class PlatformProgress(msgspec.Struct, frozen=True):
    """How far a scan is on one platform."""

    platform: str
    completed: int
    failed: int
    total: int
    waiting: int = 0
    """Questions that the platform works on as tasks. Their answers take minutes."""


async def read_progress(db: Reader, scan: ScanRow) -> list[PlatformProgress]:
    """Return the progress on each platform, in the order in which they were selected. All have the same prompts."""
    counted = await queries.count_answers_by_platform(db, scan.workspace_id, scan.id)
    tasks = await queries.count_tasks(db, scan.workspace_id, scan.id)
    total = scan.answers_total // max(1, len(scan.selected_platforms))
    return [
        PlatformProgress(key, *counted.get(key, (0, 0)), total, tasks.get(key, 0)) for key in scan.selected_platforms
    ]


class ScanFeed:
    """The latest known state of one scan, encoded once for all who follow it."""

    def __init__(self, db: Database, scan: ScanRow) -> None:
        self.scan = scan
        self.changed = asyncio.Event()
        """Set at the next change, and then replaced. A waiting task takes it first and reads the scan afterwards."""
        self.listeners = 0
        self._db = db
        self._platforms: tuple[str, bytes] = "", b""
        self._reading = asyncio.Lock()
        self._encode()

    def _encode(self) -> None:
        self.id = encode_state(self.scan.status, *_counts(self.scan))
        self.progress = _event("progress", to_scan_event(self.scan), event_id=self.id)

    def show(self, scan: ScanRow) -> None:
        """Store a newer state and wake everybody who follows the scan."""
        if encode_state(scan.status, *_counts(scan)) != self.id:
            self.scan = scan
            self._encode()
            self.changed.set()
            self.changed = asyncio.Event()

    async def read_platforms(self) -> bytes:
        """Return the event `platforms`. It is read once for each change."""
        async with self._reading:
            if self._platforms[0] != self.id:
                wanted, scan = self.id, self.scan
                self._platforms = wanted, _event("platforms", await read_progress(self._db, scan))
            return self._platforms[1]


class ScanFeeds:
    """The scans that are followed in this process. They are read only while somebody listens."""

    def __init__(self, db: Database, *, pause: float = PAUSE, keep_alive: float = KEEP_ALIVE) -> None:
        self._db = db
        self._pause = pause
        self._keep_alive = keep_alive
        self._feeds: dict[uuid.UUID, ScanFeed] = {}
        self._poller: asyncio.Task[None] | None = None

    async def follow(
        self, scan: ScanRow, *, last_id: str | None, by_platform: bool = False
    ) -> AsyncGenerator[bytes, None]:
        """Yield `progress` at once and whenever counts or status change, and `end` as the last event.

        With `by_platform`, each `progress` is preceded by `platforms`, the same per platform. Every event carries the
        whole scan, so a client that missed some has missed nothing, and one whose `last_id` is the current state gets
        no `progress` until the next change. Something is sent every 15 seconds at the latest.
        """
        sent = last_id
        with self._listen(scan) as feed:
            seen = b"id: %b\n" % feed.id.encode() if feed.id == sent else b""
            yield b"retry: 1000\n%b\n" % seen  # milliseconds until a browser reconnects
            while True:
                changed = feed.changed
                if feed.id != sent:
                    sent = feed.id
                    if by_platform:
                        yield await feed.read_platforms()
                    yield feed.progress
                if not feed.scan.status.is_active:
                    yield _event("end", to_scan_event(feed.scan), event_id=feed.id)
                    return
                try:
                    await asyncio.wait_for(changed.wait(), self._keep_alive)
                except TimeoutError:
                    yield b": still there\n\n"

    @contextmanager
    def _listen(self, scan: ScanRow) -> Iterator[ScanFeed]:
        feed = self._feeds.get(scan.id)
        if feed is None:
            feed = self._feeds[scan.id] = ScanFeed(self._db, scan)
        feed.show(scan)
        feed.listeners += 1
        if self._poller is None or self._poller.done():
            self._poller = asyncio.create_task(self._poll())
        try:
            yield feed
        finally:
            feed.listeners -= 1
            if not feed.listeners:
                del self._feeds[scan.id]

    async def _poll(self) -> None:
        while self._feeds:
            await asyncio.sleep(self._pause)
            try:
                await self._read()
            except (DatabaseUnavailable, SchemaMissing):
                pass  # the streams stay silent until the database is back
            except Exception:
                log.exception("scans_not_read")

    async def _read(self) -> None:
        followed = {feed.scan.id: feed.scan.workspace_id for feed in self._feeds.values()}
        states = await queries.list_states_any_workspace(self._db, list(followed.values()), list(followed))
        for scan_id, status, total, completed, failed in states:
            feed = self._feeds.get(scan_id)
            if feed is not None and encode_state(status, total, completed, failed) != feed.id:
                scan = await queries.find_scan(self._db, followed[scan_id], scan_id)
                assert scan is not None  # scans are never deleted
                feed.show(scan)


def encode_state(status: str, total: int, completed: int, failed: int) -> str:
    """Return the id of an event. It names what can change, so that any process can tell what a client has seen."""
    return f"{status}-{total}-{completed}-{failed}"


def _counts(scan: ScanRow) -> tuple[int, int, int]:
    return scan.answers_total, scan.answers_completed, scan.answers_failed


def _event(name: str, data: ScanEventData | list[PlatformProgress], *, event_id: str | None = None) -> bytes:
    head = b"id: %b\n" % event_id.encode() if event_id else b""
    return b"%bevent: %b\ndata: %b\n\n" % (head, name.encode(), _encode(data))
