"""Writing payloads before their answers are stored, so that no stored answer lacks its payload."""

import asyncio
import time
import uuid
from collections.abc import Iterator, Sequence

import msgspec
import structlog

from sightline.scans.payloads.object_store import THREADS, PayloadFolder, StoreUnavailable
from sightline.scans.running.queries import NewAnswer

log = structlog.get_logger()

BATCH_SECONDS = 10.0
PAUSE_SECONDS = 60.0


class PayloadWriter:
    """Writes payloads to the store outside the database, if there is one.

    When a payload cannot be written, or a batch takes too long, what is left goes to the database, and so do the
    batches of the next minute. A worker moves these payloads later. So a scan does not wait for a store that is
    unavailable, and no platform is asked a second time.
    """

    def __init__(self, folder: PayloadFolder | None) -> None:
        self._folder = folder
        self._paused_until = 0.0

    async def write(self, answers: Sequence[NewAnswer]) -> Sequence[NewAnswer]:
        """Return the answers, without the payloads that are stored outside the database now."""
        if self._folder is None or time.monotonic() < self._paused_until:
            return answers
        written: set[uuid.UUID] = set()
        waiting = iter([answer for answer in answers if answer.payload])
        try:
            async with asyncio.timeout(BATCH_SECONDS), asyncio.TaskGroup() as group:
                for _ in range(THREADS):
                    group.create_task(_write_each(self._folder, waiting, written))
        except* (StoreUnavailable, TimeoutError) as failures:
            # A write that a thread has begun may still end: then the payload is in both places until it is moved.
            self._paused_until = time.monotonic() + PAUSE_SECONDS
            kept = sum(1 for answer in answers if answer.payload and answer.id not in written)
            log.warning("payloads_stored_in_database", answers=kept, reason=repr(failures.exceptions[0]))
        return [msgspec.structs.replace(answer, payload=b"") if answer.id in written else answer for answer in answers]


async def _write_each(folder: PayloadFolder, waiting: Iterator[NewAnswer], written: set[uuid.UUID]) -> None:
    """Write one payload after the other. Several of these tasks take from the same iterator."""
    for answer in waiting:
        await folder.write((answer.cell.workspace_id, answer.cell.scan_id, answer.id), answer.payload)
        written.add(answer.id)
