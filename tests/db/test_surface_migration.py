"""Migration of surfaces: prices, limits and checks of the commit before stay, and its processes can still write."""

from importlib import import_module

from sightline.platforms.connections.save import list_options
from sightline.scans.queries import find_scan
from tests.scan_history import ScanHistory


async def test_rows_of_the_commit_before_are_read_and_its_processes_can_still_write(installation):
    history, db = await ScanHistory.open(installation, "best anvil"), installation.db
    scan_id = await history.store_scan("full_check", lambda *_: "Acme is the best anvil for a forge.")
    statements = import_module("sightline.db.migrations.versions.0056_surfaces").STATEMENTS
    await db.execute("ALTER TABLE platform_options DROP COLUMN surface")
    await db.execute("ALTER TABLE scans DROP COLUMN surfaces")
    insert = "INSERT INTO platform_options (platform, prices, monthly_limit_usd, saved_at) VALUES ($1, NULL, 20, now())"
    await db.execute(insert, "chatgpt")
    await db.execute(statements)
    await db.execute(insert, "gemini")
    saved = await list_options(db)
    assert {key: (each.monthly_limit_usd, each.surface) for key, each in saved.items()} == {
        "chatgpt": (20, None), "gemini": (20, None),
    }  # fmt: skip
    assert (await find_scan(db, history.workspace_id, scan_id)).surfaces is None
