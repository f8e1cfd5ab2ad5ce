"""The effects of done actions, measured from the stored Full Checks of a domain."""

from datetime import timedelta

import pytest

from sightline.errors import Problem
from sightline.insights.recommendations.done_actions import list_done_actions, list_watched_actions
from sightline.insights.recommendations.schemas import to_done_recommendation
from tests.insights.watched_market import CONCERNED, KEY, OTHERS, USUAL, WatchedMarket


@pytest.fixture
async def market(installation):
    return await WatchedMarket.open(installation)


async def list_done(market, **options):
    history = market.history
    domain_key = (history.workspace_id, history.domain_id)
    return (await list_done_actions(history.installation.db, *domain_key, page_size=10, **options)).rows


async def test_an_action_is_watched_from_its_date_on_although_it_is_no_longer_recommended(market, installation):
    before, led_by = await market.run_until_marked()
    (done,) = await list_done(market)
    found = done.effect
    assert (found.effect.status, found.checks.baseline, found.checks.led_by) == ("too_early", tuple(before), led_by)
    assert [prompt.text for prompt in found.prompts] == list(CONCERNED)
    assert done.still_recommended

    await market.run_daily_check()
    first = await market.run_full_check(*USUAL, *CONCERNED)
    seen = installation.clock()
    second = await market.run_full_check(*USUAL, *CONCERNED)
    await market.recommend(second, page="elsewhere.com/anvils")
    (done,) = await list_done(market)
    found = done.effect
    assert not done.still_recommended and done.found.subject == "forgereview.com/best-anvils"
    assert (found.effect.status, found.checks.later) == ("up", (first, second))
    assert found.effect.points == 100 and found.effect.interval.low > 0
    assert len(found.effect.others.prompts) == len(OTHERS), "a prompt that names the brand is not compared"
    shown = to_done_recommendation(done, "Acme")
    assert shown.effect.summary.startswith("Up by 100 points (")
    assert (shown.effect.concerned.before_pct, shown.effect.concerned.after_pct) == (0.0, 100.0)

    assert found.overlapping == 0
    await market.mark(await market.recommend(second, page="elsewhere.com/anvils"), done_at=seen)
    *_, done = await list_done(market)
    assert (done.mark.subject, done.effect.overlapping) == (KEY, 1)

    *_, then = await list_done(market, until=seen)
    assert then.effect.effect.status == "too_early" and then.effect.checks.later == (first,)


async def test_the_report_follows_an_action_up_to_its_final_result(market, installation):
    await market.run_until_marked()
    watched = []
    for _ in range(5):
        scan_id = await market.run_full_check(*USUAL)
        found = await list_watched_actions(
            installation.db, market.history.workspace_id, market.history.domain_id, scan_id=scan_id,
            until=installation.clock(), limit=10,
        )  # fmt: skip
        watched.append([(done.effect.effect.status, done.effect.effect.is_final) for done in found])
    unclear = "no_clear_effect"
    assert watched == [[("too_early", False)], [(unclear, False)], [(unclear, False)], [(unclear, True)], []]


async def test_the_date_may_be_earlier_and_changed_but_not_in_the_future(market, installation):
    await market.run_full_check()
    await market.recommend(await market.run_full_check())
    now = installation.clock()
    with pytest.raises(Problem, match="future"):
        await market.mark(done_at=now + timedelta(seconds=1))
    assert await list_done(market) == []
    await market.mark(done_at=now - timedelta(days=3))
    await market.mark()
    (done,) = await list_done(market)
    assert done.mark.done_at == now - timedelta(days=3), "marking again changes nothing"
    await market.recommend(await market.run_full_check(), page="elsewhere.com/anvils")
    await market.mark(done_at=now - timedelta(days=5))
    (done,) = await list_done(market)
    assert done.mark.done_at == now - timedelta(days=5) and done.mark.subject == KEY
    assert done.effect.effect.gap == "baseline"


async def test_a_mark_of_before_has_no_prompts_and_is_left_out_once_its_task_is_gone(market, installation):
    await market.run_until_marked()
    await installation.db.execute(
        "UPDATE recommendation_marks SET prompt_ids = NULL, scan_id = NULL, recommendation = NULL"
    )
    (done,) = await list_done(market)
    assert (done.effect.effect.status, done.effect.effect.gap) == ("not_enough_history", "prompts")
    await market.recommend(await market.run_full_check(), page="elsewhere.com/anvils")
    assert await list_done(market) == []


async def test_actions_are_listed_page_by_page_latest_first(market, installation):
    scan_id = await market.run_full_check()
    keys = []
    for site in ("a.com", "b.com", "c.com"):
        keys.append(await market.recommend(scan_id, page=f"{site}/anvils"))
        await market.mark(keys[-1])
    history, found, after = market.history, [], None
    while True:
        page = await list_done_actions(
            installation.db, history.workspace_id, history.domain_id, after=after, page_size=1
        )
        found += [done.mark.subject for done in page.rows]
        after = page.next_key
        if after is None:
            break
    assert sorted(found) == sorted(keys) and len(found) == 3
