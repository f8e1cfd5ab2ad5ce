"""The ledger as CSV, streamed as it is read.

Each batch is its own statement, which continues after the last row of the batch before. No statement runs for long, and
a slow reader holds neither a connection nor a snapshot. Entries never change, so the batches fit together.
"""

import uuid
from collections.abc import AsyncGenerator

from sightline.credits import queries
from sightline.db.engine import Reader

HEADER = b"id,created_at,reason,delta,scan_id,payment_reference,description\r\n"
BATCH_SIZE = 5_000  # about a megabyte, in about 10 ms


async def ledger_csv(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, batch_size: int = BATCH_SIZE
) -> AsyncGenerator[bytes, None]:
    """Yield the ledger as RFC 4180 CSV, newest first. Entries written meanwhile are not included."""
    yield HEADER
    after: queries.SortKey | None = None
    while True:
        lines, after = await queries.export_entries(db, workspace_id, livemode=livemode, after=after, limit=batch_size)
        if lines:
            yield lines
        if after is None:
            return
