"""SQL of the scan engine. It works for every workspace at once; what belongs to one workspace names it first.

The SQL of the sweeper is in `sweeping/`.
"""

import uuid
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import msgspec
from msgspec.structs import astuple

from sightline.db.engine import Database, Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.kit.tracing import current_traceparent
from sightline.scans.running.analysis import AnalyzedAnswer
from sightline.scans.running.cells import CellJob, Lane, PlatformTask
from sightline.scans.running.fairness import AdmittedCell
from sightline.scans.stored import AnswerRow

_ANSWER = columns(AnswerRow)
_ANSWER_WITH_SOME_TEXTS = ", ".join(
    "CASE WHEN id = ANY($3::uuid[]) OR prompt_index = ANY($4::integer[]) THEN text ELSE '' END AS text"
    if name == "text"
    else name
    for name in AnswerRow.__struct_fields__
)

_ADMISSION = 7_410_302_301  # an arbitrary number that no other advisory lock of this database uses


class NewAnswer(msgspec.Struct, frozen=True):
    """An answer to be stored, with the job that it settles; 0 stands for no job."""

    cell: CellJob
    id: uuid.UUID
    country: str | None
    analyzed: AnalyzedAnswer
    answered_at: datetime
    payload: bytes = b""
    job_id: int = 0


class CountedScan(msgspec.Struct, frozen=True):
    """A running scan that received answers, and whether it has them all."""

    workspace_id: uuid.UUID
    scan_id: uuid.UUID
    priority: int
    is_complete: bool


# Lanes and admission


async def insert_lanes(
    tx: Transaction,
    workspace_id: uuid.UUID,
    scan_id: uuid.UUID,
    lanes: Mapping[str, str],
    *,
    priority: int,
    cells: int,
    now: datetime,
) -> None:
    await tx.execute(
        """INSERT INTO scan_lanes (workspace_id, scan_id, platform, lane, priority, cells, started_at, traceparent)
           SELECT $1, $2, platform, lane, $5, $6, $7, $8 FROM unnest($3::text[], $4::text[]) AS t (platform, lane)""",
        workspace_id,
        scan_id,
        list(lanes),
        list(lanes.values()),
        priority,
        cells,
        now,
        current_traceparent(),
    )


async def set_prompts(
    tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, prompts: str, total: int, note: str | None
) -> bool:
    """Set the suggested prompts of a running scan. Return False if it has ended or has prompts: nothing changes."""
    updated = await tx.fetchval(
        """UPDATE scans SET prompts = $3, answers_total = $4, keywords_note = $5
           WHERE workspace_id = $1 AND id = $2 AND status = 'running' AND prompts IS NULL RETURNING true""",
        workspace_id,
        scan_id,
        prompts,
        total,
        note,
    )
    return updated is not None


# Only lanes whose turn it can be are read: of at most as many workspaces as there are free slots, and of each of them
# the first ones. Workspaces with cells under way are few, because each of them uses a slot.
_WAITING = """(l.admitted < l.cells OR l.postponed <> '{}')
    -- A hold that would last longer was set by a clock that was ahead.
    AND coalesce(l.resume_at <= $4 OR l.resume_at > $4 + interval '10 minutes', true)"""
