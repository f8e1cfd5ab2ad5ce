"""All SQL of the leases. They belong to workers, not to workspaces."""

import uuid
from collections.abc import Mapping

from sightline.db.engine import Transaction

# An arbitrary number that no other advisory lock of this database uses.
_LEASES = 7_410_302_303


async def lock_position(tx: Transaction, worker_id: uuid.UUID) -> tuple[int, int] | None:
    """Return how many workers there are and which of them this one is, from 0; None while it is not registered.

    Takes a lock until the transaction ends, so that two workers never count the same free slots.
    """
    await tx.execute("SELECT pg_advisory_xact_lock($1)", _LEASES)
    row = await tx.fetchrow(
        "SELECT count(*), count(*) FILTER (WHERE id < $1), count(*) FILTER (WHERE id = $1) FROM workers", worker_id
    )
    return (row[0], row[1]) if row[2] else None


async def read_slots_of_others(tx: Transaction, worker_id: uuid.UUID) -> dict[str, int]:
    rows = await tx.fetch("SELECT lane, sum(slots) FROM platform_leases WHERE worker_id <> $1 GROUP BY lane", worker_id)
    return {row[0]: row[1] for row in rows}


async def write_slots(tx: Transaction, worker_id: uuid.UUID, slots: Mapping[str, int]) -> None:
    await tx.execute(
        """INSERT INTO platform_leases (lane, worker_id, slots)
           SELECT lane, $1, slots FROM unnest($2::text[], $3::integer[]) AS t (lane, slots)
           ON CONFLICT (lane, worker_id) DO UPDATE SET slots = EXCLUDED.slots
           WHERE platform_leases.slots <> EXCLUDED.slots""",
        worker_id,
        list(slots),
        list(slots.values()),
    )
