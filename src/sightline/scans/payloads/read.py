"""Reading the payload of one answer back, wherever it is."""

import asyncio
import json
import zlib
from contextlib import suppress

from sightline.db.engine import Reader
from sightline.scans.payloads import queries
from sightline.scans.payloads.object_store import PayloadKey, PayloadStores

_MAX_SIZE = 1_000_000  # characters that are shown


async def read_payload(db: Reader, stores: PayloadStores, key: PayloadKey) -> str | None:
    """Return what the platform sent, or None if it is not stored. The caller has found the answer by its workspace.

    Raises `StoreUnavailable`.
    """
    found = await queries.find_payload(db, *key)
    for folder in stores.folders:
        found = found or await folder.read(key)
    return None if found is None else await asyncio.to_thread(_format, found)


def _format(stored: bytes) -> str:
    """Return JSON in lines of their own, and everything else as it is: long texts too, which take seconds to format."""
    text = zlib.decompress(stored).decode(errors="replace")
    if len(text) <= _MAX_SIZE:
        with suppress(ValueError, RecursionError):  # several documents, or none, or nested too deeply
            text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    return text if len(text) <= _MAX_SIZE else text[:_MAX_SIZE] + "\n…"