_ORDER = "-l.priority, l.started_at, l.scan_id"
_NEXT_LANES = f"""
WITH RECURSIVE asked AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::integer[]) AS t (lane, free) WHERE EXISTS (SELECT FROM workers WHERE id = $3)
), busy AS MATERIALIZED (
    SELECT l.lane, a.free, l.workspace_id,
           sum(l.admitted - l.settled - cardinality(l.postponed))::integer AS under_way
    FROM scan_lanes l JOIN asked a USING (lane)
    WHERE l.admitted > l.settled + cardinality(l.postponed)
    GROUP BY l.lane, a.free, l.workspace_id
), idle AS (
    -- The first lane of each other workspace, found by walking along the lanes that wait.
    SELECT a.lane, a.free, 1 AS found, b.seen || f.workspace_id AS seen, f.*
    FROM asked a
    CROSS JOIN LATERAL (SELECT array_agg(workspace_id) AS seen FROM busy WHERE lane = a.lane) b
    CROSS JOIN LATERAL (
        SELECT l.workspace_id, -l.priority AS turn, l.started_at, l.scan_id FROM scan_lanes l
        WHERE l.lane = a.lane AND {_WAITING} AND l.workspace_id <> ALL (coalesce(b.seen, '{{}}'))
        ORDER BY {_ORDER} LIMIT 1
    ) f
    UNION ALL
    SELECT i.lane, i.free, i.found + 1, i.seen || f.workspace_id, f.*
    FROM idle i
    CROSS JOIN LATERAL (
        SELECT l.workspace_id, -l.priority AS turn, l.started_at, l.scan_id FROM scan_lanes l
        WHERE l.lane = i.lane AND {_WAITING} AND l.workspace_id <> ALL (i.seen)
          AND ({_ORDER}) > (i.turn, i.started_at, i.scan_id)
        ORDER BY {_ORDER} LIMIT 1
    ) f
    WHERE i.found < i.free
), ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY lane ORDER BY under_way, turn, started_at, scan_id) - 1 AS before
    FROM (
        SELECT lane, free, workspace_id, 0 AS under_way, turn, started_at, scan_id FROM idle
        UNION ALL
        SELECT b.lane, b.free, b.workspace_id, b.under_way, f.*
        FROM busy b
        CROSS JOIN LATERAL (
            SELECT -l.priority AS turn, l.started_at, l.scan_id FROM scan_lanes l
            WHERE l.workspace_id = b.workspace_id AND l.lane = b.lane AND {_WAITING}
            ORDER BY {_ORDER} LIMIT 1
        ) f
    ) c
)
SELECT r.workspace_id, l.scan_id, l.platform, r.lane, l.priority, l.cells, l.admitted, l.postponed, l.started_at,
       r.under_way, l.traceparent
FROM ranked r
CROSS JOIN LATERAL (
    -- So many cells of the workspace can be admitted: each one before it in the ranking gets a slot first.
    SELECT l.*, coalesce(sum(l.cells - l.admitted + cardinality(l.postponed)) OVER (
               ORDER BY {_ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS cells_before
    FROM scan_lanes l
    WHERE l.workspace_id = r.workspace_id AND l.lane = r.lane AND {_WAITING}
    ORDER BY {_ORDER} LIMIT greatest(r.free - r.before, 0)
) l
WHERE l.cells_before < r.free - r.before
"""


async def lock_lanes_any_workspace(
    tx: Transaction, worker_id: uuid.UUID, free_slots: Mapping[str, int], *, now: datetime
) -> list[Lane]:
    """Return the lanes from which cells can be admitted into these free slots, while no other worker admits.

    There are none for a worker that is not registered: nobody would notice its death.
    """
    await tx.execute("SELECT pg_advisory_xact_lock($1)", _ADMISSION)
    rows = await tx.fetch(_NEXT_LANES, list(free_slots), list(free_slots.values()), worker_id, now)
    return to_rows(Lane, rows)


