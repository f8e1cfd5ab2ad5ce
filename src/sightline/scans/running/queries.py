"""All SQL of the scan engine. It works for every workspace at once; what belongs to one workspace names it first."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_rows
from sightline.jobs.queue import TABLE as JOBS
from sightline.scans.jobs import ScanJob
from sightline.scans.running.cells import Grant, Lane
from sightline.scans.stored import AnswerRow

_LANE = columns(Lane)
_ANSWER = columns(AnswerRow)

# Arbitrary numbers that no other advisory lock of this database uses.
_ADMISSION = 7_410_302_301
_SWEEP = 7_410_302_302


class NewAnswer(msgspec.Struct, frozen=True):
    """An answer to be stored, with the job that it settles (0: none)."""

    workspace_id: uuid.UUID
    scan_id: uuid.UUID
    id: uuid.UUID
    prompt_index: int
    platform: str
    country: str | None
    status: str
    text: str
    record: bytes
    payload: bytes
    answered_at: datetime
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
        """INSERT INTO scan_lanes (workspace_id, scan_id, platform, lane, priority, cells, started_at)
           SELECT $1, $2, platform, lane, $5, $6, $7 FROM unnest($3::text[], $4::text[]) AS t (platform, lane)""",
        workspace_id,
        scan_id,
        list(lanes),
        list(lanes.values()),
        priority,
        cells,
        now,
    )


async def set_prompts(tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, prompts: str, total: int) -> None:
    await tx.execute(
        "UPDATE scans SET prompts = $3, answers_total = $4 WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        scan_id,
        prompts,
        total,
    )


async def lock_lanes_any_workspace(tx: Transaction) -> list[Lane]:
    """Return all lanes while no other worker admits: each sees what the one before has admitted."""
    await tx.execute("SELECT pg_advisory_xact_lock($1)", _ADMISSION)
    return to_rows(Lane, await tx.fetch(f"SELECT {_LANE} FROM scan_lanes"))


async def mark_admitted_any_workspace(tx: Transaction, grants: Sequence[Grant]) -> list[Grant]:
    """Mark cells as admitted, and return the grants that were marked.

    A lane that another transaction holds (to count answers, to end the scan) or has changed is left for the next
    round. It waits for no lock: those transactions lock the lanes of a scan in an order of their own.
    """
    rows = await tx.fetch(
        """WITH new AS MATERIALIZED (
               SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::integer[])
                   AS t (workspace_id, scan_id, platform, admitted, count)
           ), free AS MATERIALIZED (
               SELECT l.workspace_id, l.scan_id, l.platform, g.count
               FROM scan_lanes l JOIN new g USING (workspace_id, scan_id, platform)
               WHERE l.admitted = g.admitted FOR UPDATE OF l SKIP LOCKED
           )
           UPDATE scan_lanes l SET admitted = l.admitted + f.count FROM free f
           WHERE l.workspace_id = f.workspace_id AND l.scan_id = f.scan_id AND l.platform = f.platform
           RETURNING l.workspace_id, l.scan_id, l.platform""",
        [grant.lane.workspace_id for grant in grants],
        [grant.lane.scan_id for grant in grants],
        [grant.lane.platform for grant in grants],
        [grant.lane.admitted for grant in grants],
        [grant.count for grant in grants],
    )
    marked = {(row[0], row[1], row[2]) for row in rows}
    return [grant for grant in grants if (grant.lane.workspace_id, grant.lane.scan_id, grant.lane.platform) in marked]


# Answers

_STORE = """
WITH new AS MATERIALIZED (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[],
                         $8::text[], $9::bytea[], $10::bytea[], $11::timestamptz[])
        AS t (workspace_id, scan_id, id, prompt_index, platform, country, status, text, record, payload, answered_at)
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
    rows = await tx.fetch(
        _STORE,
        [answer.workspace_id for answer in answers],
        [answer.scan_id for answer in answers],
        [answer.id for answer in answers],
        [answer.prompt_index for answer in answers],
        [answer.platform for answer in answers],
        [answer.country for answer in answers],
        [answer.status for answer in answers],
        [answer.text for answer in answers],
        [answer.record for answer in answers],
        [answer.payload for answer in answers],
        [answer.answered_at for answer in answers],
    )
    return to_rows(CountedScan, rows)


