"""Migration 0055: costs that the commit before stored say what answers cost, and its processes can still write."""

from importlib import import_module

from sightline.platforms.costs.queries import list_usual_answers_any_workspace
from tests.scan_history import ScanHistory


async def test_rows_of_the_commit_before_say_what_an_answer_cost_and_its_processes_can_still_write(installation):
    history, db = await ScanHistory.open(installation, "best anvil"), installation.db
    await db.execute("ALTER TABLE platform_costs DROP COLUMN answers, DROP COLUMN priced_answers")
    await db.execute("ALTER TABLE platform_options DROP COLUMN announced_on, DROP COLUMN announced_limit_usd")
    insert = """INSERT INTO platform_costs (workspace_id, day, domain_id, platform, calls, failed_calls, priced_calls,
                                            input_tokens, cost_usd, editor_calls, editor_cost_usd)
                VALUES ($1, $2, $3, $4, 10, 2, 7, 8000, 3.5, 3, 1.5)"""
    today = installation.clock().date()
    await db.execute(insert, history.workspace_id, today, history.domain_id, "chatgpt")
    await db.execute(import_module("sightline.db.migrations.versions.0055_cost_forecast").STATEMENTS)
    (usual,) = await list_usual_answers_any_workspace(db, since=today)
    assert (usual.platform, usual.cost_usd, usual.input_tokens) == ("chatgpt", 2.0 / 4, 8000 / 5)
    await db.execute(insert, history.workspace_id, today, history.domain_id, "grok")  # a process of the version before
    assert [each.platform for each in await list_usual_answers_any_workspace(db, since=today)] == ["chatgpt"]
