"""Tracking and removing domains: names, the limit of the plan, and restored records."""

import asyncio

import pytest

from sightline.errors import Problem
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.prompts.queries import count_active_prompts
from sightline.scans.states import ScanStatus


async def test_a_tracked_domain_begins_in_setup_and_nothing_is_checked(tracking):
    workspace_id = await tracking.workspace()
    domain = await tracking.track(workspace_id, "https://www.Acme.com/about")
    assert (domain.domain, domain.status, domain.brand_name) == ("acme.com", "setup", "acme")
    assert (domain.next_check_at, domain.prompt_count) == (None, 0)
    tracking.installation.clock.advance(days=8)
    assert await tracking.tick() == 0


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "acme.example", "co.uk", "", "acme"])
async def test_the_rules_for_names_are_those_of_console_domains(tracking, name):
    with pytest.raises(Problem) as refused:
        await tracking.track(await tracking.workspace(), name)
    assert refused.value.code == "invalid_domain"
    assert refused.value.members["errors"][0]["field"] == "domain"


async def test_a_domain_that_is_tracked_already_is_refused_with_its_id(tracking):
    workspace_id = await tracking.workspace(Plan.AGENCY)
    domain = await tracking.track(workspace_id)
    with pytest.raises(Problem) as refused:
        await tracking.track(workspace_id, "WWW.ACME.COM")
    assert (refused.value.code, refused.value.members) == ("domain_exists", {"domain_id": str(domain.id)})
    other = await tracking.track(await tracking.workspace())  # another workspace has nothing to do with it
    assert other.id != domain.id


async def test_the_same_name_may_be_a_console_domain_too(tracking):
    tenant = await tracking.installation.tenant(Plan.STARTER)
    await tracking.installation.console_domain(tenant.live, "acme.com")
    assert (await tracking.track(tenant.workspace.id, "acme.com")).status == "setup"


@pytest.mark.parametrize(
    ("plan", "limit"), [(Plan.FREE, 1), (Plan.TRIAL, 1), (Plan.STARTER, 2), (Plan.PROFESSIONAL, 5)]
)
async def test_a_domain_beyond_the_limit_of_the_plan_is_refused(tracking, plan, limit):
    workspace_id = await tracking.workspace(plan)
    for i in range(limit):
        await tracking.track(workspace_id, f"acme{i}.com")
    with pytest.raises(Problem) as refused:
        await tracking.track(workspace_id, "onemore.com")
    assert refused.value.code == "plan_required"
    assert "agency" in refused.value.members["required_plans"] and plan not in refused.value.members["required_plans"]


async def test_two_cannot_take_the_last_place(tracking):
    workspace_id = await tracking.workspace(Plan.STARTER)
    tried = await asyncio.gather(
        *(tracking.track(workspace_id, f"acme{i}.com") for i in range(5)), return_exceptions=True
    )
    assert sum(not isinstance(result, Problem) for result in tried) == 2
    assert await tracking.db.fetchval("SELECT count(*) FROM domains") == 2


async def test_the_same_name_at_once_is_tracked_once(tracking):
    workspace_id = await tracking.workspace(Plan.AGENCY)
    tried = await asyncio.gather(*(tracking.track(workspace_id) for _ in range(4)), return_exceptions=True)
    assert sorted(getattr(result, "code", "tracked") for result in tried) == [*["domain_exists"] * 3, "tracked"]


async def test_a_removed_domain_is_not_checked_any_more_and_its_running_check_is_left_to_end(tracking):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.remove(workspace_id, made.domain.id)
    record = await tracking.db.fetchrow("SELECT status, next_check_at, next_check_scope, prompt_count FROM domains")
    assert tuple(record) == ("removed", None, None, 0)
    assert await tracking.db.fetchval("SELECT status FROM scans") == "pending"
    await tracking.end_scan(workspace_id, made.first_check.id, ScanStatus.COMPLETED)
    tracking.installation.clock.advance(days=30)
    assert await tracking.tick() == 0


@pytest.mark.parametrize("whose", ["nobody", "stranger", "removed"])
async def test_what_is_not_a_tracked_domain_of_the_workspace_is_not_found(tracking, whose):
    workspace_id = await tracking.workspace()
    domain_id = (await tracking.track(workspace_id)).id
    if whose == "removed":
        await tracking.remove(workspace_id, domain_id)
    asked = {"nobody": new_id()}.get(whose, domain_id)
    by = await tracking.workspace() if whose == "stranger" else workspace_id
    for refused in (tracking.remove(by, asked), tracking.set_up(by, asked), tracking.retry(by, asked)):
        with pytest.raises(Problem) as problem:
            await refused
        assert problem.value.code == "domain_not_found"


async def test_the_prompts_of_a_removed_domain_free_their_slots(tracking):
    workspace_id = await tracking.workspace(Plan.STARTER)
    made = await tracking.track_and_set_up(workspace_id, "acme.com", *(f"prompt {i}" for i in range(50)))
    assert await count_active_prompts(tracking.db, workspace_id) == 50
    with pytest.raises(Problem) as refused:
        await tracking.track_and_set_up(workspace_id, "globex.com", "one more")
    assert refused.value.code == "prompt_limit_reached"
    await tracking.remove(workspace_id, made.domain.id)
    assert await count_active_prompts(tracking.db, workspace_id) == 0
    await tracking.set_up(workspace_id, (await tracking.track(workspace_id, "initech.com")).id, "one more")


async def test_a_removed_domain_comes_back_with_its_id_its_brand_and_its_history_and_is_set_up_anew(tracking):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id, "acme.com", "best crm", brand_name="Acme Inc")
    await tracking.end_scan(workspace_id, made.first_check.id, ScanStatus.COMPLETED)
    await tracking.remove(workspace_id, made.domain.id)
    tracking.installation.clock.advance(days=3, hours=2)
    back = await tracking.track(workspace_id)
    assert (back.id, back.status, back.brand_name) == (made.domain.id, "setup", "Acme Inc")
    assert (back.created_at, back.prompt_count, back.next_check_at) == (made.domain.created_at, 0, None)
    again = await tracking.set_up(workspace_id, back.id, "best crm", "new crm")
    assert again.domain.prompt_count == 2
    assert (again.first_check.measurement_scope, again.first_check.created_at) == (
        "full_check",
        tracking.installation.clock(),
    )
    assert len(await tracking.scopes(workspace_id)) == 2


async def test_a_domain_that_comes_back_waits_for_the_check_that_was_left_to_end(tracking):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.remove(workspace_id, made.domain.id)
    await tracking.track(workspace_id)
    with pytest.raises(Problem) as refused:
        await tracking.set_up(workspace_id, made.domain.id)
    assert (refused.value.code, refused.value.members["active_scan_id"]) == (
        "scan_in_progress",
        str(made.first_check.id),
    )
    assert await tracking.db.fetchval("SELECT status FROM domains") == "setup"
