"""The history of the demonstration: weeks of Full and Daily Checks replayed by the real code."""

from collections import Counter
from datetime import timedelta
from functools import partial
from itertools import pairwise

import pytest

from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.onboarding.demo.history import DemoDomain, build_demo_history
from sightline.onboarding.demo.replay import DemoReplay
from sightline.plans.table import Plan
from sightline.scans.scheduling.tick import tick
from sightline.worker.follow_up import follow_up_in_process
from tests.tracked_domains import Tracker


@pytest.fixture
async def tracker(installation):
    async with Tracker.open(installation, Plan.STARTER) as tracker:
        yield tracker


async def create_domain(tracker, plan: Plan = Plan.STARTER) -> DemoDomain:
    settings = tracker.installation.app_context.settings
    replay = DemoReplay.from_settings(
        settings, partial(follow_up_in_process, tracker.installation.db, settings), now=tracker.installation.clock()
    )
    async with tracker.installation.db.transaction() as tx:
        made = await track_domain(
            tx, tracker.workspace_id, TrackInput("acme.com"), plans=replay.rules.plans, now=tracker.installation.clock()
        )
    return DemoDomain(tracker.workspace_id, made.id, "acme.com", plan)


def build_replay(installation, follow_up=None) -> DemoReplay:
    settings = installation.app_context.settings
    return DemoReplay.from_settings(
        settings, follow_up or partial(follow_up_in_process, installation.db, settings), now=installation.clock()
    )


async def scopes(installation) -> Counter:
    rows = await installation.db.fetch("SELECT measurement_scope, status FROM scans")
    return Counter(tuple(row) for row in rows)


@pytest.mark.slow
async def test_two_weeks_are_the_full_checks_at_their_ends_and_the_daily_checks_between_them(installation, tracker):
    domain = await create_domain(tracker)
    assert await build_demo_history(installation.db, build_replay(installation), [domain], weeks=2) == 14
    assert await scopes(installation) == {("full_check", "completed"): 3, ("daily_check", "completed"): 12}
    board = await tracker.read(f"/domains/{domain.domain_id}/analytics")
    assert len(board["trend"]) == 15
    assert board["sentiment"]["responses_analyzed"] > 0
    assert board["headline"]["visibility_score"]["comparison"]["trend_only"] is False
    days = {point["completed_at"][:10] for point in board["trend"]}
    assert len(days) == 15
    read = await tracker.read(f"/domains/{domain.domain_id}")
    assert read["next_check_at"] > installation.clock().isoformat()
    assert read["pinned_count"] == 2


async def test_a_replay_runs_at_the_times_of_the_grid_and_leaves_nothing_for_a_worker_or_a_scheduler(
    installation, tracker
):
    await build_demo_history(installation.db, build_replay(installation), [await create_domain(tracker)], weeks=1)
    rows = await installation.db.fetch("SELECT created_at, completed_at FROM scans ORDER BY created_at")
    times = [row["created_at"] for row in rows]
    assert {later - earlier for earlier, later in pairwise(times)} == {timedelta(days=1)}
    assert all(timedelta(0) < row["completed_at"] - row["created_at"] < timedelta(hours=1) for row in rows)
    kinds = {row[0] for row in await installation.db.fetch("SELECT kind FROM jobs")}
    assert kinds <= {"event", "prompt.volumes", "competitor.site"}
    assert await tick(installation.db, installation.app_context.settings, now=installation.clock()) == 0


async def test_an_interrupted_replay_continues_where_it_stopped(installation, tracker):
    domain = await create_domain(tracker)
    done = 0

    async def die_on_the_fourth(job, *, clock):
        nonlocal done
        done += 1
        if done == 4:
            raise RuntimeError("killed")
        await follow_up_in_process(installation.db, installation.app_context.settings, job, clock=clock)

    with pytest.raises(RuntimeError):
        await build_demo_history(installation.db, build_replay(installation, die_on_the_fourth), [domain], weeks=1)
    await build_demo_history(installation.db, build_replay(installation), [domain], weeks=1)
    await build_demo_history(installation.db, build_replay(installation), [domain], weeks=1)
    assert await scopes(installation) == {("full_check", "completed"): 2, ("daily_check", "completed"): 6}
    assert len((await tracker.read(f"/domains/{domain.domain_id}/analytics"))["trend"]) == 8


async def test_the_free_plan_has_only_its_audit(installation):
    async with Tracker.open(installation, Plan.FREE) as tracker:
        domain = await create_domain(tracker, Plan.FREE)
        await build_demo_history(installation.db, build_replay(installation), [domain], weeks=1)
        installation.clock.advance(days=3)
        await build_demo_history(installation.db, build_replay(installation), [domain], weeks=1)
    assert await scopes(installation) == {("free_audit", "completed"): 1}
    row = await installation.db.fetchrow("SELECT s.answers_total, d.next_check_at FROM domains d, scans s")
    assert (row["answers_total"], row["next_check_at"]) == (30, None)
