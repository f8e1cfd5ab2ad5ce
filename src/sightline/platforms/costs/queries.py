"""All SQL of platform costs."""

import uuid
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal

import msgspec

from sightline.db.engine import Reader, Transaction, to_rows
from sightline.platforms.costs.models import CallTotals, CostKey, CostRow

SortKey = tuple[date, uuid.UUID, str]

_COUNTED = ("calls", "failed_calls", "priced_calls", "editor_calls", "answers", "priced_answers")
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
                       $10::bigint[], $11::bigint[], $12::bigint[], $13::numeric[], $14::bigint[], $15::numeric[],
                       $16::bigint[], $17::bigint[]) AS t
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


_UNANNOUNCED = """(o.announced_limit_usd IS DISTINCT FROM o.monthly_limit_usd
                   OR o.announced_on < date_trunc('month', $1::date)::date)"""


async def sum_spend_any_workspace(db: Reader, *, today: date) -> list[tuple[str, Decimal, Decimal, int]]:
    """Return platform, spend of today and of its month, and the calls of the month without a known cost."""
    return [(row[0], row[1], row[2], row[3]) for row in await db.fetch(_SPEND, today)]


class UsualAnswer(msgspec.Struct, frozen=True):
    """What an answer of a platform has used and cost on average. The calls of the editor are left out."""

    platform: str
    cost_usd: float | None
    input_tokens: float | None
    output_tokens: float | None
    searches: float | None


async def list_usual_answers_any_workspace(db: Reader, *, since: date) -> list[UsualAnswer]:
    """Return the usual answer of each platform that has answered.

    Retries and failed calls are part of what an answer costs. Costs from before the operator last saved prices of the
    platform do not count.
    """
    rows = await db.fetch(
        """WITH recent AS (
               SELECT c.*, cost_usd - coalesce(editor_cost_usd, 0) AS cost,
                      c.day >= coalesce((o.saved_at AT TIME ZONE 'UTC')::date, c.day) AS is_valid
               FROM platform_costs c
               LEFT JOIN platform_options o ON o.platform = c.platform AND o.prices IS NOT NULL
               WHERE c.day >= $1
           )
           SELECT platform,
                  (sum(cost) FILTER (WHERE is_valid)
                   / nullif(sum(priced_answers) FILTER (WHERE is_valid), 0))::float,
                  (sum(input_tokens) / sum(answers))::float,
                  (sum(output_tokens) / sum(answers))::float,
                  (sum(searches) / sum(answers))::float
           FROM recent GROUP BY platform HAVING sum(answers) > 0""",
        since,
    )
    return [UsualAnswer(*row) for row in rows]


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


async def sum_domain_spend(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, today: date
) -> dict[str, tuple[float, float]]:
    """Return by platform what answers have cost in the seven days before today, and in this month.

    The calls of the editor are left out.
    """
    rows = await db.fetch(
        """SELECT platform, coalesce(sum(cost) FILTER (WHERE day BETWEEN $3 - 7 AND $3 - 1), 0),
                  coalesce(sum(cost) FILTER (WHERE day >= month), 0)
           FROM (SELECT platform, day, cost_usd - coalesce(editor_cost_usd, 0) AS cost,
                        date_trunc('month', $3::date)::date AS month
                 FROM platform_costs WHERE workspace_id = $1 AND domain_id = $2) AS own
           WHERE day BETWEEN least($3 - 7, month) AND $3 GROUP BY platform""",
        workspace_id,
        domain_id,
        today,
    )
    return {row[0]: (float(row[1]), float(row[2])) for row in rows}


async def list_open_limits(db: Reader, *, today: date) -> dict[str, Decimal]:
    """Return the monthly limits that are neither reached nor announced this month, by platform."""
    rows = await db.fetch(
        f"""SELECT o.platform, o.monthly_limit_usd FROM platform_options o
            LEFT JOIN ({_SPEND}) s ON s.platform = o.platform
            WHERE o.monthly_limit_usd > coalesce(s.month, 0) AND {_UNANNOUNCED}""",
        today,
    )
    return dict(rows)


async def claim_announcement(tx: Transaction, platform: str, limit: Decimal, *, today: date) -> bool:
    """Store that this month's announcement of a limit is made; return False if it was, or the limit has changed."""
    claimed = await tx.fetchval(
        f"""UPDATE platform_options o SET announced_on = $1, announced_limit_usd = o.monthly_limit_usd
            WHERE o.platform = $2 AND o.monthly_limit_usd = $3 AND {_UNANNOUNCED} RETURNING true""",
        today,
        platform,
        limit,
    )
    return claimed is not None
