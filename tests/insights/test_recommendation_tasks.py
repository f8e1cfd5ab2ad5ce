"""Recommendations marked as done: "kept by a stable subject so that the next Full Check's rewrite keeps it"."""

import msgspec
import pytest

from sightline.accounts.models import Actor, Role
from sightline.errors import Problem
from sightline.insights.models import StoredRecommendation
from sightline.insights.recommendation_tasks import mark_done, mark_open, read_tasks, task_key
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from tests.insights.anvil_market import market_answer, open_market
from tests.reports.stored_reports import ReportedDomain


async def act(history, step, key, **options):
    actor = Actor("session", history.workspace_id, history.tenant.owner.id, Role.OWNER, Plan.AGENCY, livemode=True)
    async with history.installation.db.transaction() as tx:
        await step(tx, actor, history.domain_id, key, **options)


async def tasks_of(history):
    return await read_tasks(history.installation.db, history.workspace_id, history.domain_id)


async def test_a_mark_survives_the_next_full_check_and_an_undo_brings_the_task_back(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    before = await tasks_of(history)
    first, *rest = before.open
    assert rest and not before.done
    now = installation.clock()
    for _ in range(2):
        await act(history, mark_done, first.key, now=now)
        installation.clock.advance(minutes=1)
    await history.run_full_check(market_answer)
    after = await tasks_of(history)
    assert [task.key for task in after.open] == [task.key for task in rest]
    (done,) = after.done
    assert (done.key, done.done.done_by, done.done.done_at) == (first.key, history.tenant.owner.name, now)
    assert done.recommendation.id != first.recommendation.id, "it was written anew"
    for _ in range(2):
        await act(history, mark_open, first.key)
    assert [task.key for task in (await tasks_of(history)).open] == [task.key for task in before.open]


async def test_what_is_not_recommended_cannot_be_marked_here_or_in_another_workspace(installation):
    history, other = await open_market(installation), await open_market(installation)
    await history.run_full_check(market_answer)
    await other.run_full_check(lambda *_: "It depends.")
    theirs = await tasks_of(other)
    assert theirs.is_generated and not theirs.open, "nothing significant is no task"
    for key in ((await tasks_of(history)).open[0].key, "get_listed-0", "nothing_significant-1", "\x00"):
        with pytest.raises(Problem, match="not_found"):
            await act(other, mark_done, key, now=installation.clock())


def test_the_key_tells_tasks_apart_and_has_the_same_length_for_any_address():
    one = StoredRecommendation(
        kind="get_listed", subject="https://g2.com/a", prompt_id=new_id(), prompt="p", pages=(), proofs=()
    )
    changed = [
        {"kind": "publish_page"}, {"subject": "https://g2.com/b"}, {"prompt_id": new_id()}, {"subject": "x" * 9000}
    ]  # fmt: skip
    keys = [task_key(msgspec.structs.replace(one, **change)) for change in changed]
    assert len({task_key(one), *keys}) == 5
    assert task_key(msgspec.structs.replace(one, prompt="other words", pages=("https://x.com",))) == task_key(one)
    assert len(keys[-1]) == len(task_key(one)) < 60


async def test_the_weekly_report_does_not_ask_for_what_is_done(installation):
    tracked = await ReportedDomain.open(installation)
    job = await tracked.complete_scan()
    await tracked.store_insights(job)
    listed, platform = (await tasks_of(tracked)).open
    await act(tracked, mark_done, listed.key, now=installation.clock())
    await tracked.write(job)
    assert [task.kind for task in (await tracked.report(job))["document"].tasks] == [platform.recommendation.kind]
