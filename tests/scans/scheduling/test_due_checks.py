"""Starting what is due, in one process: what a check asks, when it waits, and what a plan changes."""

import pytest

from sightline.plans.table import Plan
from sightline.platforms.pauses import pause_platform
from sightline.scans.states import Priority
from tests.scans.scheduling.world import ANCHOR, DAY, on

FULL, DAILY = "full_check", "daily_check"
_BREAK = """
CREATE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''a fault of ours''; END';
CREATE TRIGGER broken BEFORE INSERT ON scans FOR EACH ROW WHEN (NEW.domain = 'broken.com') EXECUTE FUNCTION break_it();
"""


async def test_a_check_starts_at_its_minute_and_not_before(world):
    domain = await world.domain(await world.workspace(), "best crm")
    world.installation.clock.now = on(1) - (DAY / 86_400)
    assert await world.tick() == 0
    world.installation.clock.now = on(1)
    assert await world.tick() == 1
    assert await world.started(domain) == [(DAILY, on(1))]
    assert await world.next_check(domain) == (DAILY, on(2))


async def test_a_started_check_is_a_scan_that_the_engine_can_run(world):
    workspace_id = await world.workspace(Plan.PROFESSIONAL)
    domain = await world.domain(workspace_id)
    prompt_id = await world.prompt(domain, "best crm")
    await world.db.execute(
        """INSERT INTO competitors (workspace_id, id, domain_id, competitor_domain, names, discovery_source, status,
                                    discovered_at, last_updated)
           VALUES ($1, gen_random_uuid(), $2, 'globex.com', '{Globex}', 'added_by_you', 'confirmed', $3, $3),
                  ($1, gen_random_uuid(), $2, 'initech.com', '{Initech}', 'detected', 'suggested', $3, $3)""",
        workspace_id,
        domain.id,
        ANCHOR,
    )
    await world.walk([7], end=False)
    scan = await world.latest(domain)
    assert scan["measurement_scope"] == FULL
    assert (scan["status"], scan["priority"], scan["credits_charged"]) == ("pending", Priority.FULL, 0)
    assert (scan["livemode"], scan["answers_source"], scan["domain"]) == (True, "sandbox", "acme.com")
    plan = ["chatgpt", "gemini", "perplexity", "google_ai_overviews", "claude", "copilot"]
    assert (scan["selected_platforms"], scan["answers_total"]) == (plan, 6)
    assert str(prompt_id) in scan["prompts"]
    assert "Globex" in scan["brand"] and "Initech" not in scan["brand"]  # only confirmed competitors are measured
    key = await world.db.fetchval("SELECT dedupe_key FROM jobs.pgqueuer WHERE entrypoint = 'scan.start'")
    assert key == f"start:{scan['id']}"
    record = await world.db.fetchrow("SELECT platforms, scan_count, last_scan_at FROM domains")
    assert tuple(record) == (plan, 1, on(7))


async def test_a_daily_check_goes_behind_a_full_check(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.walk([1], end=False)
    assert (await world.latest(domain))["priority"] == Priority.DAILY < Priority.FULL < Priority.FIRST


async def test_a_check_missed_while_the_service_was_down_runs_once_on_return_never_twice(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.walk([1])
    await world.walk([5], hours=3)
    await world.walk([5], hours=4)
    await world.walk([6])
    assert await world.started(domain) == [(DAILY, on(1)), (DAILY, on(5) + DAY / 8), (DAILY, on(6))]


async def test_a_full_check_among_the_missed_is_what_runs(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.walk([9], hours=1)
    await world.walk([10])
    assert [scope for scope, _ in await world.started(domain)] == [FULL, DAILY]


async def test_a_due_check_waits_for_the_active_scan_of_its_domain_and_runs_once_afterwards(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.walk([6], end=False)
    await world.walk([7, 8], end=False)  # a long one
    assert await world.started(domain) == [(DAILY, on(6))]
    await world.end_scans()
    await world.tick()
    await world.end_scans()
    await world.tick()
    assert await world.started(domain) == [(DAILY, on(6)), (FULL, on(8))]
    assert await world.next_check(domain) == (DAILY, on(9))


async def test_without_prompts_there_is_no_check_and_the_grid_moves_on(world):
    domain = await world.domain(await world.workspace())
    await world.walk([1])
    assert await world.started(domain) == []
    assert await world.next_check(domain) == (DAILY, on(2))


async def test_a_paused_platform_is_left_out_and_with_none_left_the_grid_moves_on(world):
    domain = await world.domain(await world.workspace(), "best crm")
    async with world.db.transaction() as tx:
        await pause_platform(tx, "gemini", now=world.now)
    await world.walk([1])
    assert (await world.latest(domain))["selected_platforms"] == ["chatgpt", "perplexity", "google_ai_overviews"]
    kept = await world.db.fetchval("SELECT platforms FROM domains")
    assert kept == ["chatgpt", "gemini", "perplexity", "google_ai_overviews"]  # the plan's, paused or not
    async with world.db.transaction() as tx:
        for key in ("chatgpt", "perplexity", "google_ai_overviews"):
            await pause_platform(tx, key, now=world.now)
    await world.walk([2])
    assert len(await world.started(domain)) == 1
    assert await world.next_check(domain) == (DAILY, on(3))


async def test_one_domain_that_cannot_be_started_does_not_keep_the_others_from_their_checks(world, monkeypatch):
    workspace_id = await world.workspace(Plan.AGENCY)
    broken = await world.domain(workspace_id, "best crm", name="broken.com")
    others = [await world.domain(workspace_id, "best crm", name=f"acme{i}.com") for i in range(3)]

    await world.db.execute(_BREAK)
    monkeypatch.setattr("sightline.scans.scheduling.due_checks._BATCH", 1)  # not even when it stands before all others
    await world.walk([1], end=False)
    assert [len(await world.started(domain)) for domain in others] == [1, 1, 1]
    assert await world.next_check(broken) == (DAILY, on(1))  # nothing of it was kept, so it is still due
    await world.db.execute("DROP TRIGGER broken ON scans")
    assert await world.tick() == 1


@pytest.mark.parametrize("status", ["setup", "removed"])
async def test_only_active_domains_are_checked(world, status):
    domain = await world.domain(await world.workspace(), "best crm")
    removed_at = ANCHOR if status == "removed" else None
    await world.db.execute("UPDATE domains SET status = $1, removed_at = $2", status, removed_at)
    await world.walk([1, 7])
    assert await world.started(domain) == []
