"""SQL of payloads."""

import uuid
from collections.abc import Sequence

from sightline.db.engine import Reader, Transaction
from sightline.scans.payloads.object_store import PayloadKey

# An arbitrary number that no other advisory lock of this database uses.
_PAYLOADS = 7_410_302_307


async def claim_payloads_any_workspace(tx: Transaction) -> bool:
    """Return whether this transaction may move or remove payloads; at most one does at a time."""
    claimed: bool = await tx.fetchval("SELECT pg_try_advisory_xact_lock($1)", _PAYLOADS)
    return claimed


async def find_payload(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, answer_id: uuid.UUID) -> bytes | None:
    payload: bytes | None = await db.fetchval(
        "SELECT payload FROM answer_payloads WHERE workspace_id = $1 AND scan_id = $2 AND answer_id = $3",
        workspace_id,
        scan_id,
        answer_id,
    )
    return payload


async def list_payloads_any_workspace(
    db: Reader, *, after: PayloadKey | None, limit: int
) -> list[tuple[PayloadKey, bytes]]:
    """Return the payloads in the database after this place, in order."""
    rows = await db.fetch(
        """SELECT workspace_id, scan_id, answer_id, payload FROM answer_payloads
           WHERE $1::uuid IS NULL OR (workspace_id, scan_id, answer_id) > ($1, $2, $3)
           ORDER BY workspace_id, scan_id, answer_id LIMIT $4""",
        *(after or (None, None, None)),
        limit,
    )
    return [((row[0], row[1], row[2]), row[3]) for row in rows]


async def list_payloads(
    db: Reader, workspace_id: uuid.UUID, *, after: PayloadKey | None, limit: int
) -> list[tuple[PayloadKey, bytes]]:
    """Return the payloads of a workspace in the database after this place, in order."""
    rows = await db.fetch(
        """SELECT workspace_id, scan_id, answer_id, payload FROM answer_payloads
           WHERE workspace_id = $1 AND ($2::uuid IS NULL OR (scan_id, answer_id) > ($2, $3))
           ORDER BY scan_id, answer_id LIMIT $4""",
        workspace_id,
        *((None, None) if after is None else after[1:]),
        limit,
    )
    return [((row[0], row[1], row[2]), row[3]) for row in rows]


async def delete_payloads(tx: Transaction, keys: Sequence[PayloadKey]) -> None:
    await tx.execute(
        """DELETE FROM answer_payloads p USING unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS t (workspace, scan, answer)
           WHERE p.workspace_id = t.workspace AND p.scan_id = t.scan AND p.answer_id = t.answer""",
        *map(list, zip(*keys, strict=True)),
    )


async def insert_payload(tx: Transaction, key: PayloadKey, payload: bytes) -> None:
    """Insert a payload, unless its answer is gone."""
    await tx.execute(
        """INSERT INTO answer_payloads (workspace_id, scan_id, answer_id, payload)
           SELECT workspace_id, scan_id, id, $4 FROM answers WHERE workspace_id = $1 AND scan_id = $2 AND id = $3
           ON CONFLICT DO NOTHING""",
        *key,
        payload,
    )


async def list_payload_ids(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> set[uuid.UUID]:
    """Return the answers of a scan whose payloads are in the database."""
    rows = await db.fetch(
        "SELECT answer_id FROM answer_payloads WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id
    )
    return {row[0] for row in rows}


async def list_answer_ids(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> set[uuid.UUID]:
    rows = await db.fetch("SELECT id FROM answers WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id)
    return {row[0] for row in rows}
