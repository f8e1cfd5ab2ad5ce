"""SQL of sealed months: what is sealed next, its rows, and what is recorded about it."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

import msgspec

from sightline.db.engine import Reader, Transaction, to_rows
from sightline.db.jsonb import to_jsonb
from sightline.scans.sealed.parquet import COLUMNS, SealedFile, SealedTable
from sightline.tables.queries import define_record, find_stored_columns

# An arbitrary number that no other advisory lock of this database uses.
_SEALING = 7_410_302_308


async def claim_sealing_any_workspace(tx: Transaction) -> bool:
    """Return whether this transaction may write or delete files of sealed months; at most one does at a time.

    It waits for files, so a server that ends idle transactions must not end it.
    """
    await tx.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
    claimed: bool = await tx.fetchval("SELECT pg_try_advisory_xact_lock($1)", _SEALING)
    return claimed


class ScanToSeal(msgspec.Struct, frozen=True):
    """An ended scan whose answers are in the database. Its version changes when its answers are analyzed again."""

    id: uuid.UUID
    domain_id: uuid.UUID
    answers: int
    version: str


class SealedMonth(msgspec.Struct, frozen=True):
    """The files of one seal: answers of one workspace and month. A month may have several seals."""

    workspace_id: uuid.UUID
    month: date
    seal: uuid.UUID
    scans: int
    files: Mapping[str, SealedFile]
    sealed_at: datetime


_SEALED_MONTH = "workspace_id, month, seal, scans, files::text, sealed_at"
_decode_files = msgspec.json.Decoder(dict[str, SealedFile]).decode


def _to_sealed_month(row: Any) -> SealedMonth:
    return SealedMonth(row[0], row[1], row[2], row[3], _decode_files(row[4]), row[5])


async def find_oldest_scan_any_workspace(db: Reader) -> uuid.UUID | None:
    """Return the oldest scan whose answers are in the database."""
    found: uuid.UUID | None = await db.fetchval(
        "SELECT id FROM scans WHERE answers_expired_at IS NULL ORDER BY id LIMIT 1"
    )
    return found


async def find_workspace_to_seal_any_workspace(
    db: Reader, *, since: uuid.UUID, before: uuid.UUID, after: uuid.UUID | None
) -> uuid.UUID | None:
    """Return the next open workspace with answers of a period. A workspace that is being deleted is left out."""
    found: uuid.UUID | None = await db.fetchval(
        """SELECT s.workspace_id FROM scans s JOIN workspaces w ON w.id = s.workspace_id AND w.closed_at IS NULL
           WHERE s.id >= $1 AND s.id < $2 AND s.answers_expired_at IS NULL
             AND ($3::uuid IS NULL OR s.workspace_id > $3)
           ORDER BY s.workspace_id LIMIT 1""",
        since,
        before,
        after,
    )
    return found


async def list_scans_to_seal(
    db: Reader, workspace_id: uuid.UUID, *, since: uuid.UUID, before: uuid.UUID, limit: int
) -> list[ScanToSeal]:
    """Return the scans of a period whose answers can be sealed, the oldest first. A closed workspace has none."""
    rows = await db.fetch(
        """SELECT s.id, s.domain_id, s.answers_completed + s.answers_failed, coalesce(r.xmin::text, '')
           FROM scans s JOIN workspaces w ON w.id = s.workspace_id AND w.closed_at IS NULL
           LEFT JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
           WHERE s.workspace_id = $1 AND s.id >= $2 AND s.id < $3 AND s.answers_expired_at IS NULL
             AND s.completed_at IS NOT NULL
           ORDER BY s.id LIMIT $4""",
        workspace_id,
        since,
        before,
        limit,
    )
    return to_rows(ScanToSeal, rows)


async def mark_sealed(
    tx: Transaction, workspace_id: uuid.UUID, scans: Sequence[ScanToSeal], *, now: datetime
) -> list[uuid.UUID]:
    """Mark scans that have not changed since they were listed, and return them. The caller has claimed retention.

    A scan whose domain is being analyzed again is not marked.
    """
    rows = await tx.fetch(
        """UPDATE scans s SET answers_expired_at = $4, answers_sealed_at = $4
           FROM unnest($2::uuid[], $3::text[]) AS t (id, version), workspaces w
           WHERE s.workspace_id = $1 AND s.id = t.id AND s.answers_expired_at IS NULL
             AND w.id = $1 AND w.closed_at IS NULL
             AND t.version = coalesce((SELECT r.xmin::text FROM scan_results r
                                       WHERE r.workspace_id = $1 AND r.scan_id = s.id), '')
             AND NOT EXISTS (SELECT FROM recomputations c WHERE c.workspace_id = $1 AND c.domain_id = s.domain_id
                               AND c.status = 'running')
           RETURNING s.id""",
        workspace_id,
        [each.id for each in scans],
        [each.version for each in scans],
        now,
    )
    return [row[0] for row in rows]


async def count_stored(tx: Transaction, workspace_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]) -> dict[str, int]:
    """Return how many rows of these scans each sealed table has in the database."""
    row = await tx.fetchrow(
        """SELECT (SELECT count(*) FROM answers WHERE workspace_id = $1 AND scan_id = ANY($2::uuid[])) AS answers,
                  (SELECT count(*) FROM answer_facts WHERE workspace_id = $1 AND scan_id = ANY($2::uuid[])) AS facts,
                  coalesce(sum(jsonb_array_length(rows)) FILTER (WHERE name = 'mentions'), 0) AS mentions,
                  coalesce(sum(jsonb_array_length(rows)) FILTER (WHERE name = 'citations'), 0) AS citations,
                  coalesce(sum(jsonb_array_length(rows)) FILTER (WHERE name = 'cells'), 0) AS cells
           FROM scan_rows WHERE workspace_id = $1 AND scan_id = ANY($2::uuid[])""",
        workspace_id,
        list(scan_ids),
    )
    return dict(row)


async def insert_sealed_month(tx: Transaction, sealed: SealedMonth) -> None:
    await tx.execute(
        """INSERT INTO sealed_months (workspace_id, month, seal, scans, files, sealed_at)
           VALUES ($1, $2, $3, $4, $5::jsonb, $6)""",
        sealed.workspace_id,
        sealed.month,
        sealed.seal,
        sealed.scans,
        to_jsonb(sealed.files),
        sealed.sealed_at,
    )


async def list_sealed_months(
    db: Reader, workspace_id: uuid.UUID, months: Sequence[date] | None = None
) -> list[SealedMonth]:
    """Return the seals of a workspace, of all months or of these, the oldest first."""
    rows = await db.fetch(
        f"""SELECT {_SEALED_MONTH} FROM sealed_months
            WHERE workspace_id = $1 AND ($2::date[] IS NULL OR month = ANY($2)) ORDER BY month, seal""",
        workspace_id,
        None if months is None else list(months),
    )
    return [_to_sealed_month(row) for row in rows]


async def list_sealed_months_any_workspace(db: Reader, *, before: date, limit: int) -> list[SealedMonth]:
    """Return seals of months before this one, the oldest first."""
    rows = await db.fetch(
        f"SELECT {_SEALED_MONTH} FROM sealed_months WHERE month < $1 ORDER BY month, workspace_id, seal LIMIT $2",
        before,
        limit,
    )
    return [_to_sealed_month(row) for row in rows]


async def list_sealed_scans(db: Reader, workspace_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    """Return those of the scans whose answers are sealed."""
    rows = await db.fetch(
        "SELECT id FROM scans WHERE workspace_id = $1 AND id = ANY($2::uuid[]) AND answers_sealed_at IS NOT NULL",
        workspace_id,
        list(scan_ids),
    )
    return [row[0] for row in rows]


async def list_sealed_scans_of_domain(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_ids: Sequence[uuid.UUID] | None
) -> list[uuid.UUID]:
    """Return the scans of a domain whose answers are sealed, among the given ones or all, the newest first."""
    rows = await db.fetch(
        """SELECT id FROM scans WHERE workspace_id = $1 AND domain_id = $2 AND answers_sealed_at IS NOT NULL
             AND ($3::uuid[] IS NULL OR id = ANY($3)) ORDER BY id DESC""",
        workspace_id,
        domain_id,
        None if scan_ids is None else list(scan_ids),
    )
    return [row[0] for row in rows]


async def unseal_scans(
    tx: Transaction, workspace_id: uuid.UUID, *, since: uuid.UUID, before: uuid.UUID, now: datetime
) -> None:
    """Mark the sealed scans of a period as expired: their files are deleted next."""
    await tx.execute(
        """UPDATE scans SET answers_sealed_at = NULL, answers_expired_at = $4
           WHERE workspace_id = $1 AND id >= $2 AND id < $3 AND answers_sealed_at IS NOT NULL""",
        workspace_id,
        since,
        before,
        now,
    )


async def delete_sealed_month(tx: Transaction, sealed: SealedMonth) -> None:
    await tx.execute(
        "DELETE FROM sealed_months WHERE workspace_id = $1 AND month = $2 AND seal = $3",
        sealed.workspace_id,
        sealed.month,
        sealed.seal,
    )


# The rows that are written

_DERIVED: Mapping[str, str] = {
    "domain_id": "s.domain_id::text",
    "scan_id": "s.id::text",
    "scope": "s.measurement_scope",
    "answers_source": "s.answers_source",
    "measured_at": "s.completed_at",
    "prompt": "asked.prompt",
    "language": "asked.language",
    "country": "asked.country",
    "branded": "asked.branded",
}
"""Columns that are not in the stored rows of a check."""
_OF_ANSWER: Mapping[str, str] = {
    "answer_id": "a.id::text",
    "prompt_id": "coalesce(r.prompt_id::text, s.prompts -> a.prompt_index ->> 'id')",
    "prompt": "coalesce(asked.prompt, s.prompts -> a.prompt_index ->> 'text')",
    "country": "a.country",
    "platform": "a.platform",
    "status": "a.status",
    "answered_at": "a.answered_at",
    "prompt_index": "a.prompt_index",
    "text": "a.text",
    "record": "convert_from(a.record, 'UTF8')",
}
"""Columns that are in `answers` as well. A scan that did not complete has no other rows."""


def _select(name: SealedTable, known: Mapping[str, str]) -> str:
    return ", ".join(
        known.get(column) or (f"r.{column}::text" if kind == "uuid" else f"r.{column}")
        for column, kind in COLUMNS[name]
    )


def _read_stored(name: str, alias: str, definition: str) -> str:
    return f"""jsonb_to_recordset((SELECT rows FROM scan_rows
        WHERE workspace_id = s.workspace_id AND scan_id = s.id AND name = '{name}')) AS {alias} ({definition})"""


_ASKED = _read_stored("prompts", "asked", "prompt_id uuid, prompt text, language text, country text, branded boolean")
_CELL = "prompt_id uuid, platform text, surface text, valid integer, no_surface integer, failed integer, "
_CELL += "mentioned integer, cited integer, visibility float8"


async def list_answer_rows(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, *, after: uuid.UUID | None, limit: int
) -> list[Any]:
    """Return answers of a scan in the order of their ids, as they are sealed, each with its id before it."""
    return await db.fetch(
        f"""SELECT a.id, {_select("answers", {**_DERIVED, **_OF_ANSWER})}
            FROM (SELECT * FROM answers WHERE workspace_id = $1 AND scan_id = $2 AND ($3::uuid IS NULL OR id > $3)
                  ORDER BY id LIMIT $4) a
            JOIN scans s ON s.workspace_id = a.workspace_id AND s.id = a.scan_id
            LEFT JOIN {_read_stored("answers", "r", define_record(find_stored_columns("answers")))}
                ON r.answer_id = a.id
            LEFT JOIN {_ASKED} ON asked.prompt_id = r.prompt_id
            ORDER BY a.id""",
        workspace_id,
        scan_id,
        after,
        limit,
    )


async def list_facts(
    db: Reader, workspace_id: uuid.UUID, scan: ScanToSeal, *, after: uuid.UUID | None, limit: int
) -> list[Any]:
    """Return facts of a scan in the order of its answers, each with the id of its answer before it."""
    return await db.fetch(
        """SELECT answer_id, domain_id::text, scan_id::text, answer_id::text, prompt_id::text, platform, latency_ms,
                  labels, tsvector_to_array(words)
           FROM answer_facts f WHERE workspace_id = $1 AND domain_id = $2 AND scan_id = $3
             AND ($4::uuid IS NULL OR f.answer_id > $4) ORDER BY f.answer_id LIMIT $5""",
        workspace_id,
        scan.domain_id,
        scan.id,
        after,
        limit,
    )


async def list_stored_rows(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, name: SealedTable) -> list[Any]:
    """Return the mentions, citations or cells of a scan as they are sealed."""
    definition = _CELL if name == "cells" else define_record(find_stored_columns(name))
    return await db.fetch(
        f"""SELECT {_select(name, _DERIVED)} FROM scans s
            CROSS JOIN LATERAL {_read_stored(name, "r", definition)}
            LEFT JOIN {_ASKED} ON asked.prompt_id = r.prompt_id
            WHERE s.workspace_id = $1 AND s.id = $2""",
        workspace_id,
        scan_id,
    )