async def mark_admitted_any_workspace(tx: Transaction, cells: Sequence[AdmittedCell]) -> list[AdmittedCell]:
    """Mark cells as admitted, and return those that were marked.

    A lane that another transaction holds (to count answers, to end the scan) or has changed is left for the next
    round. It waits for no lock: those transactions lock the lanes of a scan in an order of their own.
    """
    lanes = {lane.key: lane for lane, _ in cells}
    first_time = Counter(lane.key for lane, index in cells if index >= lane.admitted)
    again = Counter(lane.key for lane, index in cells if index < lane.admitted)
    rows = await tx.fetch(
        """WITH new AS MATERIALIZED (
               SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::integer[], $6::integer[])
                   AS t (workspace_id, scan_id, platform, admitted, first_time, again)
           ), free AS MATERIALIZED (
               SELECT n.* FROM scan_lanes l JOIN new n USING (workspace_id, scan_id, platform)
               WHERE l.admitted = n.admitted FOR UPDATE OF l SKIP LOCKED
           )
           UPDATE scan_lanes l SET admitted = l.admitted + f.first_time, postponed = l.postponed[f.again + 1:]
           FROM free f
           WHERE l.workspace_id = f.workspace_id AND l.scan_id = f.scan_id AND l.platform = f.platform
           RETURNING l.workspace_id, l.scan_id, l.platform""",
        *map(list, zip(*lanes, strict=True)),
        [lane.admitted for lane in lanes.values()],
        [first_time[key] for key in lanes],
        [again[key] for key in lanes],
    )
    marked = {tuple(row) for row in rows}
    return [(lane, index) for lane, index in cells if lane.key in marked]


async def store_postponed(tx: Transaction, cell: CellJob, *, now: datetime) -> None:
    """Let a cell wait with the rest of its lane: 15 seconds at first, then twice as long each time, up to ten minutes.

    Nothing changes when the scan has ended.
    """
    await tx.execute(
        """UPDATE scan_lanes SET
               postponed = postponed || $4::integer,
               holds = CASE WHEN resume_at > $5 AND resume_at <= $5 + interval '10 minutes' THEN holds
                            ELSE holds + 1 END,
               resume_at = CASE WHEN resume_at > $5 AND resume_at <= $5 + interval '10 minutes' THEN resume_at
                                ELSE $5 + least(interval '15 seconds' * 2 ^ least(holds, 10), interval '10 minutes') END
           WHERE workspace_id = $1 AND scan_id = $2 AND platform = $3""",
        cell.workspace_id,
        cell.scan_id,
        cell.platform,
        cell.prompt_index,
        now,
    )


# Tasks


async def find_task(db: Reader, cell: CellJob) -> PlatformTask | None:
    row = await db.fetchrow(
        """SELECT tag, task_id, cost_usd, posted_at FROM platform_tasks
           WHERE workspace_id = $1 AND scan_id = $2 AND platform = $3 AND prompt_index = $4""",
        *astuple(cell),
    )
    return to_row_or_none(PlatformTask, row)


async def insert_task(db: Database, cell: CellJob, tag: str, *, now: datetime) -> bool:
    """Store that a question is posted now. Return False if it was posted before."""
    inserted = await db.fetchval(
        """INSERT INTO platform_tasks (workspace_id, scan_id, platform, prompt_index, tag, posted_at)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING true""",
        *astuple(cell),
        tag,
        now,
    )
    return inserted is not None


async def store_task_id(db: Database, cell: CellJob, task_id: str, cost_usd: float | None) -> None:
    await db.execute(
        """UPDATE platform_tasks SET task_id = $5, cost_usd = coalesce($6, cost_usd)
           WHERE workspace_id = $1 AND scan_id = $2 AND platform = $3 AND prompt_index = $4""",
        *astuple(cell),
        task_id,
        cost_usd,
    )


async def delete_task(db: Database, cell: CellJob) -> None:
    await db.execute(
        """DELETE FROM platform_tasks
           WHERE workspace_id = $1 AND scan_id = $2 AND platform = $3 AND prompt_index = $4""",
        *astuple(cell),
    )


async def delete_ended_tasks_any_workspace(tx: Transaction) -> None:
    """Delete the tasks of scans that have ended."""
    await tx.execute(
        """DELETE FROM platform_tasks t USING scans s
           WHERE s.workspace_id = t.workspace_id AND s.id = t.scan_id AND s.status NOT IN ('pending', 'running')"""
    )


# Answers

