"""The size of every table and index, and the rows that PostgreSQL believes to be live and dead."""

from typing import Literal

import msgspec

from sightline.db.engine import Reader

HISTORY = frozenset(
    {
        "alerts",
        "answer_facts",
        "answer_payloads",
        "answers",
        "cost_batches",
        "credit_entries",
        "drawn_insights",
        "editor_replies",
        "ended_access",
        "events",
        "opportunities",
        "prompt_checks",
        "recommendations",
        "reports",
        "scan_results",
        "scans",
        "table_changes",
        "theme_traces",
        "themes",
        "usage_minutes",
        "webhook_attempts",
        "webhook_deliveries",
    }
)
"""Tables that keep a row for each scan, answer, event or sign-out: for ever, or longer than a soak runs.

Every other table is a working table, so a new table counts as one until it is listed here.
"""


class Relation(msgspec.Struct, frozen=True):
    name: str
    table: str
    """The table that an index belongs to. Partitions count for their table."""
    kind: Literal["table", "index"]
    size: int
    """Bytes, of a table with its long values but without its indexes."""
    live: int
    dead: int

    @property
    def is_history(self) -> bool:
        return self.table in HISTORY


async def read_relations(db: Reader) -> list[Relation]:
    rows = await db.fetch(
        """WITH tables AS (
               SELECT c.oid, coalesce(pg_partition_root(c.oid), c.oid)::regclass::text AS name
               FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace)
           SELECT t.name, t.name, 'table', sum(pg_table_size(t.oid))::bigint, sum(s.n_live_tup)::bigint,
                  sum(s.n_dead_tup)::bigint
           FROM tables t JOIN pg_stat_all_tables s ON s.relid = t.oid GROUP BY t.name
           UNION ALL
           SELECT i.name, i.table_name, 'index', sum(pg_relation_size(i.oid))::bigint, 0, 0
           FROM (SELECT indexrelid AS oid, t.name AS table_name,
                        coalesce(pg_partition_root(indexrelid), indexrelid)::regclass::text AS name
                 FROM pg_index JOIN tables t ON t.oid = indrelid) i
           GROUP BY i.name, i.table_name
           ORDER BY 2, 3 DESC, 1"""
    )
    return [Relation(*row) for row in rows]
