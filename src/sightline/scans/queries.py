"""All SQL of scans that requests need. The engine that runs scans has its own in `running/`."""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none, to_rows
from sightline.scans.states import TRANSITIONS, ScanStatus
from sightline.scans.stored import (
    AnswerOrigin,
    AnswerRow,
    NewScan,
    ScanMetrics,
    ScanRow,
    Scope,
    StoredResults,
    encode_measured,
    encode_prompts,
    encode_surfaces,
)

_SCAN = columns(ScanRow)
_ANSWER = columns(AnswerRow)

SortKey = tuple[datetime, uuid.UUID]


async def insert_scan(tx: Transaction, workspace_id: uuid.UUID, scan: NewScan, *, now: datetime) -> ScanRow | None:
    """Insert a scan, or return None when the domain has an active one. Waits for a concurrent submission."""
    row = await tx.fetchrow(
        f"""INSERT INTO scans (workspace_id, id, domain_id, domain, livemode, measurement_scope, status, priority,
                               answers_source, brand, selected_platforms, customer_keywords, prompts,
                               content_project_id, credits_charged, answers_total, created_at, surfaces)
            VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
            ON CONFLICT (workspace_id, domain_id) WHERE status IN ('pending', 'running') DO NOTHING
            RETURNING {_SCAN}""",
        workspace_id,
        scan.id,
        scan.domain_id,
        scan.domain,
        scan.livemode,
        scan.measurement_scope,
        scan.priority,
        scan.answers_source,
        encode_measured(scan.measured),
        list(scan.selected_platforms),
        list(scan.customer_keywords),
        None if scan.prompts is None else encode_prompts(scan.prompts),
        scan.content_project_id,
        scan.credits_charged,
        scan.answers_total,
        now,
        None if scan.surfaces is None else encode_surfaces(scan.surfaces),
    )
    return to_row_or_none(ScanRow, row)


