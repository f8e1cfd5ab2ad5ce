"""Reading the payload of one answer back, wherever it is."""

import asyncio
import json
import uuid
import zlib
from collections.abc import AsyncIterator
from contextlib import suppress

from sightline.db.engine import Reader
from sightline.scans.payloads import queries
from sightline.scans.payloads.object_store import PayloadKey, PayloadStores, StoreUnavailable

_BATCH = 50
_MAX_SIZE = 1_000_000  # characters that are shown


async def read_payload(db: Reader, stores: PayloadStores, key: PayloadKey) -> str | None:
    """Return what the platform sent, or None if it is not stored. The caller has found the answer by its workspace.

    The places that payloads are moved from are read before the place they are moved to, so a payload that is just being
    moved is found. Raises `StoreUnavailable` if a store does not respond and the others do not have it.
    """

    async def read_database(key: PayloadKey) -> bytes | None:
        return await queries.find_payload(db, *key)

    former, current = ([folder.read] if folder else [] for folder in (stores.former, stores.current))
    failure: StoreUnavailable | None = None
    for read in (*former, read_database, *current):
        try:
            found = await read(key)
        except StoreUnavailable as error:
            failure = error
            continue
        if found is not None:
            return await asyncio.to_thread(_format, found)
    if failure is not None:
        raise failure
    return None


async def list_payloads(
    db: Reader, stores: PayloadStores, workspace_id: uuid.UUID
) -> AsyncIterator[tuple[PayloadKey, bytes]]:
    """Yield all payloads of a workspace, wherever they are, compressed as they are stored.

    One that is being moved meanwhile can come twice. Raises `StoreUnavailable` if a store does not respond.
    """
    after: PayloadKey | None = None
    while rows := await queries.list_payloads(db, workspace_id, after=after, limit=_BATCH):
        for key, payload in rows:
            yield key, payload
        after = rows[-1][0]
    for folder in stores.folders:
        for scan_id in await folder.list_scans_of(workspace_id):
            for answer_id in await folder.list_answers(workspace_id, scan_id):
                key = (workspace_id, scan_id, answer_id)
                if (found := await folder.read(key)) is not None:
                    yield key, found


def _format(stored: bytes) -> str:
    """Return JSON indented, and other text as it is. Long JSON is not indented, because that takes seconds."""
    text = zlib.decompress(stored).decode(errors="replace")
    if len(text) <= _MAX_SIZE:
        with suppress(ValueError, RecursionError):  # several documents, or none, or nested too deeply
            text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    return text if len(text) <= _MAX_SIZE else text[:_MAX_SIZE] + "\n…"
