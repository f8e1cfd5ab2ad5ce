"""SQL of tables: their rows, what changed in them, and the stored rows of checks.

Parameters of the SELECTs: $1 workspace, $2 domain, $3 keys of the units, $4 whether removed rows are listed,
$5 and $6 the rows of sealed checks, if there are any.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Literal

from sightline.db.engine import Database, Reader, Transaction, to_rows
from sightline.tables.catalog import SEALED_TABLES, TABLES
from sightline.tables.models import Bound, ChangedUnit, Column, ColumnType, SealedRows, TableRead, Unit

_TYPES: Mapping[ColumnType, str] = {
    "uuid": "uuid",
    "text": "text",
    "integer": "bigint",
    "number": "float8",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamptz",
}

# Tables of checks

_SHARED = frozenset(("domain_id", "scan_id", "scope", "answers_source", "measured_at", "updated_at", "removed_at"))
_SHARED |= {"metrics_version", "extractor_version"}
"""Columns that all rows of a check share. They are not stored with each row."""
_PROMPT = "prompt_id uuid, prompt text, language text, country text, branded boolean"
_PROMPT_COLUMNS = frozenset(part.split()[0] for part in _PROMPT.split(", ")) - {"prompt_id"}

_CHECKS = """checks AS MATERIALIZED (
    SELECT c.key AS unit_key, c.key AS scan_id, c.domain_id, c.measured_at, c.updated_at, c.metrics_version,
           c.extractor_version, NULL::timestamptz AS removed_at, s.measurement_scope AS scope, s.answers_source
    FROM table_changes c JOIN scans s ON s.workspace_id = c.workspace_id AND s.id = c.key
    WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.unit = 'scan' AND c.key = ANY($3::uuid[])
)"""


def find_stored_columns(name: str) -> list[Column]:
    """Return the columns of a table of checks that are stored with each of its rows."""
    columns = TABLES[name].select_columns(text=False)
    return [each for each in columns if each.name not in _SHARED | _PROMPT_COLUMNS]


def define_record(columns: Sequence[Column]) -> str:
    """Return the columns of a record that SQL reads from JSON, with their types."""
    return ", ".join(f"{each.name} {_TYPES[each.type]}" for each in columns)


def _stored(name: str, definition: str, *, is_sealed: bool = False) -> str:
    """Return a query of the stored rows of the checks: columns by this definition, and the id of the check.

    The rows of sealed checks are parameters: $5 has their ids, and $6 their rows.
    """
    rows = f"""SELECT scan_id, rows FROM scan_rows
    WHERE workspace_id = $1 AND scan_id = ANY($3::uuid[]) AND name = '{name}'"""
    if is_sealed:
        rows += "\n    UNION ALL SELECT * FROM unnest($5::uuid[], $6::jsonb[]) AS sealed (scan_id, rows)"
    return f"""SELECT d.scan_id AS stored_scan_id, r.* FROM ({rows}) d
    CROSS JOIN LATERAL jsonb_to_recordset(d.rows) AS r ({definition})"""


def _with_prompts(rows: str) -> str:
    return f"""WITH {_CHECKS}, asked AS MATERIALIZED ({_stored("prompts", _PROMPT)}), found AS ({rows})
SELECT checks.*, found.*, asked.prompt, asked.language, asked.country, asked.branded
FROM checks JOIN found ON found.stored_scan_id = checks.scan_id
JOIN asked ON asked.stored_scan_id = checks.scan_id AND asked.prompt_id = found.prompt_id"""


def _select_stored(read: TableRead, *, has_sealed: bool) -> str:
    columns = find_stored_columns(read.table.name)
    definition = define_record(columns)
    has_text = read.extent.text and any(each.on_request for each in read.table.columns)
    if has_text:
        definition += ", sealed_text text"
    rows = _stored(read.table.name, definition, is_sealed=has_sealed)
    if not any(each.name == "prompt_id" for each in columns):
        return f"WITH {_CHECKS} SELECT * FROM checks JOIN ({rows}) found ON found.stored_scan_id = checks.scan_id"
    select = _with_prompts(rows)
    if not has_text:
        return select
    return f"""SELECT rows.*, coalesce(rows.sealed_text, a.text) AS text FROM ({select}) rows
LEFT JOIN answers a ON a.workspace_id = $1 AND a.scan_id = rows.scan_id AND a.id = rows.answer_id
                   AND a.scan_id = ANY($3::uuid[])
