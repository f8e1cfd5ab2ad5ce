"""The whole ledger as CSV, sent as it is read.

Each batch is a statement of its own, which goes on after the last row of the one before. So no statement runs for long
however long the ledger is, and a reader who is slow or stops holds neither a connection nor a snapshot: a few of them
cannot use up the pool. Entries are never changed, so batches that are read one after the other still fit together.
"""

import uuid
from collections.abc import AsyncGenerator

from sightline.credits import queries
from sightline.db.engine import Reader

HEADER = b"id,created_at,reason,delta,scan_id,payment_reference,description\r\n"
_BATCH = 5_000  # about a megabyte, in about 10 ms


async def ledger_csv(db: Reader, workspace_id: uuid.UUID, *, livemode: bool) -> AsyncGenerator[bytes, None]:
    """Newest first, as the ledger itself; RFC 4180. Entries that are written meanwhile are not in it."""
    yield HEADER
    after: queries.SortKey | None = None
    while True:
        lines, after = await queries.export_entries(db, workspace_id, livemode=livemode, after=after, limit=_BATCH)
        if lines:
            yield lines
        if after is None:
            return
