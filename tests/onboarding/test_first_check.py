"""The free audit ("once per workspace, ever"), and Retry scan.

A retry is "only for the first check of a new domain, only after it failed, once at a time, free of charge".
"""

import asyncio
from datetime import timedelta

import pytest

from sightline.accounts.workspaces import set_plan
from sightline.errors import Problem
from sightline.plans.table import Plan
from sightline.scans.states import Priority, ScanStatus
from tests.installation import START

FAILED, COMPLETED = ScanStatus.FAILED, ScanStatus.COMPLETED


async def change_plan(tracking, workspace_id, plan):
    async with tracking.db.transaction() as tx:
        await set_plan(tx, workspace_id, plan, now=tracking.installation.clock())


async def refuse_retry(tracking, workspace_id, domain_id):
    with pytest.raises(Problem) as refused:
        await tracking.retry(workspace_id, domain_id)
    return refused.value


# The free audit


async def test_the_free_audit_is_a_single_check_of_10_prompts_on_each_of_three_platforms(tracking):
    workspace_id = await tracking.workspace(Plan.FREE)
    made = await tracking.track_and_set_up(workspace_id, "acme.com", *(f"prompt {i}" for i in range(10)))
    scan = made.first_check
    assert (scan.measurement_scope, scan.priority, scan.answers_total) == ("free_audit", Priority.FIRST, 30)
    assert scan.selected_platforms == ["chatgpt", "gemini", "perplexity"]
    assert (made.domain.next_check_at, made.domain.next_check_scope) == (None, None)
    assert await tracking.db.fetchval("SELECT audited_at FROM workspaces") == START
    await tracking.end_scan(workspace_id, scan.id, COMPLETED)
    tracking.installation.clock.advance(days=30)
    assert await tracking.tick() == 0


async def test_the_free_audit_is_given_once_per_workspace_ever(tracking):
    workspace_id = await tracking.workspace(Plan.FREE)
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, COMPLETED)
    await tracking.remove(workspace_id, made.domain.id)
    again = await tracking.track_and_set_up(workspace_id, "globex.com")
    assert (again.domain.status, again.first_check) == ("active", None)
    await tracking.remove(workspace_id, again.domain.id)
    assert (await tracking.track_and_set_up(workspace_id, "acme.com")).first_check is None
    assert await tracking.scopes(workspace_id) == ["free_audit"]


async def test_a_domain_that_the_free_plan_does_not_cover_is_set_up_without_an_audit(tracking):
    workspace_id = await tracking.workspace(Plan.STARTER)
    older, newer = [(await tracking.track(workspace_id, name)).id for name in ("acme.com", "globex.com")]
    await change_plan(tracking, workspace_id, Plan.FREE)
    made = await tracking.set_up(workspace_id, newer)
    assert (made.domain.status, made.first_check) == ("active", None)
    assert (await tracking.set_up(workspace_id, older)).first_check is not None, "the audit was not used up"
    assert await tracking.scopes(workspace_id) == ["free_audit"]


async def test_concurrent_setups_get_one_audit(tracking):
    workspace_id = await tracking.workspace(Plan.STARTER)
    domains = [(await tracking.track(workspace_id, name)).id for name in ("acme.com", "globex.com")]
    await change_plan(tracking, workspace_id, Plan.FREE)
    made = await asyncio.gather(*(tracking.set_up(workspace_id, domain_id) for domain_id in domains))
    assert sorted(each.first_check is None for each in made) == [False, True]
    assert await tracking.scopes(workspace_id) == ["free_audit"]


async def test_a_workspace_that_moves_to_a_paid_plan_is_scheduled_from_the_next_minute(tracking):
    workspace_id = await tracking.workspace(Plan.FREE)
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, COMPLETED)
    tracking.installation.clock.advance(days=2, hours=1)
    await change_plan(tracking, workspace_id, Plan.STARTER)
    await tracking.tick()
    assert await tracking.db.fetchval("SELECT next_check_at FROM domains") == START + timedelta(days=3)
    tracking.installation.clock.advance(days=1)
    assert await tracking.tick() == 1
    assert await tracking.scopes(workspace_id) == ["free_audit", "daily_check"]


