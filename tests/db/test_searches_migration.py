"""Migration 0034: the answers of the commit before get their searches, models and latencies."""

from importlib import import_module

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.metrics.registry import METRICS_VERSION
from sightline.scans.queries import find_scan
from sightline.scoreboard.apply_scan import record_scan
from sightline.scoreboard.recompute.outdated import request_outdated_any_workspace
from tests.scan_history import UNCITED, ScanHistory, ScriptedAnswer


async def test_answers_of_the_commit_before_get_their_searches(installation):
    history = await ScanHistory.open(installation, "which anvil is good")
    scan_id = await history.run_full_check(lambda *_: ScriptedAnswer("Acme is good.", queries=("anvil  reviews",)))
    db = installation.db
    await db.execute(  # as the commit before wrote them
        """UPDATE answer_facts SET latency_ms = NULL, labels = ARRAY(
               SELECT label FROM unnest(labels) AS label WHERE label !~ '^(search|model|fault):')"""
    )
    await db.execute(
        "UPDATE scan_results SET metrics_version = $1, extractor_version = $2", METRICS_VERSION, EXTRACTOR_VERSION
    )
    assert await request_outdated_any_workspace(db, now=installation.clock()) == 0
    migration = import_module("sightline.db.migrations.versions.0034_searches")
    await db.execute(migration.STATEMENTS.rpartition(";")[2])
    assert await request_outdated_any_workspace(db, now=installation.clock()) == 1
    scan = await find_scan(db, history.workspace_id, scan_id)
    for _ in range(2):  # repeating it changes nothing
        await record_scan(db, scan, uncited=UNCITED, plans=installation.app_context.plans, rebuild=False)
        row = await db.fetchrow("SELECT labels, latency_ms FROM answer_facts WHERE platform = 'chatgpt'")
        assert {"search:anvil reviews", "model:m-1"} <= set(row["labels"]) and row["latency_ms"] == 900
