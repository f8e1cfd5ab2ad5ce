"""Migrations of imported weeks and platform tasks: they only add tables, so rows of the commit before stay."""

from importlib import import_module

from sightline.scans.queries import find_scan
from tests.scan_history import ScanHistory

_VERSIONS = "sightline.db.migrations.versions"


async def test_rows_of_the_commit_before_are_kept_and_the_tables_are_added(installation):
    history, db = await ScanHistory.open(installation, "best anvil"), installation.db
    scan_id = await history.store_scan("full_check", lambda *_: "Acme is the best anvil for a forge.")
    await db.execute("DROP TABLE imported_weeks, platform_tasks")
    before = await find_scan(db, history.workspace_id, scan_id)
    for name in ("0061_imported_weeks", "0062_platform_tasks"):
        await db.execute(import_module(f"{_VERSIONS}.{name}").STATEMENTS)
    assert await find_scan(db, history.workspace_id, scan_id) == before
    assert await db.fetch("SELECT FROM imported_weeks") == await db.fetch("SELECT FROM platform_tasks") == []