async def read_answers(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> list[AnswerRow]:
    rows = await db.fetch(
        f"SELECT {_ANSWER} FROM answers WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id
    )
    return to_rows(AnswerRow, rows)


async def rewrite_records(
    tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, records: Mapping[uuid.UUID, bytes]
) -> None:
    await tx.execute(
        """UPDATE answers a SET record = r.record
           FROM unnest($3::uuid[], $4::bytea[]) AS r (id, record)
           WHERE a.workspace_id = $1 AND a.scan_id = $2 AND a.id = r.id""",
        workspace_id,
        scan_id,
        list(records),
        list(records.values()),
    )


# The end of a scan


async def insert_results(
    tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, results: bytes, metrics: str, extractor: str
) -> None:
    await tx.execute(
        """INSERT INTO scan_results (workspace_id, scan_id, results, metrics_version, extractor_version)
           VALUES ($1, $2, $3, $4, $5)""",
        workspace_id,
        scan_id,
        results,
        metrics,
        extractor,
    )


async def set_latest_figures(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    visibility_score: float | None,
    brand_coverage_pct: float | None,
    ai_mentions: int | None,
    market_position: int | None,
) -> None:
    await tx.execute(
        """UPDATE domains SET latest_visibility_score = $3, latest_brand_coverage_pct = $4, latest_ai_mentions = $5,
                  latest_market_position = $6
           WHERE workspace_id = $1 AND id = $2""",
        workspace_id,
        domain_id,
        visibility_score,
        brand_coverage_pct,
        ai_mentions,
        market_position,
    )


# Which scans still run


async def find_ended_any_workspace(db: Reader, scan_ids: Sequence[uuid.UUID]) -> list[uuid.UUID]:
    rows = await db.fetch(
        """SELECT t.id FROM unnest($1::uuid[]) AS t (id)
           WHERE NOT EXISTS (SELECT 1 FROM scan_lanes l WHERE l.scan_id = t.id)""",
        scan_ids,
    )
    return [row[0] for row in rows]


# The sweeper


async def claim_sweep_any_workspace(tx: Transaction) -> bool:
    """Return whether this transaction may sweep; at most one does at a time."""
    claimed: bool = await tx.fetchval("SELECT pg_try_advisory_xact_lock($1)", _SWEEP)
    return claimed


async def find_pending_any_workspace(db: Reader, *, created_before: datetime) -> list[ScanJob]:
    rows = await db.fetch(
        f"""SELECT workspace_id, id FROM scans s WHERE status = 'pending' AND created_at < $1
             AND NOT EXISTS (SELECT 1 FROM {JOBS} j WHERE j.dedupe_key = 'start:' || s.id
                                                      AND j.status IN ('queued', 'picked'))""",
        created_before,
    )
    return [ScanJob(*row) for row in rows]


async def find_answered_any_workspace(db: Reader) -> list[ScanJob]:
    """Return running scans that have all their answers and no job to finish them."""
    rows = await db.fetch(
        f"""SELECT workspace_id, id FROM scans s
            WHERE status = 'running' AND answers_completed + answers_failed = answers_total
              AND NOT EXISTS (SELECT 1 FROM {JOBS} j WHERE j.dedupe_key = 'finish:' || s.id
                                                       AND j.status IN ('queued', 'picked'))"""
    )
    return [ScanJob(*row) for row in rows]


class LostCell(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    scan_id: uuid.UUID
    platform: str
    prompt_index: int
    lane: str
    priority: int


async def find_lost_cells_any_workspace(db: Reader) -> list[LostCell]:
    """Return admitted cells that have neither an answer nor a job.

    The sub-selects make PostgreSQL look up each cell by index: with NOT EXISTS it would read all answers.
    """
    rows = await db.fetch(
        f"""SELECT l.workspace_id, l.scan_id, l.platform, i AS prompt_index, l.lane, l.priority
            FROM scan_lanes l CROSS JOIN LATERAL generate_series(0, l.admitted - 1) AS i
            WHERE l.settled < l.admitted
              AND (SELECT 1 FROM answers a WHERE a.workspace_id = l.workspace_id AND a.scan_id = l.scan_id
                     AND a.prompt_index = i AND a.platform = l.platform LIMIT 1) IS NULL
              AND (SELECT 1 FROM {JOBS} j WHERE j.dedupe_key = 'cell:' || l.scan_id || ':' || l.platform || ':' || i
                     AND j.status IN ('queued', 'picked') LIMIT 1) IS NULL
            LIMIT 1000"""
    )
    return to_rows(LostCell, rows)


async def find_overdue_any_workspace(db: Reader, *, started_before: datetime) -> list[ScanJob]:
    rows = await db.fetch(
        "SELECT workspace_id, id FROM scans WHERE status = 'running' AND started_at < $1", started_before
    )
    return [ScanJob(*row) for row in rows]


async def close_lanes(tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> list[tuple[str, int]]:
    """Admit all remaining cells of a scan, and return the platform and index of those without an answer."""
    await tx.execute(
        "UPDATE scan_lanes SET admitted = cells WHERE workspace_id = $1 AND scan_id = $2", workspace_id, scan_id
    )
    rows = await tx.fetch(
        """SELECT l.platform, i FROM scan_lanes l CROSS JOIN LATERAL generate_series(0, l.cells - 1) AS i
           WHERE l.workspace_id = $1 AND l.scan_id = $2
             AND NOT EXISTS (SELECT 1 FROM answers a WHERE a.workspace_id = $1 AND a.scan_id = $2
                               AND a.platform = l.platform AND a.prompt_index = i)""",
        workspace_id,
        scan_id,
    )
    return [(row[0], row[1]) for row in rows]