WHERE coalesce(rows.sealed_text, a.text) IS NOT NULL"""


_COUNTED = ("valid", "no_surface", "failed", "mentioned", "cited")
_CELL = ", ".join(
    ["prompt_id uuid", "platform text", "surface text", *(f"{each} integer" for each in _COUNTED), "visibility float8"]
)
_CELLS = _with_prompts(_stored("cells", _CELL))


def _sums(condition: str = "true") -> str:
    """Return the figures of a group of cells, of those that meet the condition."""
    sums = [f"coalesce(sum({each}) FILTER (WHERE {condition}), 0) AS {each}" for each in _COUNTED]
    planned = f"count(*) FILTER (WHERE {condition}) AS planned"
    return ", ".join([planned, *sums, f"coalesce(sum(visibility) FILTER (WHERE {condition}), 0) AS visibility_sum"])


_BY_CHECK = (
    "unit_key, domain_id, scan_id, scope, answers_source, measured_at, updated_at, metrics_version, extractor_version"
)

# A tag that no prompt has any more leaves a removed row behind.
_DAILY_METRICS = f"""WITH cells AS MATERIALIZED ({_CELLS}), tags AS MATERIALIZED (
    SELECT h.prompt_id, h.tag, h.tag = ANY(p.tags) AS is_present
    FROM prompt_tags_seen h JOIN prompts p ON p.workspace_id = h.workspace_id AND p.id = h.prompt_id
    WHERE h.workspace_id = $1 AND h.domain_id = $2
), tagged AS (
    SELECT cells.*, NULL AS tag, true AS is_present FROM cells
    UNION ALL SELECT cells.*, tags.tag, tags.is_present FROM cells JOIN tags USING (prompt_id)
), grouped AS (
    SELECT {_BY_CHECK.replace("updated_at, ", "")}, platform, max(surface) AS surface, country, tag,
           bool_or(is_present) AS is_present,
           greatest(updated_at, (SELECT max(d.updated_at) FROM domain_changes d WHERE d.workspace_id = $1
                                 AND d.domain_id = $2 AND d.subject = 'tags' AND tag IS NOT NULL)) AS updated_at,
           {_sums("is_present AND NOT branded")}
    FROM tagged GROUP BY {_BY_CHECK}, platform, country, tag
)
SELECT *, concat_ws('/', scan_id, platform, coalesce(country, 'global'), tag) AS row_id,
       (measured_at AT TIME ZONE 'UTC')::date AS day, CASE WHEN NOT is_present THEN updated_at END AS removed_at
FROM grouped WHERE is_present OR $4"""

_PROMPT_METRICS = f"""SELECT concat_ws('/', scan_id, prompt_id) AS row_id, {_BY_CHECK}, NULL::timestamptz AS removed_at,
       prompt_id, prompt, language, country, branded, {_sums()}
