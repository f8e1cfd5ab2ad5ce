"""All SQL of platform costs."""

import uuid
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal

from sightline.db.engine import Reader, Transaction, to_rows
from sightline.platforms.costs.models import CallTotals, CostKey, CostRow

SortKey = tuple[date, uuid.UUID, str]

_COUNTED = ("calls", "failed_calls", "priced_calls", "editor_calls")
_REPORTED = ("input_tokens", "output_tokens", "searches", "cost_usd", "editor_cost_usd")
_KEY = CostKey._fields
_TOTALS = CallTotals.__struct_fields__
_ROW = ", ".join("d.domain" if name == "domain" else f"c.{name}" for name in CostRow.__struct_fields__)

_ADD = f"""
WITH batch AS (
    INSERT INTO cost_batches (id, written_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING RETURNING id
)
INSERT INTO platform_costs ({", ".join((*_KEY, *_TOTALS))})
SELECT t.* FROM unnest($3::uuid[], $4::date[], $5::uuid[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[],
                       $10::bigint[], $11::bigint[], $12::bigint[], $13::numeric[], $14::bigint[], $15::numeric[]) AS t
WHERE EXISTS (SELECT FROM batch)
ON CONFLICT ({", ".join(_KEY)}) DO UPDATE SET
    {", ".join(f"{name} = platform_costs.{name} + excluded.{name}" for name in _COUNTED)},
    {
    ", ".join(
        f"{name} = coalesce(platform_costs.{name} + excluded.{name}, excluded.{name}, platform_costs.{name})"
        for name in _REPORTED
    )
}"""


async def add_calls_any_workspace(
    tx: Transaction, batch_id: uuid.UUID, totals: Mapping[CostKey, CallTotals], *, now: datetime
) -> None:
    """Add the calls of a batch, once.

    Rows are locked in the order of their keys, so that two batches never wait for each other.
    """
    rows = [(*key, *(getattr(totals[key], name) for name in _TOTALS)) for key in sorted(totals)]
    await tx.execute(_ADD, batch_id, now, *map(list, zip(*rows, strict=True)))


async def list_costs(
    db: Reader, workspace_id: uuid.UUID, *, since: date, until: date, after: SortKey | None, limit: int
) -> list[CostRow]:
    """List rows from one day to another, both included, newest first."""
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM platform_costs c
            JOIN domains d ON d.workspace_id = c.workspace_id AND d.id = c.domain_id
            WHERE c.workspace_id = $1 AND c.day BETWEEN $2 AND $3
              AND ($4::date IS NULL OR (c.day, c.domain_id, c.platform) < ($4, $5::uuid, $6::text))
            ORDER BY c.day DESC, c.domain_id DESC, c.platform DESC LIMIT $7""",
        workspace_id,
        since,
        until,
        *(after or (None, None, None)),
        limit,
    )
    return to_rows(CostRow, rows)


async def list_costs_any_workspace(db: Reader, *, since: date, until: date) -> list[CostRow]:
    rows = await db.fetch(
        f"""SELECT {_ROW} FROM platform_costs c
            JOIN domains d ON d.workspace_id = c.workspace_id AND d.id = c.domain_id
            WHERE c.day BETWEEN $1 AND $2
            ORDER BY c.workspace_id, c.day DESC, c.domain_id DESC, c.platform DESC""",
        since,
        until,
    )
    return to_rows(CostRow, rows)


async def delete_old_batches_any_workspace(tx: Transaction, *, before: datetime) -> None:
    await tx.execute("DELETE FROM cost_batches WHERE written_at < $1", before)


_SPEND = """
SELECT platform, coalesce(sum(cost_usd) FILTER (WHERE day = $1), 0) AS today, coalesce(sum(cost_usd), 0) AS month,
       sum(calls - priced_calls)::bigint AS unpriced_calls
FROM platform_costs WHERE day BETWEEN date_trunc('month', $1::date)::date AND $1 GROUP BY platform
"""


async def sum_spend_any_workspace(db: Reader, *, today: date) -> list[tuple[str, Decimal, Decimal, int]]:
    """Return platform, spend of today and of its month, and the calls of the month without a known cost."""
    return [(row[0], row[1], row[2], row[3]) for row in await db.fetch(_SPEND, today)]


async def average_costs_any_workspace(db: Reader, *, since: date) -> dict[str, float]:
    """Return what a priced call to each platform has cost on average. Calls of the editor are left out."""
    rows = await db.fetch(
        """SELECT platform, sum(cost_usd - coalesce(editor_cost_usd, 0)) / sum(priced)
           FROM (SELECT *, priced_calls - CASE WHEN editor_cost_usd IS NULL THEN 0 ELSE editor_calls END AS priced
                 FROM platform_costs WHERE day >= $1) AS recent
           GROUP BY platform HAVING sum(priced) > 0 AND sum(cost_usd) IS NOT NULL""",
        since,
    )
    return {row[0]: max(0.0, float(row[1])) for row in rows}


async def find_reached_limit(db: Reader, platform: str, *, today: date) -> tuple[Decimal, Decimal] | None:
    """Return the monthly limit and the spend of a platform that has reached it; None below it or without one."""
    row = await db.fetchrow(
        f"""SELECT o.monthly_limit_usd, s.month FROM platform_options o JOIN ({_SPEND}) s ON s.platform = o.platform
            WHERE o.platform = $2 AND s.month >= o.monthly_limit_usd""",
        today,
        platform,
    )
    return None if row is None else (row[0], row[1])


async def pause_at_limit(tx: Transaction, *, today: date, now: datetime) -> list[tuple[str, Decimal, Decimal]]:
    """Pause platforms that have spent their monthly limit; return each with its limit and spend.

    A platform that is paused already stays as it is.
    """
    rows = await tx.fetch(
        f"""WITH reached AS (
                SELECT o.platform, o.monthly_limit_usd AS max, s.month AS spent
                FROM platform_options o JOIN ({_SPEND}) s ON s.platform = o.platform
                WHERE s.month >= o.monthly_limit_usd
            ), paused AS (
                INSERT INTO platform_pauses (platform, paused_at, reason)
                SELECT platform, $2, 'monthly_limit' FROM reached ON CONFLICT (platform) DO NOTHING RETURNING platform
            )
            SELECT platform, max, spent FROM reached JOIN paused USING (platform) ORDER BY platform""",
        today,
        now,
    )
    return [(row[0], row[1], row[2]) for row in rows]


async def end_limit_pauses(tx: Transaction, *, today: date) -> list[str]:
    """End the pauses of platforms that are below their limit again, or have none; return the platforms."""
    rows = await tx.fetch(
        f"""DELETE FROM platform_pauses p WHERE reason = 'monthly_limit' AND NOT EXISTS (
                SELECT FROM platform_options o JOIN ({_SPEND}) s ON s.platform = o.platform
                WHERE o.platform = p.platform AND s.month >= o.monthly_limit_usd)
            RETURNING platform""",
        today,
    )
    return [row[0] for row in rows]