async def find_scan(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> ScanRow | None:
    row = await db.fetchrow(f"SELECT {_SCAN} FROM scans WHERE workspace_id = $1 AND id = $2", workspace_id, scan_id)
    return to_row_or_none(ScanRow, row)


async def list_states_any_workspace(
    db: Reader, workspace_ids: Sequence[uuid.UUID], scan_ids: Sequence[uuid.UUID]
) -> list[tuple[uuid.UUID, str, int, int, int]]:
    """List what changes while scans run: status, total, completed and failed answers. Each scan with its workspace."""
    rows = await db.fetch(
        """SELECT s.id, s.status, s.answers_total, s.answers_completed, s.answers_failed
           FROM unnest($1::uuid[], $2::uuid[]) AS t (workspace_id, id)
           JOIN scans s ON s.workspace_id = t.workspace_id AND s.id = t.id""",
        workspace_ids,
        scan_ids,
    )
    return [tuple(row) for row in rows]


async def lock_scan(tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> ScanRow | None:
    """Return the scan and lock it until the transaction ends: its status and counts cannot change meanwhile."""
    row = await tx.fetchrow(
        f"SELECT {_SCAN} FROM scans WHERE workspace_id = $1 AND id = $2 FOR UPDATE", workspace_id, scan_id
    )
    return to_row_or_none(ScanRow, row)


async def move_scan(
    tx: Transaction,
    workspace_id: uuid.UUID,
    scan_id: uuid.UUID,
    *,
    from_: ScanStatus,
    to: ScanStatus,
    now: datetime,
    error_message: str | None = None,
    metrics: ScanMetrics | None = None,
) -> ScanRow | None:
    """Change the status of a scan; this is the only way. Return None when it was not in the state `from_`.

    Sets `started_at` when the scan begins to run and `completed_at` in every end state. A transition that the table of
    states does not contain is an error of the caller. A domain's `latest_…` columns are not touched here.
    """
    if to not in TRANSITIONS[from_]:
        raise ValueError(f"a scan cannot change from {from_} to {to}")
    values = ScanMetrics.__struct_fields__
    row = await tx.fetchrow(
        f"""UPDATE scans SET
                status = $4,
                started_at = CASE WHEN $4 = 'running' THEN $5 ELSE started_at END,
                completed_at = CASE WHEN $4 = 'running' THEN NULL ELSE $5 END,
                error_message = $6,
                visibility_score = $7, brand_coverage_pct = $8, ai_mentions = $9, citation_count = $10,
                market_position = $11
            WHERE workspace_id = $1 AND id = $2 AND status = $3
            RETURNING {_SCAN}""",
        workspace_id,
        scan_id,
        from_.value,
        to.value,
        now,
        error_message,
        *((getattr(metrics, name) for name in values) if metrics else (None for _ in values)),
    )
    return to_row_or_none(ScanRow, row)


async def add_refunded_credits(tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, refunded: int) -> ScanRow:
    row = await tx.fetchrow(
        f"""UPDATE scans SET credits_refunded = credits_refunded + $3 WHERE workspace_id = $1 AND id = $2
            RETURNING {_SCAN}""",
        workspace_id,
        scan_id,
        refunded,
    )
    return to_row(ScanRow, row)


async def list_console_scans(
    db: Reader,
    workspace_id: uuid.UUID,
    *,
    livemode: bool,
    domain_id: uuid.UUID | None,
    after: SortKey | None,
    limit: int,
) -> list[ScanRow]:
    """List scans, newest first: those of one domain, removed or not, or all."""
    values: list[object] = [workspace_id, livemode, limit]
    narrowed = ""  # written out, so that each form of the list finds its own index
    if domain_id is not None:
        values.append(domain_id)
        narrowed += f" AND domain_id = ${len(values)}"
    if after is not None:
        values += after
        narrowed += f" AND (created_at, id) < (${len(values) - 1}, ${len(values)})"
    rows = await db.fetch(
        f"""SELECT {_SCAN} FROM scans
            WHERE workspace_id = $1 AND livemode = $2 AND measurement_scope = 'console_check'{narrowed}
            ORDER BY created_at DESC, id DESC LIMIT $3""",
        *values,
    )
    return to_rows(ScanRow, rows)


async def sum_credits_charged(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, reference_prefixes: list[str], since: datetime
) -> int:
    """Return the credits charged since then for Console scans whose `content_project_id` has one of these prefixes."""
    total: int = await db.fetchval(
        """SELECT coalesce(sum(credits_charged), 0)::int FROM scans
           WHERE workspace_id = $1 AND livemode = $2 AND measurement_scope = 'console_check' AND created_at >= $4
             AND EXISTS (SELECT FROM unnest($3::text[]) AS prefix WHERE starts_with(content_project_id, prefix))""",
        workspace_id,
        livemode,
        reference_prefixes,
        since,
    )
    return total


async def list_tracked_scans(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    after: SortKey | None,
    limit: int,
    scope: Scope | None = None,
    live_only: bool = False,
) -> list[ScanRow]:
    """List the scans of a tracked domain, of one scope or all, most recently started first."""
    rows = await db.fetch(
        f"""SELECT {_SCAN} FROM scans
            WHERE workspace_id = $1 AND domain_id = $2 AND measurement_scope <> 'console_check'
              AND ($3::timestamptz IS NULL OR (coalesce(started_at, created_at), id) < ($3, $4::uuid))
              AND ($6::text IS NULL OR measurement_scope = $6) AND (NOT $7 OR answers_source = 'live')
            ORDER BY coalesce(started_at, created_at) DESC, id DESC LIMIT $5""",
        workspace_id,
        domain_id,
        *(after or (None, None)),
        limit,
        scope,
        live_only,
    )
    return to_rows(ScanRow, rows)


async def find_tracked_scan(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> ScanRow | None:
    """Return a scan of a domain that is tracked now."""
    row = await db.fetchrow(
        f"""SELECT {columns(ScanRow, "s")} FROM scans s
            JOIN domains d ON d.workspace_id = s.workspace_id AND d.id = s.domain_id
            WHERE s.workspace_id = $1 AND s.id = $2 AND s.measurement_scope <> 'console_check'
              AND d.kind = 'tracked' AND d.status <> 'removed'""",
        workspace_id,
        scan_id,
    )
    return to_row_or_none(ScanRow, row)


async def drop_lanes(tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> None:
    """Delete the lanes of an ended scan, so that none of its remaining cells are asked."""
    await tx.execute("DELETE FROM scan_lanes WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id)


async def find_results(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> StoredResults | None:
    row = await db.fetchrow(
        f"SELECT {columns(StoredResults)} FROM scan_results WHERE workspace_id = $1 AND scan_id = $2",
        workspace_id,
        scan_id,
    )
    return to_row_or_none(StoredResults, row)


async def find_latest_results(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> StoredResults | None:
    """Return the results of the newest completed scan of a domain."""
    row = await db.fetchrow(
        f"""SELECT {columns(StoredResults, "r")} FROM scans s
            JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
            WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.status = 'completed'
            ORDER BY s.created_at DESC, s.id DESC LIMIT 1""",
        workspace_id,
        domain_id,
    )
    return to_row_or_none(StoredResults, row)


async def list_answers(
    db: Reader,
    workspace_id: uuid.UUID,
    scan_id: uuid.UUID,
    *,
    platforms: list[str],
    after: tuple[int, int] | None,
    limit: int,
) -> list[AnswerRow]:
    """List answers in the order of the plan: by prompt, then by position in `platforms`, counted from 1."""
    rows = await db.fetch(
        f"""SELECT {_ANSWER} FROM answers
            WHERE workspace_id = $1 AND scan_id = $2
              AND ($4::integer IS NULL OR prompt_index >= $4)
              AND ($4::integer IS NULL OR (prompt_index, array_position($3::text[], platform)) > ($4, $5::integer))
            ORDER BY prompt_index, array_position($3::text[], platform) LIMIT $6""",
        workspace_id,
        scan_id,
        platforms,
        *(after or (None, None)),
        limit,
    )
    return to_rows(AnswerRow, rows)


async def find_answer(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, answer_id: uuid.UUID
) -> AnswerRow | None:
    row = await db.fetchrow(
        f"SELECT {_ANSWER} FROM answers WHERE workspace_id = $1 AND scan_id = $2 AND id = $3",
        workspace_id,
        scan_id,
        answer_id,
    )
    return to_row_or_none(AnswerRow, row)


async def list_answers_with(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, texts: list[str], *, limit: int
) -> list[tuple[str, uuid.UUID, str, str]]:
    """Return for each text the first answers that contain it: (text, answer id, platform, text of the answer).

    A text inside a longer word counts, too: the caller looks closer.
    """
    rows = await db.fetch(
        """SELECT wanted.text, a.id, a.platform, a.text
           FROM unnest($3::text[]) WITH ORDINALITY AS wanted(text, place)
           CROSS JOIN LATERAL (
               SELECT id, platform, text, prompt_index FROM answers
               WHERE workspace_id = $1 AND scan_id = $2 AND status = 'ok'
                 AND position(lower(wanted.text) IN lower(text)) > 0
               ORDER BY prompt_index, platform LIMIT $4) a
           ORDER BY wanted.place, a.prompt_index, a.platform""",
        workspace_id,
        scan_id,
        texts,
        limit,
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]


async def list_origins(
    db: Reader, workspace_id: uuid.UUID, scan_ids: list[uuid.UUID], answer_ids: list[uuid.UUID]
) -> dict[uuid.UUID, AnswerOrigin]:
    """Return for each of these answers its platform, when its scan was created, and the prompt."""
    rows = await db.fetch(
        """SELECT a.id, a.platform, s.created_at, s.prompts -> a.prompt_index ->> 'text' FROM answers a
           JOIN scans s ON s.workspace_id = a.workspace_id AND s.id = a.scan_id
           WHERE a.workspace_id = $1 AND a.scan_id = ANY($2::uuid[]) AND a.id = ANY($3::uuid[])""",
        workspace_id,
        scan_ids,
        answer_ids,
    )
    return {row[0]: AnswerOrigin(row[1], row[2], row[3]) for row in rows}


async def count_tasks(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> dict[str, int]:
    """Return how many questions of a running scan wait for an answer, by platform."""
    rows = await db.fetch(
        "SELECT platform, count(*) FROM platform_tasks WHERE workspace_id = $1 AND scan_id = $2 GROUP BY platform",
        workspace_id,
        scan_id,
    )
    return {row[0]: row[1] for row in rows}


async def count_answers_by_platform(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID
) -> dict[str, tuple[int, int]]:
    """Return how many answers each platform has given so far, and how many of its cells have failed."""
    rows = await db.fetch(
        """SELECT platform, count(*) FILTER (WHERE status <> 'failed'), count(*) FILTER (WHERE status = 'failed')
           FROM answers WHERE workspace_id = $1 AND scan_id = $2 GROUP BY platform""",
        workspace_id,
        scan_id,
    )
    return {row[0]: (row[1], row[2]) for row in rows}
