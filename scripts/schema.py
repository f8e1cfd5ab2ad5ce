"""`python -m scripts.schema`: write the tables of the newest schema to schema.sql and docs/contribute/tables.md."""

import asyncio
import tempfile
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import asyncpg

from sightline.db import embedded
from sightline.db.migrate import migrate

_ROOT = Path(__file__).parent.parent
SQL = _ROOT / "src" / "sightline" / "db" / "schema.sql"
PAGE = _ROOT / "docs" / "contribute" / "tables.md"

GROUPS = {
    "Workspaces, users and keys: `accounts/`, `api_keys/`, `audit/`, `idempotency/`, `usage/`": (
        "audit_entries workspace_exports workspace_export_parts workspace_deletions "
        "workspaces users members sessions pending_sign_ins second_factors recovery_codes "
        "invitations password_resets bootstrap_tokens operators failed_attempts "
        "ended_access kept_forms installation api_keys idempotency_keys rate_minutes rate_months usage_minutes"
    ),
    "Domains, prompts and competitors: `domains/`, `prompts/`, `competitors/`, `onboarding/`": (
        "domains domain_changes recomputations prompts prompt_suggestions prompt_tags_seen competitors ignored_sites "
        "setup_suggestions suggestion_days demonstrations sandbox_endings"
    ),
    "Scans and their answers: `scans/`, `scoreboard/`, `tables/`": (
        "scans scan_lanes platform_tasks scan_results answers answer_payloads answer_facts corrections prompt_checks "
        "cells imported_weeks scoreboards scan_rows table_changes removed_rows"
    ),
    "Insights and reports: `insights/`, `reports/`": (
        "alerts alert_mutes themes theme_traces codebook_themes editions editor_replies judged_answers recommendations "
        "recommendation_marks dismissed_recommendations opportunities "
        "drawn_insights reports report_shares report_schedules report_emails report_links report_unsubscriptions"
    ),
    "Credits: `credits/`": (
        "credit_accounts credit_entries credit_packs checkout_attempts checkout_reversals local_orders"
    ),
    "Platforms: `platforms/`": (
        "platform_credentials platform_options platform_costs cost_batches platform_failures platform_pauses "
        "platform_leases"
    ),
    "Jobs, events and webhooks: `jobs/`, `events.py`, `webhooks/`": (
        "jobs workers events webhook_endpoints webhook_deliveries webhook_attempts"
    ),
}
"""The tables by the features that own them, with a picture for each group."""
_INTRODUCTION = """# Tables

For contributors: find the tables of a feature, and the tables that they refer to. `make schema` writes this page and
[`schema.sql`](../../src/sightline/db/schema.sql), which has all columns, constraints, indexes and triggers. The
pictures show only the columns that are keys. A solid line is a foreign key. A dotted line is a column with the id of
another table's row, which may have been removed.
"""
_TYPES = {"timestamp with time zone": "timestamptz", "character varying": "varchar"}

# Partitions of a month are made by the worker; they are no part of the schema.
_TABLES = r"""
SELECT c.oid, c.relname AS name, c.relpersistence = 'u' AS is_unlogged, c.reloptions AS options,
       pg_get_partkeydef(c.oid) AS partitioned_by, parent.relname AS partition_of,
       pg_get_expr(c.relpartbound, c.oid) AS bound
FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname !~ '_\d{4}_\d{2}$'
  AND c.relname <> 'alembic_version'
ORDER BY c.relname
"""
_COLUMNS = """
SELECT a.attrelid AS oid, a.attnum AS number, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
       a.attnotnull AS is_required,
       a.attidentity AS identity, pg_get_expr(d.adbin, d.adrelid) AS default_value,
       CASE WHEN a.attcollation <> t.typcollation THEN (SELECT collname FROM pg_collation WHERE oid = a.attcollation)
       END AS collation,
       CASE WHEN a.attstorage <> t.typstorage THEN a.attstorage END AS storage
FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum
"""
# PostgreSQL 18 lists NOT NULL as a constraint, too.
_CONSTRAINTS = """
SELECT conrelid AS oid, conname AS name, contype AS kind, pg_get_constraintdef(oid) AS definition,
       confrelid AS target, conkey AS columns
FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conparentid = 0 AND conrelid <> 0
ORDER BY conrelid, position(contype IN 'pucfx'), conname
"""
_INDEXES = """
SELECT i.indrelid AS oid, pg_get_indexdef(i.indexrelid) AS definition
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
  AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u', 'x'))
ORDER BY c.relname
"""
_FUNCTIONS = """
SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname
"""
_TRIGGERS = """
SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND t.tgparentid = 0 ORDER BY c.relname, t.tgname
"""
_STORAGES = {b"e": "EXTERNAL", b"x": "EXTENDED", b"m": "MAIN", b"p": "PLAIN"}
_MARKS = {b"p": "PK", b"f": "FK"}
_IDENTITIES = {b"d": "BY DEFAULT", b"a": "ALWAYS"}


class Schema:
    """The tables, functions and triggers of a database, read from PostgreSQL's catalog."""

    def __init__(self, tables: Any, columns: Any, constraints: Any, indexes: Any) -> None:
        self.tables = {table["oid"]: table for table in tables}
        self.names = {table["oid"]: table["name"] for table in tables}
        self.columns = _group_by_table(columns)
        self.constraints = _group_by_table(constraints)
        self.indexes = _group_by_table(indexes)
        self.functions: list[str] = []
        self.triggers: list[str] = []


