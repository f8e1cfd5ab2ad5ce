"""SQL of the scoreboard: prompt scans, cells and boards."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.scans.models import AnswersSource
from sightline.scans.stored import AnswerRow, ScanRow, Scope
from sightline.scoreboard.models import BoardRow, CellRow, PromptScanRow

_CELL = columns(CellRow)
_PROMPT_SCAN = columns(PromptScanRow)
_SCAN = columns(ScanRow)


# Prompt scans: what each scan found for each prompt


async def store_prompt_scans(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_scans: Sequence[PromptScanRow]
) -> None:
    """Store the prompt scans of a scan, replacing those of an earlier analysis of it."""
    await tx.execute(
        f"""INSERT INTO prompt_checks (workspace_id, domain_id, {_PROMPT_SCAN})
            SELECT $1, $2, t.* FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::timestamptz[],
                                           $8::integer[], $9::boolean[], $10::bytea[], $11::boolean[]) AS t
            ON CONFLICT (workspace_id, domain_id, prompt_id, completed_at, scan_id)
            DO UPDATE SET valid = excluded.valid, cited = excluded.cited, cells = excluded.cells,
                          named = excluded.named""",
        workspace_id,
        domain_id,
        *([getattr(each, name) for each in prompt_scans] for name in PromptScanRow.__struct_fields__),
    )


async def find_latest_source(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> AnswersSource | None:
    """Return where the answers of the latest completed scan come from. After the sandbox only live scans count."""
    source: AnswersSource | None = await db.fetchval(
        """SELECT answers_source FROM scans
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed'
             AND (answers_source = 'live' OR EXISTS (SELECT FROM installation WHERE sandbox_ended_at IS NULL))
           ORDER BY completed_at DESC, id DESC LIMIT 1""",
        workspace_id,
        domain_id,
    )
    return source


async def list_board_prompt_scans(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource
) -> list[PromptScanRow]:
    """Return the prompt scans of the latest Full Check and of later scans, for prompts that are still tracked."""
    rows = await db.fetch(
        f"""SELECT {columns(PromptScanRow, "c")} FROM prompt_checks c
            JOIN prompts p ON p.workspace_id = c.workspace_id AND p.id = c.prompt_id AND p.status = 'active'
            WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.answers_source = $3
              AND c.completed_at >= coalesce(
                  (SELECT max(completed_at) FROM scans
                   WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed' AND answers_source = $3
                     AND measurement_scope IN ('full_check', 'free_audit')), '-infinity')""",
        workspace_id,
        domain_id,
        source,
    )
    return to_rows(PromptScanRow, rows)


async def list_prompt_scans_between(
    db: Reader, scan: ScanRow, *, since: datetime, until: datetime, scope: Scope | None = None
) -> list[PromptScanRow]:
    """Return the prompt scans of a time, of the domain and the source of this scan."""
    rows = await db.fetch(
        f"""SELECT {_PROMPT_SCAN} FROM prompt_checks
            WHERE workspace_id = $1 AND domain_id = $2 AND answers_source = $3
              AND completed_at > $4 AND completed_at <= $5 AND ($6::text IS NULL OR scope = $6)
            ORDER BY completed_at, scan_id""",
        scan.workspace_id,
        scan.domain_id,
        scan.answers_source,
        since,
        until,
        scope,
    )
    return to_rows(PromptScanRow, rows)


async def list_comparable_full_checks(db: Reader, scan: ScanRow, *, since: datetime) -> list[PromptScanRow]:
    """Return the prompt scans of the Full Checks up to this one that the same version analyzed."""
    rows = await db.fetch(
        f"""SELECT {columns(PromptScanRow, "c")} FROM prompt_checks c
            JOIN scan_results r ON r.workspace_id = c.workspace_id AND r.scan_id = c.scan_id
            JOIN scan_results own ON own.workspace_id = c.workspace_id AND own.scan_id = $3
                 AND own.extractor_version = r.extractor_version
            WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.answers_source = $4 AND c.scope = 'full_check'
              AND c.completed_at >= $5 AND c.completed_at <= $6""",
        scan.workspace_id,
        scan.domain_id,
        scan.id,
        scan.answers_source,
        since,
        scan.completed_at,
    )
    return to_rows(PromptScanRow, rows)


async def list_prompt_scans_of(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID
) -> list[PromptScanRow]:
    """Return the prompt scans of one scan."""
    rows = await db.fetch(
        f"""SELECT {_PROMPT_SCAN} FROM prompt_checks
            WHERE workspace_id = $1 AND domain_id = $2 AND scan_id = $3""",
        workspace_id,
        domain_id,
        scan_id,
    )
    return to_rows(PromptScanRow, rows)


# Cells and boards


async def replace_cells(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, cells: Sequence[CellRow]
) -> None:
    await tx.execute("DELETE FROM cells WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)
    await tx.execute(
        f"""INSERT INTO cells (workspace_id, domain_id, {_CELL})
            SELECT $1, $2, t.* FROM unnest($3::uuid[], $4::text[], $5::boolean[], $6::uuid[], $7::text[], $8::uuid[],
                                           $9::text[], $10::boolean[], $11::timestamptz[], $12::timestamptz[]) AS t""",
        workspace_id,
        domain_id,
        *([getattr(cell, name) for cell in cells] for name in CellRow.__struct_fields__),
    )


async def list_cells(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[CellRow]:
    rows = await db.fetch(
        f"SELECT {_CELL} FROM cells WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id
    )
    return to_rows(CellRow, rows)


async def mark_board_changed(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    base_scan_id: uuid.UUID | None,
    latest_scan_id: uuid.UUID | None,
    as_of: datetime,
) -> None:
    """Raise the revision, which makes the stored board outdated until it is built from this revision or a later one."""
    await tx.execute(
        """INSERT INTO scoreboards (workspace_id, domain_id, base_scan_id, latest_scan_id, as_of, revision, shown)
           VALUES ($1, $2, $3, $4, $5, 1, 0)
           ON CONFLICT (workspace_id, domain_id) DO UPDATE
           SET base_scan_id = $3, latest_scan_id = $4, as_of = $5, revision = scoreboards.revision + 1""",
        workspace_id,
        domain_id,
        base_scan_id,
        latest_scan_id,
        as_of,
    )


async def find_board(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> BoardRow | None:
    row = await db.fetchrow(
        f"SELECT {columns(BoardRow)} FROM scoreboards WHERE workspace_id = $1 AND domain_id = $2",
        workspace_id,
        domain_id,
    )
    return to_row_or_none(BoardRow, row)


async def list_board_scans(db: Reader, workspace_id: uuid.UUID) -> list[ScanRow]:
    """Return for each domain that has a board the scan that it is based on; see `BoardRow.plan_scan_id`."""
    rows = await db.fetch(
        f"""SELECT {columns(ScanRow, "s")} FROM scoreboards b
            JOIN scans s ON s.workspace_id = b.workspace_id AND s.id = coalesce(b.base_scan_id, b.latest_scan_id)
            WHERE b.workspace_id = $1 AND b.board IS NOT NULL""",
        workspace_id,
    )
    return to_rows(ScanRow, rows)


async def store_board(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, revision: int, board: bytes
) -> bool:
    """Store the board; return False if a board of this revision or a later one is already stored."""
    written = await tx.fetchval(
        """UPDATE scoreboards SET board = $4, shown = $3
           WHERE workspace_id = $1 AND domain_id = $2 AND (shown < $3 OR board IS NULL) RETURNING true""",
        workspace_id,
        domain_id,
        revision,
        board,
    )
    return bool(written)


async def list_outdated_boards_any_workspace(db: Reader, *, limit: int) -> list[tuple[uuid.UUID, uuid.UUID]]:
    rows = await db.fetch("SELECT workspace_id, domain_id FROM scoreboards WHERE shown < revision LIMIT $1", limit)
    return [(row[0], row[1]) for row in rows]


# Scans of a tracked domain


async def find_previous_scan(db: Reader, scan: ScanRow, *, scopes: Sequence[Scope]) -> ScanRow | None:
    """Find the last scan of one of these scopes that was completed before this one."""
    row = await db.fetchrow(
        f"""SELECT {_SCAN} FROM scans
            WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed' AND id <> $3 AND completed_at <= $4
              AND answers_source = $5 AND measurement_scope = ANY($6::text[])
            ORDER BY completed_at DESC, id DESC LIMIT 1""",
        scan.workspace_id,
        scan.domain_id,
        scan.id,
        scan.completed_at,
        scan.answers_source,
        list(scopes),
    )
    return to_row_or_none(ScanRow, row)


async def find_latest_scan(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource, *, scopes: Sequence[Scope]
) -> ScanRow | None:
    row = await db.fetchrow(
        f"""SELECT {_SCAN} FROM scans
            WHERE workspace_id = $1 AND domain_id = $2 AND status = 'completed' AND answers_source = $3
              AND measurement_scope = ANY($4::text[])
            ORDER BY completed_at DESC, id DESC LIMIT 1""",
        workspace_id,
        domain_id,
        source,
        list(scopes),
    )
    return to_row_or_none(ScanRow, row)


# The text is most of the size of an answer, and it has been analyzed already.
_ANSWER_WITHOUT_TEXT = ", ".join(
    "'' AS text" if name == "text" else f"a.{name}" for name in AnswerRow.__struct_fields__
)


async def read_answers_without_text(
    db: Reader,
    workspace_id: uuid.UUID,
    scan_id: uuid.UUID,
    *,
    platform: str = "",
    prompt_indexes: Sequence[int] | None = None,
) -> list[AnswerRow]:
    """Return the answers of a scan, or those of one platform, or to some of its prompts."""
    rows = await db.fetch(
        f"""SELECT {_ANSWER_WITHOUT_TEXT} FROM answers a WHERE a.workspace_id = $1 AND a.scan_id = $2
              AND ($3 = '' OR a.platform = $3) AND ($4::integer[] IS NULL OR a.prompt_index = ANY($4))
            ORDER BY a.prompt_index, a.platform""",
        workspace_id,
        scan_id,
        platform,
        prompt_indexes,
    )
    return to_rows(AnswerRow, rows)


async def read_shown_answers(
    db: Reader, workspace_id: uuid.UUID, shown: Sequence[tuple[uuid.UUID, uuid.UUID]]
) -> list[AnswerRow]:
    """Return the answers that cells show, by the ids of their scan and their own, without their text."""
    rows = await db.fetch(
        f"""SELECT {_ANSWER_WITHOUT_TEXT} FROM unnest($2::uuid[], $3::uuid[]) AS t (scan_id, id)
            JOIN answers a ON a.workspace_id = $1 AND a.scan_id = t.scan_id AND a.id = t.id""",
        workspace_id,
        [scan_id for scan_id, _ in shown],
        [answer_id for _, answer_id in shown],
    )
    return to_rows(AnswerRow, rows)


async def find_check_changes(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> bytes | None:
    return (await list_check_changes(db, workspace_id, [scan_id])).get(scan_id)


async def list_check_changes(
    db: Reader, workspace_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, bytes]:
    """Return the stored changes of these scans; a scan without any is missing."""
    rows = await db.fetch(
        """SELECT scan_id, changes FROM scan_results
           WHERE workspace_id = $1 AND scan_id = ANY($2::uuid[]) AND changes IS NOT NULL""",
        workspace_id,
        scan_ids,
    )
    return {row[0]: row[1] for row in rows}


async def find_scan_board(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> bytes | None:
    board: bytes | None = await db.fetchval(
        "SELECT board FROM scan_results WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id
    )
    return board


async def delete_board(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Delete the board of a domain with its cells. The next scan builds another one."""
    await tx.execute("DELETE FROM cells WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)
    await tx.execute("DELETE FROM scoreboards WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)
