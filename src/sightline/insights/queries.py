"""SQL of insights, except for alerts."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec

from sightline.db.engine import Reader, Transaction, columns, to_row, to_rows
from sightline.db.jsonb import to_jsonb
from sightline.insights.alerts.models import AlertRow
from sightline.insights.models import (
    InsightPart,
    OpportunityRow,
    RankedRow,
    StoredRecommendation,
    StoredTheme,
    ThemeTrace,
    ThemeTraceRow,
)
from sightline.insights.table_rows import build_ranked_row
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.scoreboard.subsets.filter import MeasurementFilter

RankedKind = Literal["theme", "recommendation"]
InsightKind = RankedKind | Literal["alert"]
_TABLES: dict[RankedKind, str] = {"theme": "themes", "recommendation": "recommendations"}

# The score and the id.
SortKey = tuple[float, uuid.UUID]


async def claim_part(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    part: InsightPart,
    *,
    scan_id: uuid.UUID,
    completed_at: datetime,
) -> bool:
    """Claim a part for a scan; return False if it was claimed for this scan or a later one."""
    claimed = await tx.fetchval(
        """INSERT INTO drawn_insights AS d (workspace_id, domain_id, part, scan_id, completed_at)
           VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (workspace_id, domain_id, part) DO UPDATE SET scan_id = $4, completed_at = $5
           WHERE (d.completed_at, d.scan_id) < ($5, $4) RETURNING true""",
        workspace_id,
        domain_id,
        part,
        scan_id,
        completed_at,
    )
    return claimed is not None


async def list_generated_parts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, scan_id: uuid.UUID, completed_at: datetime
) -> set[str]:
    """Return the parts that were generated from this scan or a later one."""
    rows = await db.fetch(
        """SELECT part FROM drawn_insights
           WHERE workspace_id = $1 AND domain_id = $2 AND (completed_at, scan_id) >= ($4, $3)""",
        workspace_id,
        domain_id,
        scan_id,
        completed_at,
    )
    return {row[0] for row in rows}


async def find_source_scan(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, part: InsightPart
) -> uuid.UUID | None:
    """Find the scan that the part was generated from."""
    found: uuid.UUID | None = await db.fetchval(
        "SELECT scan_id FROM drawn_insights WHERE workspace_id = $1 AND domain_id = $2 AND part = $3",
        workspace_id,
        domain_id,
        part,
    )
    return found


async def count_waiting(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> tuple[int, int]:
    """Count the confirmed alerts, and the competitors that nobody has reviewed."""
    row = await db.fetchrow(
        """SELECT (SELECT count(*) FROM alerts
                   WHERE workspace_id = $1 AND domain_id = $2 AND state = 'confirmed' AND hushed IS NULL),
                  (SELECT count(*) FROM competitors
                   WHERE workspace_id = $1 AND domain_id = $2 AND status = 'suggested')""",
        workspace_id,
        domain_id,
    )
    assert row is not None
    return row[0], row[1]


async def find_plan(db: Reader, workspace_id: uuid.UUID) -> Plan:
    return Plan(await db.fetchval("SELECT plan FROM workspaces WHERE id = $1", workspace_id))


# Themes and recommendations


async def replace_ranked(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    kind: RankedKind,
    scan_id: uuid.UUID,
    found: Sequence[StoredTheme | StoredRecommendation],
) -> None:
    table = _TABLES[kind]
    await tx.execute(f"DELETE FROM {table} WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)
    await tx.executemany(
        f"""INSERT INTO {table} (workspace_id, domain_id, id, scan_id, place, {kind}, table_row)
            VALUES ($1, $2, $3, $4, $5, $6, $7)""",
        [
            (
                workspace_id,
                domain_id,
                new_id(),
                scan_id,
                place,
                msgspec.json.encode(each),
                to_jsonb(build_ranked_row(place, each)),
            )
            for place, each in enumerate(found)
        ],
    )


async def lock_without_table_row_any_workspace(
    tx: Transaction, kind: InsightKind, *, after: tuple[uuid.UUID, uuid.UUID], limit: int
) -> list[tuple[uuid.UUID, uuid.UUID, RankedRow | AlertRow]]:
    """Lock insights that an earlier version stored or changed, and return them with workspace and domain.

    They follow a workspace and an id. Those that another transaction has locked are left out.
    """
    table, found = ("alerts", columns(AlertRow)) if kind == "alert" else (_TABLES[kind], f"id, scan_id, place, {kind}")
    rows = await tx.fetch(
        f"""SELECT workspace_id, domain_id, {found} FROM {table}
            WHERE table_row IS NULL AND (workspace_id, id) > ($1, $2)
            ORDER BY workspace_id, id LIMIT $3 FOR UPDATE SKIP LOCKED""",
        *after,
        limit,
    )
    model: type[RankedRow | AlertRow] = AlertRow if kind == "alert" else RankedRow
    return [(row[0], row[1], to_row(model, tuple(row)[2:])) for row in rows]


async def store_table_row(
    tx: Transaction,
    workspace_id: uuid.UUID,
    kind: InsightKind,
    insight_id: uuid.UUID,
    row: msgspec.Struct,
) -> None:
    await tx.execute(
        f"UPDATE {kind}s SET table_row = $3 WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        insight_id,
        to_jsonb(row),
    )


async def list_ranked(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, kind: RankedKind, *, after: int | None, limit: int
) -> list[RankedRow]:
    rows = await db.fetch(
        f"""SELECT id, scan_id, place, {kind} FROM {_TABLES[kind]}
            WHERE workspace_id = $1 AND domain_id = $2 AND ($3::integer IS NULL OR place > $3)
            ORDER BY place LIMIT $4""",
        workspace_id,
        domain_id,
        after,
        limit,
    )
    return to_rows(RankedRow, rows)


_trace_decoder = msgspec.json.Decoder(ThemeTrace)


async def find_theme_trace(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> ThemeTraceRow | None:
    """Find the trace of the latest themes."""
    row = await db.fetchrow(
        "SELECT scan_id, trace FROM theme_traces WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id
    )
    return row and ThemeTraceRow(row["scan_id"], _trace_decoder.decode(row["trace"]))


async def replace_theme_trace(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID, trace: ThemeTrace
) -> None:
    await tx.execute(
        """INSERT INTO theme_traces (workspace_id, domain_id, scan_id, trace) VALUES ($1, $2, $3, $4)
           ON CONFLICT (workspace_id, domain_id) DO UPDATE SET scan_id = $3, trace = $4""",
        workspace_id,
        domain_id,
        scan_id,
        msgspec.json.encode(trace),
    )


# Opportunities


async def replace_opportunities(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    scan_id: uuid.UUID,
    found: Sequence[tuple[uuid.UUID, float, bool, bytes]],
    *,
    now: datetime,
) -> None:
    """Replace the opportunities, given as prompt id, score, low evidence and JSON; ids stay the same per prompt."""
    await tx.execute(
        """DELETE FROM opportunities
           WHERE workspace_id = $1 AND domain_id = $2 AND prompt_id <> ALL($3::uuid[])""",
        workspace_id,
        domain_id,
        [each[0] for each in found],
    )
    await tx.executemany(
        """INSERT INTO opportunities (workspace_id, domain_id, id, scan_id, prompt_id, opportunity_score, low_evidence,
                                      opportunity, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           ON CONFLICT (workspace_id, domain_id, prompt_id) DO UPDATE
           SET scan_id = $4, opportunity_score = $6, low_evidence = $7, opportunity = $8, updated_at = $9""",
        [(workspace_id, domain_id, new_id(), scan_id, *each, now) for each in found],
    )


async def list_opportunities(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    *,
    after: SortKey | None,
    limit: int,
    part: MeasurementFilter,
) -> list[OpportunityRow]:
    """Return the opportunities of tracked prompts, highest score first.

    Of the filters in `part`, only country, language and tag apply.
    """
    rows = await db.fetch(
        f"""SELECT {columns(OpportunityRow, "o")} FROM opportunities o
            JOIN prompts p ON p.workspace_id = o.workspace_id AND p.id = o.prompt_id AND p.status = 'active'
            WHERE o.workspace_id = $1 AND o.domain_id = $2
              AND ($3::double precision IS NULL OR (o.opportunity_score, o.id) < ($3, $4::uuid))
              AND ($6 = '' OR coalesce(p.country_iso_2, 'global') = $6) AND ($7 = '' OR p.language_code = $7)
              AND ($8 = '' OR p.tags @> ARRAY[$8])
            ORDER BY o.opportunity_score DESC, o.id DESC LIMIT $5""",
        workspace_id,
        domain_id,
        *(after or (None, None)),
        limit,
        part.country,
        part.language,
        part.tag,
    )
    return to_rows(OpportunityRow, rows)


async def find_opportunity(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, opportunity_id: uuid.UUID
) -> tuple[uuid.UUID, bytes] | None:
    """Find an opportunity: the scan that it was found in, and its JSON."""
    row = await db.fetchrow(
        "SELECT scan_id, opportunity FROM opportunities WHERE workspace_id = $1 AND domain_id = $2 AND id = $3",
        workspace_id,
        domain_id,
        opportunity_id,
    )
    return None if row is None else (row[0], row[1])


# Prompts and answers


async def list_known_prompts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[str]:
    """Return the texts of all prompts that are or were tracked, or were ever suggested."""
    rows = await db.fetch(
        """SELECT prompt FROM prompts WHERE workspace_id = $1 AND domain_id = $2
           UNION SELECT prompt FROM prompt_suggestions WHERE workspace_id = $1 AND domain_id = $2
           ORDER BY 1""",
        workspace_id,
        domain_id,
    )
    return [row[0] for row in rows]


async def count_open_suggestions(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> int:
    count: int = await db.fetchval(
        """SELECT count(*) FROM prompt_suggestions
           WHERE workspace_id = $1 AND domain_id = $2 AND status = 'open'""",
        workspace_id,
        domain_id,
    )
    return count


async def read_answer_records(
    db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID
) -> list[tuple[int, str, str, bytes]]:
    """Return the prompt index, platform, status and record of each answer of a scan."""
    rows = await db.fetch(
        """SELECT prompt_index, platform, status, record FROM answers
           WHERE workspace_id = $1 AND scan_id = $2 ORDER BY prompt_index, platform""",
        workspace_id,
        scan_id,
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]


async def find_report_document(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID
) -> bytes | None:
    """Return what the report of a scan was made from."""
    document: bytes | None = await db.fetchval(
        "SELECT document FROM reports WHERE workspace_id = $1 AND domain_id = $2 AND scan_id = $3",
        workspace_id,
        domain_id,
        scan_id,
    )
    return document


async def delete_insights(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Delete what checks led to, so that the next one generates all of it."""
    for table in (*_TABLES.values(), "opportunities", "drawn_insights"):
        await tx.execute(f"DELETE FROM {table} WHERE workspace_id = $1 AND domain_id = $2", workspace_id, domain_id)
