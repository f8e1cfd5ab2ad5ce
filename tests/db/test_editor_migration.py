"""Migration 0054: costs that the commit before stored stay."""

from importlib import import_module

from sightline.platforms.costs.read import CostPeriod, read_costs
from tests.scan_history import ScanHistory


async def test_rows_of_the_commit_before_are_read(installation):
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
    await db.execute("CREATE TABLE judged_answers ()")  # which 0072 drops
    await db.execute(statements)
    (row,) = await read_costs(db, history.workspace_id, CostPeriod(today, today))
    assert (row.calls, float(row.cost_usd), row.editor_calls, row.editor_cost_usd) == (5, 0.5, 0, None)
    assert await db.fetchval("SELECT editor_declined FROM workspaces WHERE id = $1", history.workspace_id) is False
