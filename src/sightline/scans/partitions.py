"""Monthly partitions of the answer tables, so that an old month can be moved or dropped as a whole.

A scan's month is in its id: a UUIDv7 begins with the time. Partitions are created ahead of time; rows without one are
stored in the default partition.
"""

import uuid
from datetime import datetime

from sightline.db.engine import Transaction
from sightline.kit.clock import start_of_month, start_of_next_month

PARTITIONED = ("answers", "answer_payloads", "answer_facts")
_MONTHS_AHEAD = 3


def first_id_at(moment: datetime) -> uuid.UUID:
    """Return the lower bound of all UUIDv7 ids made at this time or later."""
    return uuid.UUID(int=int(moment.timestamp() * 1000) << 80)


async def make_partitions(tx: Transaction, *, now: datetime) -> None:
    """Create the partitions of this month and the next three, except where the default one already has rows."""
    month = start_of_month(now)
    for _ in range(_MONTHS_AHEAD + 1):
        following = start_of_next_month(month)
        for table in PARTITIONED:
            name = f"{table}_{month:%Y_%m}"
            first, last = first_id_at(month), first_id_at(following)
            if await tx.fetchval("SELECT to_regclass($1)", name) is not None:
                continue
            if await tx.fetchval(
                f"SELECT EXISTS (SELECT 1 FROM {table}_default WHERE scan_id >= $1 AND scan_id < $2)", first, last
            ):
                continue
            # Creating a partition locks the whole table for a moment. It does not wait long for that lock, because all
            # other queries would wait behind it; it is tried again later.
            await tx.execute("SET LOCAL lock_timeout = '2s'")
            await tx.execute(f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES FROM ('{first}') TO ('{last}')")
            if table == "answer_payloads":  # compressed already: PostgreSQL need not try again
                await tx.execute(f"ALTER TABLE {name} ALTER COLUMN payload SET STORAGE EXTERNAL")
        month = following
