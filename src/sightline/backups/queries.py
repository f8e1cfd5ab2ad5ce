"""SQL of backups: what a snapshot holds, and whether a database can be restored into."""

import secrets

import asyncpg

# Objects of this database that initdb and extensions did not create.
_OWN_RELATIONS = """
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
"""


async def export_snapshot(connection: "asyncpg.Connection[asyncpg.Record]") -> str:
    """Return the name under which another session can use the snapshot of this transaction."""
    return str(await connection.fetchval("SELECT pg_export_snapshot()"))


async def count_rows(connection: "asyncpg.Connection[asyncpg.Record]") -> dict[str, int]:
    """Count the rows of every table. Unlogged tables hold nothing that is kept."""
    names = await connection.fetch(
        f"""SELECT n.nspname || '.' || c.relname, format('%I.%I', n.nspname, c.relname) {_OWN_RELATIONS}
            AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p' ORDER BY 1"""
    )
    return {name: await connection.fetchval(f"SELECT count(*) FROM {quoted}") for name, quoted in names}


async def count_relations(connection: "asyncpg.Connection[asyncpg.Record]") -> int:
    return int(
        await connection.fetchval(f"SELECT count(*) {_OWN_RELATIONS} AND c.relkind IN ('r', 'p', 'v', 'm', 'f')")
    )


async def count_other_sessions(connection: "asyncpg.Connection[asyncpg.Record]") -> int:
    return int(
        await connection.fetchval(
            """SELECT count(*) FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""
        )
    )


async def may_run_programs(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    """Return whether the role may run programs on the server, as every superuser may."""
    allowed: bool = await connection.fetchval("SELECT pg_has_role(current_user, 'pg_execute_server_program', 'MEMBER')")
    return allowed


async def analyze(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Collect the statistics that the planner needs."""
    await connection.execute("ANALYZE", timeout=None)


# Tables take their indexes, sequences and triggers with them.
DROP_ALL = """
SET lock_timeout = '10s';
DO $drop$
DECLARE statement text;
BEGIN
    FOR statement IN
        SELECT format('DROP TABLE IF EXISTS %s CASCADE', oid::regclass) FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    LOOP
        EXECUTE statement;
    END LOOP;
    FOR statement IN
        SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc p
            WHERE pronamespace = 'public'::regnamespace
              AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    LOOP
        EXECUTE statement;
    END LOOP;
END $drop$;
"""


def confine(sql: str) -> str:
    """Return one statement that runs `sql`, but no COMMIT, ROLLBACK or other command that ends the transaction.

    PostgreSQL refuses these commands inside EXECUTE, however they are nested. The delimiters are random, so no file
    can contain them and leave the block.
    """
    block, text = f"$block_{secrets.token_hex(16)}$", f"$sql_{secrets.token_hex(16)}$"
    return f"DO {block} BEGIN EXECUTE {text}{sql}\n{text}; END {block}"


def compare_counts(tables: dict[str, int]) -> str:
    """Return statements that fail unless every table has the given number of rows. The names are plain identifiers."""
    expected = ", ".join(f"('{name}', {count}::bigint)" for name, count in tables.items())
    return f"""
DO $compare$
DECLARE expected record; found bigint;
BEGIN
    FOR expected IN SELECT * FROM (VALUES {expected}) AS given (name, rows) LOOP
        EXECUTE format('SELECT count(*) FROM %s', expected.name::regclass) INTO found;
        IF found <> expected.rows THEN
            RAISE EXCEPTION 'table % has % rows instead of %', expected.name, found, expected.rows;
        END IF;
    END LOOP;
END $compare$;
"""
