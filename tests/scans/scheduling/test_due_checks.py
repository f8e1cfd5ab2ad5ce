"""One scheduler starts due checks: what a check asks, when it waits, and when it is skipped."""

import pytest

from sightline.plans.table import Plan
from sightline.platforms.pauses import pause_platform
from sightline.scans.states import Priority
from tests.scans.scheduling.world import ANCHOR, DAY, on

FULL, DAILY = "full_check", "daily_check"
_BREAK = """
CREATE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''broken for the test''; END';
CREATE TRIGGER broken BEFORE INSERT ON scans FOR EACH ROW WHEN (NEW.domain = 'broken.com') EXECUTE FUNCTION break_it();
"""


async def test_a_check_starts_at_its_minute_and_not_before(world):
    domain = await world.domain(await world.workspace(), "best crm")
    world.installation.clock.now = on(1) - (DAY / 86_400)
    assert await world.tick() == 0
    world.installation.clock.now = on(1)
    assert await world.tick() == 1
    assert await world.started_checks(domain) == [(DAILY, on(1))]
    assert await world.next_check(domain) == (DAILY, on(2))


async def test_a_started_check_is_a_complete_scan_with_a_job(world):
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
    await world.tick_on([7], end=False)
    scan = await world.latest_scan(domain)
    assert scan["measurement_scope"] == FULL
    assert (scan["status"], scan["priority"], scan["credits_charged"]) == ("pending", Priority.FULL, 0)
    assert (scan["livemode"], scan["answers_source"], scan["domain"]) == (True, "sandbox", "acme.com")
    plan = ["chatgpt", "gemini", "perplexity", "google_ai_overviews", "claude", "copilot"]
    assert (scan["selected_platforms"], scan["answers_total"]) == (plan, 6)
    assert str(prompt_id) in scan["prompts"]
    assert "Globex" in scan["brand"] and "Initech" not in scan["brand"]  # only confirmed competitors are measured
    key = await world.db.fetchval("SELECT key FROM jobs WHERE kind = 'scan.start'")
    assert key == f"start:{scan['id']}"
    record = await world.db.fetchrow("SELECT platforms, scan_count, last_scan_at FROM domains")
    assert tuple(record) == (plan, 1, on(7))


