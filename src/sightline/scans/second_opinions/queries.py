"""All SQL of second opinions. An expired one is never read, whether or not housekeeping has deleted it."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.scans.second_opinions.models import OpinionRow

_ROW = columns(OpinionRow)


async def lock_uploads(tx: Transaction, workspace_id: uuid.UUID) -> None:
    """Let uploads of one workspace pass one after the other, so that their limits hold."""
    key = f"second opinions {workspace_id}"
    await tx.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", key)


async def count_opinions(tx: Transaction, workspace_id: uuid.UUID, *, now: datetime) -> tuple[int, int]:
    """Return how many there are, and how many of them are not measured yet."""
    row = await tx.fetchrow(
        """SELECT count(*), count(*) FILTER (WHERE state IN ('uploaded', 'queued'))
           FROM second_opinions WHERE workspace_id = $1 AND expires_at > $2""",
        workspace_id,
        now,
    )
    assert row is not None
    return row[0], row[1]


async def insert_opinion(tx: Transaction, row: OpinionRow, content: bytes) -> None:
    await tx.execute(
        """INSERT INTO second_opinions
               (workspace_id, id, file_name, state, request, head, content, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)""",
        row.workspace_id,
        row.id,
        row.file_name,
        row.state,
        row.request,
        row.head,
        content,
        row.created_at,
        row.expires_at,
    )


async def find_opinion(
    db: Reader, workspace_id: uuid.UUID, opinion_id: uuid.UUID, *, now: datetime
) -> OpinionRow | None:
    row = await db.fetchrow(
        f"SELECT {_ROW} FROM second_opinions WHERE workspace_id = $1 AND id = $2 AND expires_at > $3",
        workspace_id,
        opinion_id,
        now,
    )
    return to_row_or_none(OpinionRow, row)


async def list_opinions(db: Reader, workspace_id: uuid.UUID, *, now: datetime) -> Sequence[OpinionRow]:
    """Return the second opinions that have not expired, newest first."""
    rows = await db.fetch(
        f"SELECT {_ROW} FROM second_opinions WHERE workspace_id = $1 AND expires_at > $2 ORDER BY created_at DESC",
        workspace_id,
        now,
    )
    return to_rows(OpinionRow, rows)


async def queue_opinion(tx: Transaction, workspace_id: uuid.UUID, opinion_id: uuid.UUID, *, head: bytes) -> bool:
    """Save the chosen columns. Return False if the file is measured already or waits for it."""
    found = await tx.fetchval(
        """UPDATE second_opinions SET state = 'queued', head = $3
           WHERE workspace_id = $1 AND id = $2 AND state = 'uploaded' RETURNING true""",
        workspace_id,
        opinion_id,
        head,
    )
    return found is not None


async def find_content(db: Reader, workspace_id: uuid.UUID, opinion_id: uuid.UUID) -> bytes | None:
    """Return the compressed file of an opinion that is queued."""
    content: bytes | None = await db.fetchval(
        "SELECT content FROM second_opinions WHERE workspace_id = $1 AND id = $2 AND state = 'queued'",
        workspace_id,
        opinion_id,
    )
    return content


async def find_record(db: Reader, workspace_id: uuid.UUID, opinion_id: uuid.UUID) -> bytes | None:
    record: bytes | None = await db.fetchval(
        "SELECT record FROM second_opinions WHERE workspace_id = $1 AND id = $2 AND state = 'done'",
        workspace_id,
        opinion_id,
    )
    return record


async def end_opinion(
    db: Reader, workspace_id: uuid.UUID, opinion_id: uuid.UUID, *, record: bytes | None, fault: str | None
) -> None:
    """Save the result or the fault, and delete the file."""
    await db.fetchval(
        """UPDATE second_opinions SET state = $3, record = $4, fault = $5, content = NULL
           WHERE workspace_id = $1 AND id = $2 AND state = 'queued' RETURNING true""",
        workspace_id,
        opinion_id,
        "failed" if record is None else "done",
        record,
        fault,
    )


async def delete_opinion(tx: Transaction, workspace_id: uuid.UUID, opinion_id: uuid.UUID) -> None:
    await tx.execute("DELETE FROM second_opinions WHERE workspace_id = $1 AND id = $2", workspace_id, opinion_id)


async def delete_expired_any_workspace(tx: Transaction, *, now: datetime) -> None:
    await tx.execute("DELETE FROM second_opinions WHERE expires_at <= $1", now)