FROM ({_CELLS}) cells GROUP BY {_BY_CHECK}, prompt_id, prompt, language, country, branded"""

_SUMMED: Mapping[str, str] = {"daily_metrics": _DAILY_METRICS, "prompt_metrics": _PROMPT_METRICS}
"""The SELECTs of tables that add up cells."""


# Tables of insights

_OF_UNIT = {
    "row_id": "c.key::text",
    "domain_id": "c.domain_id",
    "scan_id": "c.scan_id",
    "measured_at": "c.measured_at",
    "updated_at": "c.updated_at",
    "removed_at": "c.removed_at",
    "metrics_version": "c.metrics_version",
    "extractor_version": "c.extractor_version",
}
_CURRENT: Mapping[Unit, dict[str, str]] = {
    "theme": {},
    "recommendation": {
        "updated_at": """greatest(c.updated_at, (SELECT max(g.updated_at) FROM domain_changes g
                                  WHERE g.workspace_id = $1 AND g.domain_id = $2 AND g.subject = 'marks'))""",
        "done_at": """(SELECT m.done_at FROM recommendation_marks m
                       WHERE m.workspace_id = $1 AND m.domain_id = $2 AND m.subject = ANY(found.mark_keys)
                       ORDER BY array_position(found.mark_keys, m.subject) LIMIT 1)""",
    },
    "alert": {"state": "t.state", "confirmed_at": "t.confirmed_at", "resolved_at": "t.resolved_at"},
}
"""The columns that change after an insight was stored. They are not part of the stored row."""


def _select_insights(read: TableRead) -> str:
    """Return the SELECT of a table whose units are rows of their own. Those that are gone have only ids and times."""
    unit = read.table.unit
    known = _OF_UNIT | _CURRENT[unit]
    stored = [f"{each.name} {_TYPES[each.type]}" for each in read.table.columns if each.name not in known]
    if unit == "recommendation":
        stored.append("mark_keys text[]")
    return f"""SELECT c.key AS unit_key, {", ".join(f"{value} AS {name}" for name, value in known.items())}, found.*
    FROM table_changes c LEFT JOIN {unit}s t ON t.workspace_id = c.workspace_id AND t.id = c.key
    CROSS JOIN LATERAL jsonb_to_record(t.table_row) AS found ({", ".join(stored)})
    WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.unit = '{unit}' AND c.key = ANY($3::uuid[])
      AND (t.table_row IS NOT NULL OR $4 AND c.removed_at IS NOT NULL)"""


# Rows in the forms that they are read in

# What is known of a row that is gone.
_REMOVED = {
    "row_id": "g.row_id",
    "domain_id": "g.domain_id",
    "scan_id": "g.scan_id",
    "measured_at": "c.measured_at",
    "updated_at": "g.removed_at",
    "removed_at": "g.removed_at",
}
LineForm = Literal["csv", "jsonl"]
_ISO = """'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'"""  # as `to_iso`


def _select(read: TableRead, *, has_sealed: bool) -> str:
    if read.table.unit != "scan":
        return _select_insights(read)
    return _SUMMED.get(read.table.name) or _select_stored(read, has_sealed=has_sealed)


async def _read_sealed(read: TableRead, keys: Sequence[uuid.UUID]) -> SealedRows:
    if read.source.read_sealed is None or read.table.name not in SEALED_TABLES:
        return {}
    return await read.source.read_sealed(read.table.name, keys, text=read.extent.text)


def _select_rows(read: TableRead, sealed: SealedRows) -> str:
    """Return the SELECT of all rows of the units, with `unit_key` and the columns of the table in their order."""
    columns = read.table.select_columns(text=read.extent.text)
    typed = ", ".join(f"{each.name}::{_TYPES[each.type]}" for each in columns)
    select = f"SELECT unit_key, {typed} FROM ({_select(read, has_sealed=bool(sealed))}) found"
    if read.table.unit != "scan":
        return select
    gone = ", ".join(f"{_REMOVED.get(each.name, 'NULL')}::{_TYPES[each.type]} AS {each.name}" for each in columns)
    return f"""{select} UNION ALL
    SELECT g.scan_id, {gone} FROM removed_rows g
    JOIN table_changes c ON c.workspace_id = g.workspace_id AND c.domain_id = g.domain_id AND c.unit = 'scan'
                        AND c.key = g.scan_id
    WHERE $4 AND g.workspace_id = $1 AND g.domain_id = $2 AND g.scan_id = ANY($3::uuid[])
      AND g.table_name = '{read.table.name}'"""


def _parameters(read: TableRead, keys: Sequence[uuid.UUID], sealed: SealedRows) -> list[object]:
    values: list[object] = [read.source.workspace_id, read.source.domain_id, list(keys), read.tells_removed]
    return [*values, list(sealed), list(sealed.values())] if sealed else values


def _as_json(column: Column) -> str:
    value = f"to_char({column.name} AT TIME ZONE 'UTC', {_ISO})" if column.type == "timestamp" else column.name
    return f"{value} AS {column.name}"


def _as_csv(column: Column) -> str:
    """Return a cell. A text that a spreadsheet would run as a formula gets an apostrophe, as in the ledger."""
    if column.type == "text":
        is_formula = f"ascii({column.name}) IN (61, 43, 45, 64, 9, 13)"
        return f"CASE WHEN {is_formula} THEN '''' || {column.name} ELSE {column.name} END"
    return f"{column.name}::text" if column.type == "boolean" else _as_json(column)


async def list_rows(
    db: Reader, read: TableRead, keys: Sequence[uuid.UUID], *, after: tuple[uuid.UUID, str] | None, limit: int
) -> list[tuple[uuid.UUID, str, str]]:
    """List rows of the units as JSON, each with its unit and its id, by which they are sorted."""
    shown = ", ".join(map(_as_json, read.table.select_columns(text=read.extent.text)))
    sealed = await _read_sealed(read, keys)
    values = _parameters(read, keys, sealed)
    condition = ""
    if after is not None:
        condition = f'WHERE (unit_key, row_id COLLATE "C") > (${len(values) + 1}::uuid, ${len(values) + 2}::text)'
        values += after
    rows = await db.fetch(
        f"""SELECT unit_key, row_id, (SELECT row_to_json(shown)::text FROM (SELECT {shown}) shown)
            FROM ({_select_rows(read, sealed)}) rows {condition}
            ORDER BY unit_key, row_id COLLATE "C" LIMIT {limit}""",
        *values,
    )
    return [tuple(row) for row in rows]


async def fetch_rows(db: Reader, read: TableRead, keys: Sequence[uuid.UUID]) -> list[tuple[object, ...]]:
    """Return the rows of the units, in the order of the columns. Ids are text."""
    columns = read.table.select_columns(text=read.extent.text)
    shown = ", ".join(f"{each.name}::text" if each.type == "uuid" else each.name for each in columns)
    sealed = await _read_sealed(read, keys)
    rows: list[tuple[object, ...]] = await db.fetch(
        f"SELECT {shown} FROM ({_select_rows(read, sealed)}) rows", *_parameters(read, keys, sealed)
    )
    return rows


def write_copy(
    read: TableRead, keys: Sequence[uuid.UUID], form: LineForm, sealed: SealedRows | None = None
) -> tuple[str, list[object]]:
    """Return the query whose rows are lines of CSV or JSON, and its parameters."""
    columns, rows, values = (
        read.table.select_columns(text=read.extent.text),
        _select_rows(read, sealed or {}),
        _parameters(read, keys, sealed or {}),
    )
    if form == "csv":
        return f"SELECT {', '.join(map(_as_csv, columns))} FROM ({rows}) rows", values
    shown = ", ".join(map(_as_json, columns))
    return f"SELECT (SELECT row_to_json(shown) FROM (SELECT {shown}) shown) FROM ({rows}) rows", values


async def copy_rows(db: Database, read: TableRead, keys: Sequence[uuid.UUID], form: LineForm) -> bytes:
    """Return the rows of the units as lines of CSV or JSON, which PostgreSQL writes."""
    query, values = write_copy(read, keys, form, await _read_sealed(read, keys))
    # JSON has no control characters, so with these as delimiter and quote every line is sent as it is.
    unquoted = {} if form == "csv" else {"delimiter": "\x01", "quote": "\x02"}
    return await db.copy(query, *values, format="csv", **unquoted)


# Changes

# A transaction id means something in one database of one cluster, until the cluster is restored to an earlier point or
# the table is made again from a backup.
DATABASE_IDENTITY = """(SELECT system_identifier FROM pg_control_system()) || '.'
    || (SELECT timeline_id FROM pg_control_checkpoint()) || '.'
    || (SELECT oid FROM pg_database WHERE datname = current_database()) || '.'
    || 'table_changes'::regclass::oid"""


async def read_bound(db: Reader) -> Bound:
    """Return a point below which every transaction has ended."""
    row = await db.fetchrow(f"SELECT {DATABASE_IDENTITY}, pg_snapshot_xmin(pg_current_snapshot())::text")
    return Bound(*row)


def _is_newer(change: str) -> str:
    """Return whether a change is stamped at or after the bound.

    A stamp that no transaction can have had yet is from before a restore.
    """
    return f"""({change}.changed_xid >= $4::text::xid8
                AND {change}.changed_xid < pg_snapshot_xmax(pg_current_snapshot()))"""


async def list_units(db: Reader, read: TableRead, *, after: uuid.UUID | None, limit: int) -> list[ChangedUnit]:
    """List the units of a table that a read covers, in the order of their keys, from `after` on."""
    extent = read.extent
    rows = await db.fetch(
        f"""SELECT c.key, coalesce(s.answers_total, 1)
            FROM table_changes c
            LEFT JOIN scans s ON c.unit = 'scan' AND s.workspace_id = c.workspace_id AND s.id = c.key
            LEFT JOIN domain_changes d
                ON d.workspace_id = c.workspace_id AND d.domain_id = c.domain_id AND d.subject = $10
            WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.unit = $3 AND ($9::uuid IS NULL OR c.key >= $9)
              AND ($4::text IS NULL OR {_is_newer("c")} OR {_is_newer("d")})
              AND ($5::timestamptz IS NULL OR c.measured_at >= $5) AND ($6::timestamptz IS NULL OR c.measured_at < $6)
              AND ($7::timestamptz IS NULL OR greatest(c.updated_at, d.updated_at) >= $7)
              AND ($8 OR c.removed_at IS NULL)
            ORDER BY c.key LIMIT {limit}""",
        read.source.workspace_id,
        read.source.domain_id,
        read.table.unit,
        read.since and read.since.xid,
        extent.measured_from,
        extent.measured_before,
        extent.changed_since,
        read.tells_removed,
        after,
        read.table.shared_change,
    )
    return to_rows(ChangedUnit, rows)


async def list_changed_months(db: Reader, read: TableRead) -> list[tuple[int, int]]:
    """Return year and month (UTC) of everything that a read covers, oldest first."""
    rows = await db.fetch(
        f"""SELECT DISTINCT extract(year FROM c.measured_at AT TIME ZONE 'UTC')::integer,
                            extract(month FROM c.measured_at AT TIME ZONE 'UTC')::integer
            FROM table_changes c
            LEFT JOIN domain_changes d
                ON d.workspace_id = c.workspace_id AND d.domain_id = c.domain_id AND d.subject = $5
            WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.unit = $3
              AND ($4::text IS NULL OR {_is_newer("c")} OR {_is_newer("d")})
            ORDER BY 1, 2""",
        read.source.workspace_id,
        read.source.domain_id,
        read.table.unit,
        read.since and read.since.xid,
        read.table.shared_change,
    )
    return [(row[0], row[1]) for row in rows]


# Stored rows of checks


async def list_row_ids(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> set[tuple[str, str]]:
    """Return table and id of each stored row of a check."""
    rows = await db.fetch(
        """SELECT d.name, r ->> 'row_id' FROM scan_rows d CROSS JOIN LATERAL jsonb_array_elements(d.rows) AS r
           WHERE d.workspace_id = $1 AND d.scan_id = $2 AND r ? 'row_id'""",
        workspace_id,
        scan_id,
    )
    return {(row[0], row[1]) for row in rows}


async def has_scan_rows(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> bool:
    found: bool = await db.fetchval(
        "SELECT EXISTS (SELECT FROM scan_rows WHERE workspace_id = $1 AND scan_id = $2)", workspace_id, scan_id
    )
    return found


async def replace_scan_rows(
    tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, rows: Mapping[str, str]
) -> None:
    await tx.execute(
        """INSERT INTO scan_rows (workspace_id, scan_id, name, rows)
           SELECT $1, $2, name, rows FROM unnest($3::text[], $4::jsonb[]) AS t (name, rows)
           ON CONFLICT (workspace_id, scan_id, name) DO UPDATE SET rows = excluded.rows""",
        workspace_id,
        scan_id,
        list(rows),
        list(rows.values()),
    )


async def record_removed_rows(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    scan_id: uuid.UUID,
    *,
    removed: Sequence[tuple[str, str]],
    present: Sequence[tuple[str, str]],
) -> None:
    """Record rows of a check that are gone, and forget those that are back."""
    await tx.execute(
        """INSERT INTO removed_rows (workspace_id, domain_id, scan_id, table_name, row_id)
           SELECT $1, $2, $3, t.* FROM unnest($4::text[], $5::text[]) AS t ON CONFLICT DO NOTHING""",
        workspace_id,
        domain_id,
        scan_id,
        [name for name, _ in removed],
        [row_id for _, row_id in removed],
    )
    await tx.execute(
        """DELETE FROM removed_rows r USING unnest($4::text[], $5::text[]) AS t (table_name, row_id)
           WHERE r.workspace_id = $1 AND r.domain_id = $2 AND r.scan_id = $3 AND r.table_name = t.table_name
             AND r.row_id = t.row_id""",
        workspace_id,
        domain_id,
        scan_id,
        [name for name, _ in present],
        [row_id for _, row_id in present],
    )


async def delete_answer_rows(tx: Transaction, scans: Sequence[tuple[uuid.UUID, uuid.UUID]]) -> None:
    """Delete the rows of answers that are gone, by (workspace, scan)."""
    await tx.execute(
        """DELETE FROM scan_rows r USING unnest($1::uuid[], $2::uuid[]) AS t (workspace_id, scan_id)
           WHERE r.workspace_id = t.workspace_id AND r.scan_id = t.scan_id
             AND r.name IN ('answers', 'mentions', 'citations')""",
        [workspace_id for workspace_id, _ in scans],
        [scan_id for _, scan_id in scans],
    )


async def list_scans_without_rows_any_workspace(db: Reader, *, limit: int) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """Return (workspace, scan) of checks that were completed by an earlier version, the newest first."""
    rows = await db.fetch(
        """SELECT c.workspace_id, c.key FROM table_changes c
           WHERE c.unit = 'scan' AND NOT EXISTS (
               SELECT FROM scan_rows r
               WHERE r.workspace_id = c.workspace_id AND r.scan_id = c.key AND r.name = 'cells')
           ORDER BY c.measured_at DESC LIMIT $1""",
        limit,
    )
    return [(row[0], row[1]) for row in rows]


async def stamp_unit(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, unit: Unit, key: uuid.UUID
) -> None:
    """Send the rows of a unit to readers of changes, who may have read without them. They are not new."""
    await tx.execute(
        """UPDATE table_changes SET changed_xid = pg_current_xact_id()
           WHERE workspace_id = $1 AND domain_id = $2 AND unit = $3 AND key = $4""",
        workspace_id,
        domain_id,
        unit,
        key,
    )
