"""SQL of the history of one platform: counts and latencies of each check."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.scans.stored import Scope
from sightline.scoreboard.answer_list.queries import Conditions, Selection


class PlatformCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many answers there are of each kind, and how long those that can be read took."""

    counted: int
    """Answers that can be read to prompts that do not name the brand."""
    named: int
    """Of those, answers that name the brand."""
    answered: int
    failed: int
    not_shown: int
    median_ms: float | None
    p95_ms: float | None


class CheckCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of one check, or of all checks together, without a scan."""

    scan_id: uuid.UUID | None
    scope: Scope | None
    completed_at: datetime | None
    counts: PlatformCounts


async def count_by_check(db: Reader, selection: Selection) -> list[CheckCounts]:
    """Return the counts of each check, newest first, and those of all checks together."""
    conditions = Conditions(selection)
    rows = await db.fetch(
        f"""SELECT f.scan_id, s.measurement_scope, s.completed_at,
                   count(*) FILTER (WHERE f.labels @> '{{status:ok}}' AND NOT f.labels @> '{{branded}}'),
                   count(*) FILTER (WHERE f.labels @> '{{named}}' AND NOT f.labels @> '{{branded}}'),
                   count(*) FILTER (WHERE f.labels @> '{{status:ok}}'),
                   count(*) FILTER (WHERE f.labels @> '{{status:failed}}'),
                   count(*) FILTER (WHERE f.labels @> '{{status:no_surface}}'),
                   percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY f.latency_ms)
                       FILTER (WHERE f.labels @> '{{status:ok}}')
            FROM {conditions.table} JOIN scans s ON s.workspace_id = $1 AND s.id = f.scan_id
            WHERE {conditions.sql}
            GROUP BY GROUPING SETS ((f.scan_id, s.measurement_scope, s.completed_at), ())
            ORDER BY s.completed_at DESC NULLS FIRST, f.scan_id DESC""",
        *conditions.parameters,
    )
    return [
        CheckCounts(
            scan_id=row[0],
            scope=row[1],
            completed_at=row[2],
            counts=PlatformCounts(
                counted=row[3],
                named=row[4],
                answered=row[5],
                failed=row[6],
                not_shown=row[7],
                median_ms=row[8][0] if row[8] else None,
                p95_ms=row[8][1] if row[8] else None,
            ),
        )
        for row in rows
    ]