async def read_schema(connection: "asyncpg.Connection[asyncpg.Record]") -> Schema:
    # Names without a schema in definitions need the search path.
    await connection.execute("SET search_path = public")
    schema = Schema(*[await connection.fetch(query) for query in (_TABLES, _COLUMNS, _CONSTRAINTS, _INDEXES)])
    schema.functions = [row[0] for row in await connection.fetch(_FUNCTIONS)]
    schema.triggers = [row[0] for row in await connection.fetch(_TRIGGERS)]
    return schema


def _group_by_table(rows: Iterable[Any]) -> dict[int, list[Any]]:
    return {oid: list(group) for oid, group in groupby(sorted(rows, key=itemgetter("oid")), itemgetter("oid"))}


def write_sql(schema: Schema) -> str:
    """Return statements that create everything in an empty database, each table after those that it refers to."""
    parts = [_write_table(schema, oid) for oid in _sort_tables(schema)]
    parts += [f"{each.strip().replace('public.', '').replace('OR REPLACE ', '', 1)};" for each in schema.functions]
    parts.append("\n".join(f"{each.replace('public.', '')};" for each in schema.triggers))
    return "\n\n".join(parts) + "\n"


def _sort_tables(schema: Schema) -> list[int]:
    found: dict[int, None] = {}

    def add(oid: int) -> None:
        if oid in found:
            return
        table = schema.tables[oid]
        parents = [other for other, name in schema.names.items() if name == table["partition_of"]]
        referenced = [each["target"] for each in schema.constraints.get(oid, ()) if each["kind"] == b"f"]
        for other in sorted({*parents, *referenced} - {oid}, key=lambda each: schema.names[each]):
            add(other)
        found[oid] = None

    for oid in schema.tables:
        add(oid)
    return list(found)


def _write_table(schema: Schema, oid: int) -> str:
    table = schema.tables[oid]
    lines = [_write_column(column) for column in schema.columns[oid]]
    lines += [f"CONSTRAINT {each['name']} {each['definition']}" for each in schema.constraints.get(oid, ())]
    if table["partition_of"]:
        text = f"CREATE TABLE {table['name']} PARTITION OF {table['partition_of']} {table['bound']}"
    else:
        kind = "UNLOGGED TABLE" if table["is_unlogged"] else "TABLE"
        text = f"CREATE {kind} {table['name']} (\n    " + ",\n    ".join(lines) + "\n)"
    if table["partitioned_by"]:
        text += f" PARTITION BY {table['partitioned_by']}"
    if table["options"]:
        text += f" WITH ({', '.join(table['options'])})"
    statements = [text]
    statements += [
        f"ALTER TABLE {table['name']} ALTER COLUMN {column['name']} SET STORAGE {_STORAGES[column['storage']]}"
        for column in schema.columns[oid]
        if column["storage"]
    ]
    statements += [each["definition"].replace("public.", "") for each in schema.indexes.get(oid, ())]
    return "\n".join(f"{statement};" for statement in statements)


def _write_column(column: Any) -> str:
    text = f"{column['name']} {column['type']}"
    if column["collation"]:
        text += f' COLLATE "{column["collation"]}"'
    if column["identity"] in _IDENTITIES:
        return f"{text} GENERATED {_IDENTITIES[column['identity']]} AS IDENTITY"
    if column["default_value"] is not None:
        text += f" DEFAULT {column['default_value']}"
    return text + " NOT NULL" if column["is_required"] else text


def write_page(schema: Schema) -> str:
    """Return the page with a picture of the tables for each group of features."""
    oids = {table["name"]: oid for oid, table in schema.tables.items() if not table["partition_of"]}
    lines = [_INTRODUCTION]
    for title, names in GROUPS.items():
        lines += [f"## {title}\n", "```mermaid", "erDiagram"]
        for name in names.split():
            lines += _draw_table(schema, oids, name)
        lines += ["```", ""]
    return "\n".join(lines)


def _draw_table(schema: Schema, oids: dict[str, int], name: str) -> list[str]:
    """Return the table's keys, and a line for each table that it refers to, dotted without a foreign key."""
    columns = schema.columns[oids[name]]
    marks: dict[str, list[str]] = {}
    lines: list[str] = []
    for constraint in schema.constraints.get(oids[name], ()):
        if constraint["kind"] in _MARKS:
            key = [column["name"] for column in columns if column["number"] in constraint["columns"]]
            for column in key:
                marks.setdefault(column, []).append(_MARKS[constraint["kind"]])
            if constraint["kind"] == b"f":
                lines.append(f"    {schema.names[constraint['target']]} ||--o{{ {name} : {key[-1]}")
    for column in columns:
        target = f"{column['name'].removesuffix('_id')}s"
        if column["name"].endswith("_id") and target in oids and "FK" not in marks.get(column["name"], ()):
            marks.setdefault(column["name"], [])
            lines.append(f"    {target} ||..o{{ {name} : {column['name']}")
    shown = [
        f"        {_TYPES.get(column['type'], column['type'])} {column['name']} {','.join(dict.fromkeys(marks[found]))}"
        for column in columns
        if (found := column["name"]) in marks
    ]
    return [f"    {name} {{", *map(str.rstrip, shown), "    }", *lines]


async def read_newest_schema() -> Schema:
    """Return the schema of a new database, on an embedded server that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        server = embedded.attach(Path(folder) / "data")
        try:
            await migrate(server.url)
            connection = await asyncpg.connect(server.url)
            try:
                return await read_schema(connection)
            finally:
                await connection.close()
        finally:
            server.release()


if __name__ == "__main__":
    newest = asyncio.run(read_newest_schema())
    SQL.write_text(write_sql(newest))
    PAGE.write_text(write_page(newest))
