"""Writing payloads before their answers are stored, so that no stored answer lacks its payload."""

import asyncio
import time
from collections.abc import Sequence

import msgspec
import structlog

from sightline.scans.payloads.object_store import PayloadFolder, StoreUnavailable
from sightline.scans.running.queries import NewAnswer

log = structlog.get_logger()

_PAUSE_SECONDS = 30.0


class PayloadWriter:
    """Writes payloads to the store outside the database, if there is one.

    While it cannot be written to, payloads go to the database, and a worker moves them later. So a scan waits for no
    store, and nothing is asked a second time.
    """

    def __init__(self, folder: PayloadFolder | None) -> None:
        self._folder = folder
        self._paused_until = 0.0

    async def write(self, answers: Sequence[NewAnswer]) -> Sequence[NewAnswer]:
        """Return the answers, without the payloads that are stored outside the database now."""
        if self._folder is None or time.monotonic() < self._paused_until:
            return answers
        written = await asyncio.gather(*(self._write_one(self._folder, answer) for answer in answers))
        if not all(written):
            self._paused_until = time.monotonic() + _PAUSE_SECONDS
            log.warning("payloads_stored_in_database", answers=written.count(False))
        return [
            msgspec.structs.replace(answer, payload=b"") if done else answer
            for answer, done in zip(answers, written, strict=True)
        ]

    async def _write_one(self, folder: PayloadFolder, answer: NewAnswer) -> bool:
        if not answer.payload:
            return True
        try:
            await folder.write((answer.cell.workspace_id, answer.cell.scan_id, answer.id), answer.payload)
        except StoreUnavailable as error:
            log.warning("payload_not_written", reason=str(error))
            return False
        return True
