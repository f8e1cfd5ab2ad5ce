"""Migration 0031: stored answers get the order of brands, and are read for the names in competitors' domains."""

from importlib import import_module

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.answers.models import Brand
from sightline.competitors.review import add_competitor
from sightline.metrics.registry import METRICS_VERSION
from sightline.scoreboard.recompute.outdated import request_outdated_any_workspace
from tests.running_worker import until, working
from tests.scan_history import ScanHistory

LABELS = "SELECT labels FROM answer_facts WHERE platform = 'chatgpt'"


async def test_answers_of_the_commit_before_are_read_for_the_name_in_a_domain(installation):
    history = await ScanHistory.open(installation, "which board is good")
    history.competitors = (Brand("trello.com", (), ("trello.com",)),)  # as the commit before measured it
    await history.run_full_check(lambda *_: "1. Trello\n2. Acme")
    async with installation.db.transaction() as tx:
        await add_competitor(tx, history.workspace_id, history.domain_id, "trello.com", now=installation.clock())
    await installation.db.execute(
        "UPDATE scan_results SET metrics_version = $1, extractor_version = $2", METRICS_VERSION, EXTRACTOR_VERSION
    )
    await installation.db.execute("DELETE FROM recomputations")
    await installation.db.execute("DELETE FROM jobs")
    assert await request_outdated_any_workspace(installation.db, now=installation.clock()) == 0
    migration = import_module("sightline.db.migrations.versions.0031_site_decisions")
    await installation.db.execute(migration.STATEMENTS.rpartition(";")[2])
    assert await request_outdated_any_workspace(installation.db, now=installation.clock()) == 1

    async def is_found() -> bool:
        return "behind:trello.com" in await installation.db.fetchval(LABELS)

    async with working(installation):
        await until(is_found, seconds=60)
    assert await installation.db.fetchval("SELECT display_name FROM competitors") is None
