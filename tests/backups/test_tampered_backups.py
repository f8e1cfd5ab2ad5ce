"""Backups that were damaged or forged: whatever is in the file, a restore that fails leaves the database as it was."""

import hashlib
import subprocess
from urllib.parse import urlsplit

import msgspec
import pytest

from sightline.backups import queries, restore
from sightline.backups.archive import open_archive
from sightline.backups.connection import open_connection
from sightline.backups.models import BackupError
from sightline.backups.programs import find_programs, split_password
from sightline.backups.restore import require_unprivileged_role, restore_database
from tests.backups import conftest
from tests.backups.test_backups import rewrite
from tests.databases import run_sql
from tests.process.serving.processes import SIGHTLINE, environment

NOWHERE = "postgresql://nobody@127.0.0.1:1/none"
RUIN = "DROP TABLE IF EXISTS public.precious;"


@pytest.fixture
async def precious_url(empty_url, backup):
    """Return a database with data that the backup does not have."""
    await restore_database(empty_url, backup[0], replace=False)
    await run_sql(empty_url, "CREATE TABLE precious (id int); INSERT INTO precious VALUES (1); DELETE FROM workspaces")
    return empty_url


async def read_everything(url):
    """Return the number of rows of each table, and the objects of the schema with their ids: no restore keeps them."""
    async with open_connection(url) as connection:
        objects = await connection.fetch("SELECT oid, relname FROM pg_class WHERE oid >= 16384 ORDER BY oid")
        return await queries.count_rows(connection), [tuple(row) for row in objects]


def with_checksum(path, target, dump):
    """Write a backup with another dump, and the checksum of that dump in the manifest."""
    described = {"dump_bytes": len(dump), "dump_sha256": hashlib.sha256(dump).hexdigest()}
    return rewrite(
        path,
        target,
        database=lambda _: dump,
        manifest=lambda document: msgspec.json.encode(msgspec.json.decode(document) | described),
    )


def replace_text(dump, start, end, text):
    """Replace a part of a dump with a text of the same length."""
    assert len(text) <= end - start
    return dump[:start] + text.ljust(end - start) + dump[end:]


def replace_statement(dump, opening, text):
    """Replace a statement in the table of contents of a dump."""
    start = dump.index(opening)
    return replace_text(dump, start, dump.index(b";\n", start), text)


def read_dump(path):
    with open_archive(path) as archive:
        return b"".join(archive.read_dump())


def spread(first, last, count):
    """Return positions from the first to the last one, evenly spread."""
    return [first + (last - first) * number // (count - 1) for number in range(count)]


async def test_a_file_that_ends_early_or_has_a_wrong_byte_is_refused_before_the_database_is_reached(backup, tmp_path):
    content, damaged = backup[0].read_bytes(), tmp_path / "damaged.backup"
    dump = read_dump(backup[0])
    first = content.index(dump)
    flipped = [
        content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]
        for place in spread(first, first + len(dump) - 1, 25)
    ]
    for broken in flipped + [content[:length] for length in spread(0, len(content) - 1, 25)]:
        damaged.write_bytes(broken)
        with pytest.raises(BackupError) as refused:
            await restore_database(NOWHERE, damaged, replace=True)
        assert "reached" not in str(refused.value)


async def test_a_file_that_changes_after_it_was_verified_changes_nothing(backup, precious_url, tmp_path):
    before, dump = await read_everything(precious_url), read_dump(backup[0])
    end = dump.index(b"CREATE TABLE public.workspaces")  # from here on, pg_restore can read something
    for place in spread(end, len(dump) - 1, 6):
        for broken in (dump[:place], dump[:place] + bytes([dump[place] ^ 1]) + dump[place + 1 :]):
            changed = rewrite(backup[0], tmp_path / "changed.backup", database=lambda _, broken=broken: broken)
            with open_archive(changed) as archive, pytest.raises(BackupError):
                await restore.fill_database(precious_url, archive, replace=True, server_major=18)
            assert await read_everything(precious_url) == before


FORGED = [
    f"COMMIT; {RUIN}",
    f"END; {RUIN}",
    f"ROLLBACK; {RUIN}",
    f"ABORT AND CHAIN; {RUIN}",
    f"PREPARE TRANSACTION 'mine'; {RUIN}",
    f"ROLLBACK AND CHAIN; SAVEPOINT a; RELEASE a; COMMIT; {RUIN}",
    f"DO $$ BEGIN COMMIT; END $$; {RUIN}",
    f"DO $$ BEGIN EXECUTE 'COMMIT'; END $$; {RUIN}",
    f"CREATE PROCEDURE p() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'; CALL p(); {RUIN}",
    f"'; COMMIT; {RUIN} --",
    f"$$; COMMIT; {RUIN} --",
    f"\\restrict x\nCOMMIT; {RUIN}",
    f"\\.\nCOMMIT; {RUIN}",
    f"SELECT 1; \\unrestrict x\nCOMMIT; {RUIN}",
    f"COPY public.precious (id) FROM stdin;\n1\n\\.\nCOMMIT; {RUIN}",
    "\\! touch {file}",
    "\\connect template1\nCREATE TABLE forged (id int)",
    "\\o {file}\nSELECT 1; SELECT 1/0",
    "\\copy (SELECT 1) TO PROGRAM 'touch {file}'",
]
"""What replaces a statement of a dump. `{file}` is a path at which nothing may appear."""