async def test_a_process_that_has_not_noticed_the_end_of_the_sandbox_leaves_the_check_due(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.db.execute("UPDATE installation SET sandbox_ended_at = $1", ANCHOR)
    world.installation.clock.now = on(1)
    assert await world.tick() == 0
    assert await world.next_check(domain) == (DAILY, on(1))
    await world.db.execute("UPDATE installation SET sandbox_ended_at = NULL")
    assert await world.tick() == 1


async def test_a_daily_check_has_a_lower_priority_than_a_full_check(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.tick_on([1], end=False)
    assert (await world.latest_scan(domain))["priority"] == Priority.DAILY < Priority.FULL < Priority.FIRST


async def test_checks_missed_during_an_outage_run_once_afterwards(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.tick_on([1])
    await world.tick_on([5], hours=3)
    await world.tick_on([5], hours=4)
    await world.tick_on([6])
    assert await world.started_checks(domain) == [(DAILY, on(1)), (DAILY, on(5) + DAY / 8), (DAILY, on(6))]


async def test_a_missed_full_check_runs_instead_of_missed_daily_checks(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.tick_on([9], hours=1)
    await world.tick_on([10])
    assert [scope for scope, _ in await world.started_checks(domain)] == [FULL, DAILY]


async def test_a_due_check_waits_for_the_active_scan_of_its_domain_and_then_runs_once(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.tick_on([6], end=False)
    await world.tick_on([7, 8], end=False)  # the scan of day 6 is still running
    assert await world.started_checks(domain) == [(DAILY, on(6))]
    await world.end_scans()
    await world.tick()
    await world.end_scans()
    await world.tick()
    assert await world.started_checks(domain) == [(DAILY, on(6)), (FULL, on(8))]
    assert await world.next_check(domain) == (DAILY, on(9))


async def test_a_clock_that_jumped_ahead_and_back_leaves_no_domain_without_checks(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.tick_on([40])  # the clock is ahead: all that was due until then runs as one check
    assert await world.next_check(domain) == (DAILY, on(41))
    await world.tick_on([0], hours=1)
    assert await world.next_check(domain) == (DAILY, on(1))
    await world.tick_on([1, 7])
    assert [scope for scope, at in await world.started_checks(domain) if at < on(40)] == [DAILY, FULL]


async def test_a_domain_that_was_set_up_by_a_clock_ahead_gets_its_checks(world):
    domain = await world.domain(await world.workspace(), "best crm", anchor=on(40))
    await world.tick_on([0], hours=1)
    assert await world.next_check(domain) == (DAILY, on(1))
    await world.tick_on(range(1, 9))
    # The schedule of day 40 has Full Checks on the days 5, 12, 19 and so on.
    assert [scope for scope, _ in await world.started_checks(domain)] == [DAILY] * 4 + [FULL] + [DAILY] * 3


async def test_a_clock_that_is_a_little_behind_starts_no_check_twice(world):
    domain = await world.domain(await world.workspace(), "best crm")
    await world.tick_on([1])
    await world.tick_on([1], hours=-5 / 60)
    assert await world.next_check(domain) == (DAILY, on(2))
    assert len(await world.started_checks(domain)) == 1


async def test_a_domain_without_prompts_skips_its_check(world):
    domain = await world.domain(await world.workspace())
    await world.tick_on([1])
    assert await world.started_checks(domain) == []
    assert await world.next_check(domain) == (DAILY, on(2))


async def test_a_check_leaves_out_paused_platforms_and_is_skipped_if_all_are_paused(world):
    domain = await world.domain(await world.workspace(), "best crm")
    async with world.db.transaction() as tx:
        await pause_platform(tx, "gemini", now=world.now)
    await world.tick_on([1])
    assert (await world.latest_scan(domain))["selected_platforms"] == ["chatgpt", "perplexity", "google_ai_overviews"]
    kept = await world.db.fetchval("SELECT platforms FROM domains")
    assert kept == ["chatgpt", "gemini", "perplexity", "google_ai_overviews"]  # the plan's, paused or not
    async with world.db.transaction() as tx:
        for key in ("chatgpt", "perplexity", "google_ai_overviews"):
            await pause_platform(tx, key, now=world.now)
    await world.tick_on([2])
    assert len(await world.started_checks(domain)) == 1
    assert await world.next_check(domain) == (DAILY, on(3))


async def test_a_domain_whose_check_cannot_start_does_not_block_other_domains(world, monkeypatch):
    workspace_id = await world.workspace(Plan.AGENCY)
    broken = await world.domain(workspace_id, "best crm", name="broken.com")
    others = [await world.domain(workspace_id, "best crm", name=f"acme{i}.com") for i in range(3)]

    await world.db.execute(_BREAK)
    # The broken domain fills a whole batch.
    monkeypatch.setattr("sightline.scans.scheduling.due_checks.BATCH_SIZE", 1)
    await world.tick_on([1], end=False)
    assert [len(await world.started_checks(domain)) for domain in others] == [1, 1, 1]
    assert await world.next_check(broken) == (DAILY, on(1))  # nothing was committed, so it is still due
    await world.db.execute("DROP TRIGGER broken ON scans")
    assert await world.tick() == 1


@pytest.mark.parametrize("status", ["setup", "removed"])
async def test_only_active_domains_are_checked(world, status):
    domain = await world.domain(await world.workspace(), "best crm")
    removed_at = ANCHOR if status == "removed" else None
    await world.db.execute("UPDATE domains SET status = $1, removed_at = $2", status, removed_at)
    await world.tick_on([1, 7])
    assert await world.started_checks(domain) == []
