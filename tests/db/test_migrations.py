"""The migrations: one line of history, forward only, each in its own transaction."""

import re
import uuid
from pathlib import Path

import asyncpg
import pytest
from alembic.script import ScriptDirectory

import sightline.db.migrate
from sightline.db.migrate import migrate, require_newest
from sightline.db.revision import newest_revision
from tests.databases import run_sql, with_database

FOLDER = Path(sightline.db.migrate.__file__).parent / "migrations"


def test_one_head_numbered_by_file_name():
    scripts = ScriptDirectory(str(FOLDER))
    assert scripts.get_heads() == [newest_revision()]
    for script in scripts.walk_revisions():
        assert re.fullmatch(rf"{script.revision}_\w+\.py", Path(script.path).name)
        assert not hasattr(script.module, "downgrade"), "forward only"


async def test_running_again_changes_nothing(database_url, installation):
    columns = "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY 1, 2, 3"
    before = await installation.db.fetch(columns)
    await migrate(database_url)
    assert await installation.db.fetch(columns) == before


async def test_the_schema_of_a_later_version_is_kept(database_url, installation):
    """An operator can go back one version: the old one starts on the newer schema."""
    await installation.db.execute("UPDATE alembic_version SET version_num = '9999'")
    await migrate(database_url)
    await require_newest(database_url)
    assert await installation.db.fetchval("SELECT version_num FROM alembic_version") == "9999"


async def test_a_migration_that_fails_leaves_nothing(server_url):
    """Each migration is one transaction: here the last statement of the first one fails."""
    name = f"test_{uuid.uuid4().hex}"
    await run_sql(server_url, f'CREATE DATABASE "{name}"')
    url = with_database(server_url, name)
    await run_sql(url, "CREATE TABLE installation (x int)")
    with pytest.raises(Exception, match="already exists"):
        await migrate(url)
    connection = await asyncpg.connect(url)
    assert await connection.fetchval("SELECT to_regclass('users')") is None
    await connection.close()
    await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')


async def test_every_tenant_table_has_the_workspace_first_in_its_key(installation):
    """A distributed PostgreSQL can then shard on it. The exceptions belong to no workspace."""
    rows = await installation.db.fetch(
        """SELECT c.relname, a.attname FROM pg_index i
           JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
           JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
           WHERE i.indisprimary AND n.nspname = 'public'"""
    )
    without = {table for table, column in rows if column != "workspace_id"}
    assert without == {
        "alembic_version", "users", "workspaces", "sessions", "bootstrap_tokens", "installation", "rate_minutes",
        "failed_attempts", "password_resets", "cost_batches", "credit_packs", "local_orders", "platform_pauses",
        "platform_failures", "identities", "second_factors", "recovery_codes", "pending_sign_ins", "email_changes",
        "platform_leases", "workers", "jobs", "ended_access", "operators", "platform_credentials", "platform_options",
    }  # fmt: skip
