"""`python -m scripts.schema`: write the tables of the newest schema to schema.sql."""

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

SQL = Path(__file__).parent.parent / "src" / "sightline" / "db" / "schema.sql"

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
SELECT a.attrelid AS oid, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS is_required,
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
       confrelid AS target
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
    SQL.write_text(write_sql(asyncio.run(read_newest_schema())))