# Retry scan


async def test_a_first_check_that_failed_is_tried_again_free_of_charge(tracking):
    workspace_id = await tracking.workspace(Plan.STARTER)
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, FAILED)
    tracking.installation.clock.advance(minutes=5)
    scan = await tracking.retry(workspace_id, made.domain.id)
    assert (scan.measurement_scope, scan.priority, scan.credits_charged) == ("full_check", Priority.FIRST, 0)
    due = await tracking.db.fetchval("SELECT next_check_at FROM domains")
    assert due == START + timedelta(days=1)  # the grid stays the setup's
    await tracking.end_scan(workspace_id, scan.id, FAILED)
    await tracking.retry(workspace_id, made.domain.id)  # as often as it fails
    assert await tracking.scopes(workspace_id) == ["full_check"] * 3


async def test_there_is_no_retry_while_the_first_check_runs(tracking):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id)
    problem = await refuse_retry(tracking, workspace_id, made.domain.id)
    assert (problem.code, problem.members["active_scan_id"]) == ("scan_in_progress", str(made.first_check.id))


@pytest.mark.parametrize("status", [COMPLETED, ScanStatus.CANCELLED])
async def test_there_is_no_retry_of_a_first_check_that_did_not_fail(tracking, status):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, status)
    problem = await refuse_retry(tracking, workspace_id, made.domain.id)
    assert problem.code == "check_not_retryable"


async def test_there_is_no_retry_of_a_later_check_that_failed(tracking):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, COMPLETED)
    tracking.installation.clock.advance(days=1)
    assert await tracking.tick() == 1
    later = await tracking.db.fetchval("SELECT id FROM scans WHERE status = 'pending'")
    await tracking.end_scan(workspace_id, later, FAILED)
    await refuse_retry(tracking, workspace_id, made.domain.id)
    assert len(await tracking.scopes(workspace_id)) == 2


async def test_concurrent_retries_start_one_check(tracking):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, FAILED)
    tried = await asyncio.gather(
        *(tracking.retry(workspace_id, made.domain.id) for _ in range(4)), return_exceptions=True
    )
    assert sorted(getattr(result, "code", "started") for result in tried) == [*["scan_in_progress"] * 3, "started"]


async def test_a_retry_concurrent_with_the_scheduler_starts_one_check(tracking):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, FAILED)
    tracking.installation.clock.advance(days=1)
    await asyncio.gather(tracking.retry(workspace_id, made.domain.id), tracking.tick(), return_exceptions=True)
    assert await tracking.db.fetchval("SELECT count(*) FROM scans WHERE status = 'pending'") == 1


async def test_a_failed_audit_does_not_count_so_it_can_be_retried(tracking):
    workspace_id = await tracking.workspace(Plan.FREE)
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, FAILED)
    assert (await tracking.retry(workspace_id, made.domain.id)).measurement_scope == "free_audit"


async def test_after_the_trial_the_retry_of_its_first_check_is_the_free_audit_once(tracking):
    workspace_id = await tracking.workspace(Plan.TRIAL)
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, FAILED)
    await change_plan(tracking, workspace_id, Plan.FREE)
    assert (await tracking.retry(workspace_id, made.domain.id)).measurement_scope == "free_audit"
    await tracking.db.execute("UPDATE scans SET status = 'cancelled', completed_at = now() WHERE status = 'pending'")
    await tracking.db.execute("DELETE FROM scans WHERE measurement_scope = 'free_audit'")
    problem = await refuse_retry(tracking, workspace_id, made.domain.id)
    assert problem.code == "plan_required"


async def test_a_restored_domain_counts_as_new(tracking):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, made.first_check.id, COMPLETED)
    await tracking.remove(workspace_id, made.domain.id)
    tracking.installation.clock.advance(days=1)
    again = await tracking.track_and_set_up(workspace_id)
    await tracking.end_scan(workspace_id, again.first_check.id, FAILED)
    assert (await tracking.retry(workspace_id, made.domain.id)).status == "pending"