_STORE = """
WITH new AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::uuid[], $6::text[], $7::text[],
                         $8::text[], $9::bytea[], $10::bytea[], $11::timestamptz[])
        AS t (workspace_id, scan_id, platform, prompt_index, id, country, status, text, record, payload, answered_at)
), running AS MATERIALIZED (
    SELECT s.workspace_id, s.id FROM scans s
    WHERE (s.workspace_id, s.id) IN (SELECT workspace_id, scan_id FROM new) AND s.status = 'running'
    ORDER BY s.workspace_id, s.id FOR UPDATE
), stored AS (
    INSERT INTO answers (workspace_id, scan_id, id, prompt_index, platform, country, status, text, record, answered_at)
    SELECT g.workspace_id, g.scan_id, g.id, g.prompt_index, g.platform, g.country, g.status, g.text, g.record,
           g.answered_at
    FROM new g JOIN running r ON r.workspace_id = g.workspace_id AND r.id = g.scan_id
    ON CONFLICT DO NOTHING
    RETURNING workspace_id, scan_id, id, platform, status
), payloads AS (
    INSERT INTO answer_payloads (workspace_id, scan_id, answer_id, payload)
    SELECT g.workspace_id, g.scan_id, g.id, g.payload
    FROM new g JOIN stored s ON s.id = g.id WHERE length(g.payload) > 0
), moved AS (
    UPDATE scan_lanes l SET settled = l.settled + c.n
    FROM (SELECT workspace_id, scan_id, platform, count(*) AS n FROM stored GROUP BY 1, 2, 3) c
    WHERE l.workspace_id = c.workspace_id AND l.scan_id = c.scan_id AND l.platform = c.platform
)
UPDATE scans s SET answers_completed = s.answers_completed + c.fine, answers_failed = s.answers_failed + c.failed
FROM (SELECT workspace_id, scan_id, count(*) FILTER (WHERE status <> 'failed') AS fine,
             count(*) FILTER (WHERE status = 'failed') AS failed
      FROM stored GROUP BY 1, 2) c
WHERE s.workspace_id = c.workspace_id AND s.id = c.scan_id
RETURNING s.workspace_id, s.id, s.priority, s.answers_completed + s.answers_failed = s.answers_total
"""


async def store_answers_any_workspace(tx: Transaction, answers: Sequence[NewAnswer]) -> list[CountedScan]:
    """Store answers and return the scans that received any.

    Each cell is stored once: an answer to a cell that has one, or to a scan that is no longer running, is left out.
    """
    values = (
        (*astuple(new.cell), new.id, new.country, *astuple(new.analyzed), new.payload, new.answered_at)
        for new in answers
    )
    rows = await tx.fetch(_STORE, *map(list, zip(*values, strict=True)))
    return to_rows(CountedScan, rows)


async def read_answers(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> list[AnswerRow]:
    rows = await db.fetch(
        f"SELECT {_ANSWER} FROM answers WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id
    )
    return to_rows(AnswerRow, rows)


async def read_answers_with_text_of(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID, answer_ids: Collection[uuid.UUID], prompts: Collection[int]
) -> list[AnswerRow]:
    """Return all answers of a scan, with the texts of these answers and of those to these prompts."""
    rows = await db.fetch(
        f"SELECT {_ANSWER_WITH_SOME_TEXTS} FROM answers WHERE workspace_id = $1 AND scan_id = $2",
        workspace_id,
        scan_id,
        list(answer_ids),
        list(prompts),
    )
    return to_rows(AnswerRow, rows)


# The end of a scan


# Which scans still run


async def find_ended_any_workspace(db: Reader, scan_ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    rows = await db.fetch(
        """SELECT t.id FROM unnest($1::uuid[]) AS t (id)
           WHERE NOT EXISTS (SELECT 1 FROM scan_lanes l WHERE l.scan_id = t.id)""",
        scan_ids,
    )
    return [row[0] for row in rows]