async def test_sql_in_a_forged_dump_cannot_end_the_transaction(backup, precious_url, tmp_path):
    before, file, dump = await read_everything(precious_url), tmp_path / "written", read_dump(backup[0])
    for sql in FORGED:
        text = sql.replace("{file}", str(file)).encode()
        changed = replace_statement(dump, b"CREATE TABLE public.workspaces (", text)
        forged = with_checksum(backup[0], tmp_path / "forged.backup", changed)
        with pytest.raises(BackupError):
            await restore_database(precious_url, forged, replace=True)
        assert await read_everything(precious_url) == before, sql
        assert not file.exists(), sql


async def test_rows_in_a_forged_dump_cannot_end_the_transaction(backup, source_url, precious_url, tmp_path):
    marker = "x" * 200
    await run_sql(source_url, f"CREATE TABLE marked (text text); INSERT INTO marked VALUES ('{marker}')")
    address, environment = split_password(source_url)
    command = (find_programs(18).command("pg_dump"), "--format=custom", "--compress=0", "--no-owner", address)
    dump = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
    await run_sql(source_url, "DROP TABLE marked")
    before, start = await read_everything(precious_url), dump.index(marker.encode())
    for rows in (f"\n\\.\nCOMMIT; {RUIN} --", f"\n\\.\n\\! touch {tmp_path}/written\n--"):
        changed = replace_text(dump, start, start + len(marker), rows.encode())
        forged = with_checksum(backup[0], tmp_path / "forged.backup", changed)
        with pytest.raises(BackupError):
            await restore_database(precious_url, forged, replace=True)
        assert await read_everything(precious_url) == before
    assert not (tmp_path / "written").exists()


@pytest.mark.slow
async def test_a_restore_that_is_killed_before_its_commit_changes_nothing_and_can_be_repeated(
    backup, precious_url, tmp_path
):
    (tmp_path / "passphrase").write_text(conftest.PASSPHRASE)
    command = (*SIGHTLINE, "restore", str(backup[0]), "--replace")
    settings = environment(
        database_url=precious_url,
        data_dir=tmp_path / "data",
        secret_key=conftest.KEYS.secret_key,
        backup_passphrase_file=tmp_path / "passphrase",
    )
    before = await read_everything(precious_url)
    killed = subprocess.run(command, env=settings | {"SIGHTLINE_TEST_CRASH_AT": "before_restore_commit"}, check=False)
    assert killed.returncode == 137
    assert await read_everything(precious_url) == before
    subprocess.run(command, env=settings, check=True)
    counts, _ = await read_everything(precious_url)
    assert counts == backup[1].manifest.tables


@pytest.fixture
async def restricted_url(server_url, empty_url):
    """Return the address of an empty database for a session whose role owns it and is no superuser."""
    name = urlsplit(empty_url).path[1:]
    await run_sql(server_url, f'CREATE ROLE "{name}"; GRANT "{name}" TO CURRENT_USER')
    await run_sql(server_url, f'ALTER DATABASE "{name}" OWNER TO "{name}"')
    yield f"{empty_url}{'&' if urlsplit(empty_url).query else '?'}role={name}"
    await run_sql(empty_url, f'REASSIGN OWNED BY "{name}" TO CURRENT_USER; DROP ROLE "{name}"')


async def test_sql_that_no_passphrase_verifies_runs_with_a_role_that_can_run_no_programs(
    backup, empty_url, restricted_url, tmp_path
):
    async with open_connection(empty_url) as connection:
        if await queries.may_run_programs(connection):
            with pytest.raises(BackupError, match="may run programs"):
                await require_unprivileged_role(empty_url)
    await require_unprivileged_role(restricted_url)
    for sql in ("COPY (SELECT 1) TO PROGRAM 'touch {file}'", "COPY (SELECT 1) TO '{file}'"):
        text = sql.replace("{file}", str(tmp_path / "written")).encode()
        dump = replace_statement(read_dump(backup[0]), b"CREATE TABLE public.workspaces (", text)
        with pytest.raises(BackupError, match="permission denied"):
            await restore_database(
                restricted_url, with_checksum(backup[0], tmp_path / "forged.backup", dump), replace=False
            )
    assert not (tmp_path / "written").exists()
    await restore_database(restricted_url, backup[0], replace=False)
