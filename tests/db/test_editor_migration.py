"""Migration 0054: costs that the commit before stored stay, and what its judge found is emptied, not dropped."""

import uuid
from importlib import import_module

from sightline.platforms.costs.read import CostPeriod, read_costs
from tests.scan_history import ScanHistory


async def test_rows_of_the_commit_before_are_read_and_its_processes_can_still_write(installation):
    history, db = await ScanHistory.open(installation, "best anvil"), installation.db
    statements = import_module("sightline.db.migrations.versions.0054_editor").STATEMENTS
    for table in ("editor_replies", "editions", "codebook_themes", "dismissed_recommendations"):
        await db.execute(f"DROP TABLE {table}")
    await db.execute("ALTER TABLE workspaces DROP COLUMN editor_declined")
    await db.execute("ALTER TABLE platform_costs DROP COLUMN editor_calls, DROP COLUMN editor_cost_usd")
    today = installation.clock().date()
    await db.execute(
        """INSERT INTO platform_costs (workspace_id, day, domain_id, platform, calls, failed_calls, priced_calls,
                                       cost_usd)
           VALUES ($1, $2, $3, 'chatgpt', 5, 0, 5, 0.5)""",
        history.workspace_id,
        today,
        history.domain_id,
    )
    judged = """INSERT INTO judged_answers (workspace_id, domain_id, answer_id, scan_id, aspects)
                VALUES ($1, $2, $3, $4, '{}')"""
    ids = (history.workspace_id, history.domain_id, uuid.uuid4(), uuid.uuid4())
    await db.execute(judged, *ids)
    await db.execute(statements)
    (row,) = await read_costs(db, history.workspace_id, CostPeriod(today, today))
    assert (row.calls, float(row.cost_usd), row.editor_calls, row.editor_cost_usd) == (5, 0.5, 0, None)
    assert await db.fetchval("SELECT count(*) FROM judged_answers") == 0
    await db.execute(judged, *ids)  # a process of the version before, during the upgrade
    assert await db.fetchval("SELECT editor_declined FROM workspaces WHERE id = $1", history.workspace_id) is False
