"""How the plan affects checks: trials, the Free plan, plan changes, and lower limits after a downgrade."""

from datetime import timedelta

from sightline.plans.table import Plan
from tests.scans.scheduling.world import ANCHOR, DAY, on

FULL, DAILY = "full_check", "daily_check"


async def plan_of(world, workspace_id):
    return await world.db.fetchval("SELECT plan FROM workspaces WHERE id = $1", workspace_id)


async def test_a_trial_has_both_kinds_of_checks_and_becomes_free_after_14_days(world):
    workspace_id = await world.workspace(Plan.TRIAL)
    domain = await world.domain(workspace_id, "best crm")
    await world.tick_on(range(1, 14))
    scopes = [scope for scope, _ in await world.started_checks(domain)]
    assert scopes == [*[DAILY] * 6, FULL, *[DAILY] * 6]
    assert await plan_of(world, workspace_id) == "trial"
    await world.tick_on(range(14, 30))  # the check of day 14 is due when the trial ends
    assert await plan_of(world, workspace_id) == "free"
    assert len(await world.started_checks(domain)) == 13
    assert await world.next_check(domain) == (None, None)


async def test_a_trial_ends_after_14_days_unless_the_workspace_has_paid(world):
    workspace_id = await world.workspace(Plan.TRIAL)
    world.installation.clock.advance(days=13)
    await world.set_plan(workspace_id, Plan.STARTER)
    world.installation.clock.advance(days=100)
    await world.tick()
    assert await plan_of(world, workspace_id) == "starter"
    await world.set_plan(workspace_id, Plan.TRIAL)  # set by the operator: a new trial of 14 days
    world.installation.clock.advance(days=13)
    await world.set_plan(workspace_id, Plan.TRIAL)  # setting it again does not extend it
    await world.tick()
    assert await plan_of(world, workspace_id) == "trial"
    world.installation.clock.advance(days=1)
    await world.tick()
    assert await plan_of(world, workspace_id) == "free"


async def test_the_free_plan_runs_no_checks(world):
    domain = await world.domain(await world.workspace(Plan.FREE), "best crm")
    await world.tick_on(range(1, 9))
    assert await world.started_checks(domain) == []
    assert await world.next_check(domain) == (None, None)


async def test_a_plan_change_takes_effect_at_the_next_due_time(world):
    workspace_id = await world.workspace(Plan.STARTER)
    domain = await world.domain(workspace_id, "best crm")
    await world.tick_on([1])
    await world.set_plan(workspace_id, Plan.FREE)
    assert await world.next_check(domain) == (DAILY, on(2))
    await world.tick_on([1], hours=1)
    await world.tick_on([2])
    assert await world.next_check(domain) == (None, None)
    await world.tick_on([9])
    await world.set_plan(workspace_id, Plan.PROFESSIONAL)
    await world.tick_on([9], hours=1)  # scheduled again, but nothing starts before the next due time
    assert await world.next_check(domain) == (DAILY, on(10))
    await world.tick_on(range(10, 15))
    assert await world.started_checks(domain) == [
        (DAILY, on(1)),
        *[(DAILY, on(day)) for day in range(10, 14)],
        (FULL, on(14)),
    ]
    assert len((await world.latest_scan(domain))["selected_platforms"]) == 6


async def test_a_check_uses_the_plan_at_the_time_it_starts(world):
    workspace_id = await world.workspace(Plan.AGENCY)
    domain = await world.domain(workspace_id, *(f"prompt {i}" for i in range(60)))
    world.installation.clock.now = on(7) - timedelta(seconds=1)
    await world.set_plan(workspace_id, Plan.TRIAL)
    await world.tick_on([7])
    scan = await world.latest_scan(domain)
    assert scan["selected_platforms"] == ["chatgpt", "gemini", "perplexity"]
    assert scan["answers_total"] == 25 * 3


async def test_over_the_prompt_limit_pinned_prompts_are_asked_then_the_oldest_of_the_workspace(world):
    workspace_id = await world.workspace(Plan.STARTER)
    first = await world.domain(workspace_id, *(f"first {i}" for i in range(30)), name="first.com")
    world.installation.clock.advance(seconds=1)
    second = await world.domain(workspace_id, *(f"second {i}" for i in range(30)), name="second.com", anchor=ANCHOR)
    await world.prompt(second, "pinned", pinned=True)
    await world.tick_on([7])
    assert len(await world.latest_prompts(first)) == 30
    assert await world.latest_prompts(second) == ["pinned", *(f"second {i}" for i in range(19))]  # 50 in all


async def test_after_a_downgrade_only_the_oldest_domains_are_checked(world):
    workspace_id = await world.workspace(Plan.AGENCY)
    domains = []
    for i in range(4):
        domains.append(await world.domain(workspace_id, "best crm", name=f"acme{i}.com", anchor=ANCHOR))
        world.installation.clock.advance(seconds=1)
    await world.set_plan(workspace_id, Plan.STARTER)  # two domains
    await world.tick_on([1, 2])
    assert [len(await world.started_checks(domain)) for domain in domains] == [2, 2, 0, 0]
    assert [await world.next_check(domain) for domain in domains[1:3]] == [(DAILY, on(3)), (None, None)]
    # Removing a domain lets the next one be checked.
    await world.db.execute("UPDATE domains SET status = 'removed', removed_at = $1 WHERE domain = 'acme0.com'", on(2))
    await world.tick_on([2], hours=1)
    await world.tick_on([3])
    assert [len(await world.started_checks(domain)) for domain in domains] == [2, 3, 1, 0]
    await world.set_plan(workspace_id, Plan.AGENCY)
    await world.tick_on([3], hours=1)
    await world.tick_on([4])
    assert [len(await world.started_checks(domain)) for domain in domains] == [2, 4, 2, 1]


async def test_prompts_of_unchecked_domains_do_not_count_toward_the_limit(world):
    workspace_id = await world.workspace(Plan.AGENCY)
    checked = [
        await world.domain(workspace_id, *(f"{i}" * 2 for i in range(10)), name=f"checked{n}.com") for n in range(2)
    ]
    world.installation.clock.advance(seconds=1)
    unchecked = await world.domain(workspace_id, name="unchecked.com", anchor=ANCHOR)
    for i in range(45):
        await world.prompt(unchecked, f"pinned {i}", pinned=True)
    await world.set_plan(workspace_id, Plan.STARTER)
    await world.tick_on([7])
    assert [len(await world.latest_prompts(domain)) for domain in checked] == [10, 10]


async def test_a_domain_keeps_its_schedule_after_a_long_pause(world):
    workspace_id = await world.workspace(Plan.FREE)
    domain = await world.domain(workspace_id, "best crm")
    await world.tick_on([1])
    world.installation.clock.now = on(200) + DAY / 3
    await world.set_plan(workspace_id, Plan.STARTER)
    await world.tick()
    assert await world.next_check(domain) == (DAILY, on(201))
    await world.tick_on([201, 202, 203])
    assert [scope for scope, _ in await world.started_checks(domain)] == [DAILY, DAILY, FULL]  # 203 = 29 weeks
