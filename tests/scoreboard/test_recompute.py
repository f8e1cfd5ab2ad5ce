"""Adding an alias or a competitor analyzes stored answers again as a job, and updates history."""

import msgspec
import pytest

from sightline.competitors.review import add_competitor
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.scoreboard.recompute.run import request_outdated_any_workspace
from tests.running_worker import until, working
from tests.tracked_domains import Tracker


async def recomputed(installation):
    """Return all recomputations as soon as they are done."""

    async def look():
        rows = await installation.db.fetch(
            "SELECT status, scans_total, scans_done FROM recomputations ORDER BY created_at"
        )
        return rows if rows and all(row["status"] == "done" for row in rows) else None

    return await until(look, seconds=60)


@pytest.fixture
async def tracker(installation):
    async with Tracker.open(installation) as tracker:
        yield tracker


async def test_a_new_competitor_is_searched_in_stored_answers_and_changes_market_position(installation, tracker):
    made = await tracker.track(competitors=())
    path = f"/domains/{made.domain.id}/analytics"
    async with working(installation, sandbox_latency_ms=0):
        before = await tracker.wait_for_board(made.domain.id, made.first_check.id)
        assert before["headline"]["market_position"]["value"] is None
        rival = await _find_untracked_name(tracker, made.first_check.id)
        async with installation.db.transaction() as tx:
            await add_competitor(
                tx, tracker.workspace_id, made.domain.id, "rival-of-acme.com", [rival], now=installation.clock()
            )
        rows = await recomputed(installation)
        after = await tracker.read(path)  # it is done only when the board is new
    assert [tuple(row) for row in rows] == [("done", 1, 1)]
    assert {row["name"] for row in after["competitors"]} == {after["competitors"][0]["name"], rival} | {
        row["name"] for row in after["competitors"] if row["is_own"]
    }
    assert after["headline"]["market_position"]["denominator"] == 2
    assert after["headline"]["visibility_score"] == before["headline"]["visibility_score"]
    past = await tracker.read(path, params={"scan_id": str(made.first_check.id)})
    assert past["competitors"] == after["competitors"]
    assert (past["metrics_version"], past["extractor_version"]) == (
        before["metrics_version"],
        before["extractor_version"],
    )


async def test_results_of_an_older_version_are_recomputed_by_the_next_worker(installation, tracker):
    made = await tracker.track(competitors=())
    async with working(installation, sandbox_latency_ms=0):
        await tracker.wait_for_board(made.domain.id, made.first_check.id)
    read_versions = "SELECT DISTINCT metrics_version, extractor_version FROM scan_results"
    current = await installation.db.fetch(read_versions)
    await installation.db.execute("UPDATE scan_results SET extractor_version = 'older'")
    assert await request_outdated_any_workspace(installation.db, now=installation.clock()) == 1
    assert await request_outdated_any_workspace(installation.db, now=installation.clock()) == 0, "it waits already"
    async with working(installation, sandbox_latency_ms=0):
        rows = await recomputed(installation)
    assert [tuple(row) for row in rows] == [("done", 1, 1)]
    assert await installation.db.fetch(read_versions) == current
    assert await request_outdated_any_workspace(installation.db, now=installation.clock()) == 0


async def test_an_alias_that_answers_use_counts_in_past_checks_too(installation, tracker):
    made = await tracker.track(brand_name="Nobody Uses This Name", competitors=())
    path = f"/domains/{made.domain.id}/analytics"
    async with working(installation, sandbox_latency_ms=0):
        await tracker.wait_for_board(made.domain.id, made.first_check.id)
        async with installation.db.transaction() as tx:
            changes = BrandChanges(aliases=[await _find_untracked_name(tracker, made.first_check.id)])
            await change_tracked_domain(tx, tracker.workspace_id, made.domain.id, changes, now=installation.clock())
        before = await tracker.read(path)
        await recomputed(installation)

        async def more():
            now = await tracker.read(path)
            return now if now["headline"]["ai_mentions"]["value"] > before["headline"]["ai_mentions"]["value"] else None

        after = await until(more)
    checks = await tracker.read(f"/domains/{made.domain.id}/scans")
    assert checks[0]["ai_mentions"] == after["headline"]["ai_mentions"]["value"]
    assert after["trend"][0]["ai_mentions"]["value"] == checks[0]["ai_mentions"]
    prompt = (await tracker.read(f"/domains/{made.domain.id}/prompts"))[0]
    assert prompt["last_scanned_at"] is not None


async def test_a_change_while_the_first_check_runs_reaches_it_when_it_has_completed(installation, tracker):
    made = await tracker.track(competitors=())
    async with installation.db.transaction() as tx:  # the check has frozen the names that it is read for
        await add_competitor(
            tx, tracker.workspace_id, made.domain.id, "globex.com", ["Globex"], now=installation.clock()
        )
    async with working(installation, sandbox_latency_ms=0):
        await tracker.wait_for_board(made.domain.id, made.first_check.id)
        await recomputed(installation)
        board = await until(lambda: _ranked(tracker, f"/domains/{made.domain.id}/analytics"))
    assert board["headline"]["market_position"]["denominator"] == 2


async def _ranked(tracker, path):
    board = await tracker.read(path)
    return board if board["competitors"] else None


async def _find_untracked_name(tracker, scan_id) -> str:
    """Find a brand that answers of the scan name and that is not tracked."""
    answers = await tracker.read(f"/scans/{scan_id}/answers")
    names: dict[str, int] = {}
    for answer in answers:
        for candidate in answer["candidates"]:
            names[candidate["name"]] = names.get(candidate["name"], 0) + 1
    assert names, msgspec.json.encode(answers[:1])
    return max(names, key=lambda name: names[name])
