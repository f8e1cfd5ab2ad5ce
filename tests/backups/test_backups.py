"""Backups: written as a whole or not at all, refused when damaged, restored as a whole or not at all."""

import asyncio
import resource
import zipfile

import asyncpg
import msgspec
import pytest

from sightline.backups import queries
from sightline.backups.archive import DUMP, KEYS, MANIFEST
from sightline.backups.connection import open_connection
from sightline.backups.create import create_backup
from sightline.backups.models import BackupError
from sightline.backups.programs import find_programs, split_password
from sightline.backups.restore import complete_restore, restore_database
from sightline.backups.verify import verify_backup
from sightline.db.revision import newest_revision, read_revision
from tests.backups import conftest
from tests.databases import run_sql
from tests.db.test_stored_rows import read_old_rows
from tests.installation import START


async def read_counts(url):
    async with open_connection(url) as connection:
        return await queries.count_rows(connection)


def rewrite(path, target, **changes):
    """Copy a backup with other contents of some of its parts."""
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as copy:
        for name in (DUMP, MANIFEST, KEYS):
            change = changes.get(name.partition(".")[0])
            copy.writestr(name, change(source.read(name)) if change else source.read(name))
    return target


def with_members(**members):
    return lambda document: msgspec.json.encode(msgspec.json.decode(document) | members)


async def test_a_restored_database_has_every_row_and_is_refused_a_second_time(backup, source_url, empty_url):
    path, written = backup
    assert written.keys == conftest.KEYS
    await restore_database(empty_url, path, replace=False)
    assert await read_counts(empty_url) == await read_counts(source_url) == written.manifest.tables
    assert written.manifest.tables["public.workspaces"] == 1
    with pytest.raises(BackupError, match="not empty"):
        await restore_database(empty_url, path, replace=False)
    # Tables that the backup does not have are gone, too, once the contents are replaced.
    connection = await asyncpg.connect(empty_url)
    await connection.execute("CREATE TABLE extra (id int); DELETE FROM workspaces")
    with pytest.raises(BackupError, match="Other programs use the database"):
        await restore_database(empty_url, path, replace=True, patience=0)
    # A restore waits for a program that is about to end.
    restoring = asyncio.create_task(restore_database(empty_url, path, replace=True))
    await asyncio.sleep(0.5)
    assert not restoring.done()
    await connection.close()
    await restoring
    assert await read_counts(empty_url) == written.manifest.tables


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"database": lambda dump: dump[:-100] + bytes(100)}, "damaged|failed"),
        ({"manifest": with_members(tables={"public.workspaces": 2})}, "1 rows instead of 2"),
    ],
    ids=["damaged", "rows"],
)
async def test_a_backup_that_turns_out_to_be_damaged_leaves_the_database_empty(
    backup, empty_url, tmp_path, changes, message
):
    changed = rewrite(backup[0], tmp_path / "changed.backup", **changes)
    with pytest.raises(BackupError, match=message):
        await restore_database(empty_url, changed, replace=False)
    assert await read_counts(empty_url) == {}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (with_members(revision="9999"), "knows"),
        (with_members(revision="0046"), "First migrate it with commit"),
        (with_members(format=2), "format 2"),
        (with_members(tables={"x'; DROP": 2}), "cannot exist"),
        (lambda _: b"{", "cannot be read"),
    ],
    ids=["newer", "older", "format", "names", "json"],
)
async def test_a_backup_that_is_unknown_is_refused_before_anything_happens(backup, tmp_path, change, message):
    changed = rewrite(backup[0], tmp_path / "changed.backup", manifest=change)
    with pytest.raises(BackupError, match=message):
        await restore_database("postgresql://nobody@127.0.0.1:1/none", changed, replace=False)


async def test_verifying_finds_any_change_and_says_what_it_could_not_check(backup, tmp_path):
    path, written = backup
    assert (await verify_backup(path, None)).keys is None
    for number in (3, path.stat().st_size // 2):
        damaged = bytearray(path.read_bytes())
        damaged[number] ^= 1
        (tmp_path / "damaged.backup").write_bytes(damaged)
        with pytest.raises(BackupError):
            await verify_backup(tmp_path / "damaged.backup", None)
    forged = rewrite(path, tmp_path / "forged.backup", manifest=with_members(sightline_version="9"))
    with pytest.raises(BackupError, match="was changed"):
        await verify_backup(forged, conftest.PASSPHRASE)
    (tmp_path / "other.backup").write_text("no zip file")
    with pytest.raises(BackupError, match="is not a backup"):
        await verify_backup(tmp_path / "other.backup", None)
    assert written.manifest.revision == newest_revision()


async def test_a_backup_that_cannot_be_written_leaves_nothing_behind(source_url, tmp_path):
    path = tmp_path / "acme.backup"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))  # the disk refuses to write on, as a full one does
    try:
        with pytest.raises(BackupError, match="cannot be written: File too large"):
            await create_backup(source_url, path, conftest.KEYS, conftest.PASSPHRASE, now=START)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []
    path.write_text("precious")
    with pytest.raises(BackupError, match="already exists"):
        await create_backup(source_url, path, conftest.KEYS, conftest.PASSPHRASE, now=START)
    assert path.read_text() == "precious"


@pytest.mark.slow
async def test_an_older_schema_is_migrated(empty_url, tmp_path):
    await run_sql(empty_url, read_old_rows())
    path = tmp_path / "older.backup"
    written = await create_backup(empty_url, path, conftest.KEYS, conftest.PASSPHRASE, now=START)
    assert written.manifest.revision == "0047"
    await restore_database(empty_url, path, replace=True)
    await complete_restore(empty_url)
    async with open_connection(empty_url) as connection:
        assert await read_revision(connection) == newest_revision()


def test_programs_older_than_the_server_are_refused():
    with pytest.raises(BackupError, match="PostgreSQL 99 or newer are needed"):
        find_programs(99)


@pytest.mark.parametrize(
    ("url", "address", "password"),
    [
        ("postgresql://me:s%40t@db.acme.com/x", "postgresql://me@db.acme.com/x", "s@t"),
        (
            "postgresql://me@a:1,b:2/x?password=p&sslmode=require",
            "postgresql://me@a:1,b:2/x?sslmode=require&target_session_attrs=read-write&connect_timeout=5",
            "p",
        ),
        ("postgresql:///x", "postgresql:///x", None),
        ("postgresql://me@/x?host=/run/pg&port=5432", "postgresql://me@/x?host=%2Frun%2Fpg&port=5432", None),
    ],
)
def test_a_password_is_on_no_command_line(monkeypatch, url, address, password):
    monkeypatch.setenv("PGSSLROOTCERT", "/ca.pem")
    monkeypatch.setenv("SIGHTLINE_SECRET_KEY", "s" * 40)
    monkeypatch.delenv("PGPASSWORD", raising=False)
    shown, environment = split_password(url)
    assert (shown, environment.get("PGPASSWORD")) == (address, password)
    assert environment["PGSSLROOTCERT"] == "/ca.pem"
    assert "SIGHTLINE_SECRET_KEY" not in environment
