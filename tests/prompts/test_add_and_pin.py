"""Adding prompts at setup, pins, suggestions and the set of the Daily Checks."""

from sightline.kit.ids import new_id
from sightline.plans.table import Plan, build_plan_table
from sightline.prompts import add, pin, queries
from sightline.prompts.add import add_prompts_at_setup
from sightline.prompts.models import NewPrompt
from sightline.prompts.remove import remove_prompt
from sightline.prompts.schemas import PromptInput
from sightline.prompts.suggestions import review
from tests.prompts.prompt_steps import PLANS


async def test_setup_adds_many_at_once_unpinned_and_added_by_you(steps):
    rows = await steps.set_up("best crm", "Best  CRM", "crm for startups")
    assert [(row.prompt, row.source, row.pinned_at, row.status) for row in rows] == [
        ("best crm", "added_by_you", None, "active"),
        ("crm for startups", "added_by_you", None, "active"),
    ]
    assert await steps.counts() == (2, 0)
    assert [(each.prompt, each.daily) for each in await steps.tracked()] == [
        ("best crm", True),
        ("crm for startups", True),
    ]


async def test_setup_is_all_or_nothing_at_the_limit(steps):
    await steps.set_up("one 1", "two 2")
    given = [NewPrompt(text, "en") for text in ("one 1", "three 3", "four 4", "five 5")]
    refusal = await steps.refused(add_prompts_at_setup, given, PLANS, now=steps.now)
    assert (refusal.code, refusal.members) == ("prompt_limit_reached", {"current": 2, "limit": 4})
    assert await steps.counts() == (2, 0)
    assert len(await steps.set_up("one 1", "three 3", "four 4")) == 3, "those that are tracked take no slot"
    assert await steps.counts() == (4, 0)


async def test_setup_names_the_prompt_at_fault(steps):
    given = [NewPrompt("best crm", "en"), NewPrompt("x", "en", "ZZ")]
    refusal = await steps.refused(add_prompts_at_setup, given, PLANS, now=steps.now)
    assert [each["field"] for each in refusal.members["errors"]] == ["prompts[1].prompt", "prompts[1].country_iso_2"]
    assert await steps.tracked() == []


async def test_setup_leaves_a_pin_and_revives_what_was_removed(steps):
    pinned, gone = await steps.add("pinned"), await steps.add("gone")
    await steps.do(remove_prompt, gone.id, now=steps.now)
    rows = await steps.set_up("pinned", "gone")
    assert [(row.id, row.pinned_at is None, row.status) for row in rows] == [
        (pinned.id, False, "active"),
        (gone.id, True, "active"),
    ]
    assert await steps.counts() == (2, 1)


async def test_the_plan_of_the_moment_decides(steps):
    """The plan is read under the lock, not taken from the request."""
    await steps.installation.db.execute("UPDATE workspaces SET plan = $2 WHERE id = $1", steps.workspace_id, Plan.FREE)
    plans = build_plan_table({"free": {"tracked_prompts": 1}})
    await steps.add("one 1", plans)
    refusal = await steps.refused(add.add_prompt, PromptInput("two 2", "en"), plans, now=steps.now)
    assert refusal.members == {"current": 1, "limit": 1}


async def test_pin_and_unpin(steps):
    (row,) = await steps.set_up("best crm")
    pinned = await steps.do(pin.pin_prompt, row.id, now=steps.now)
    assert (pinned.pinned_at, await steps.counts()) == (steps.now, (1, 1))
    steps.installation.clock.advance(hours=1)
    assert await steps.do(pin.pin_prompt, row.id, now=steps.now) == pinned, "pinned already: unchanged"
    unpinned = await steps.do(pin.unpin_prompt, row.id)
    assert (unpinned.pinned_at, await steps.counts()) == (None, (1, 0))
    assert (await steps.tracked())[0].daily, "an unpinned prompt stays in the Daily set"
    assert await steps.do(pin.unpin_prompt, row.id) == unpinned


async def test_the_eleventh_pin_is_refused(steps):
    plans = build_plan_table({})
    rows = await steps.set_up(*(f"prompt {number}" for number in range(11)), plans=plans)
    for row in rows[:10]:
        await steps.do(pin.pin_prompt, row.id, now=steps.now)
    refusal = await steps.refused(pin.pin_prompt, rows[10].id, now=steps.now)
    assert (refusal.code, refusal.members) == ("pin_limit_reached", {"current": 10, "limit": 10})
    await steps.do(pin.unpin_prompt, rows[0].id)
    await steps.do(pin.pin_prompt, rows[10].id, now=steps.now)
    assert await steps.counts() == (11, 10)


async def test_what_is_not_active_cannot_be_pinned_unpinned_or_removed(steps):
    gone = await steps.add("gone")
    await steps.do(remove_prompt, gone.id, now=steps.now)
    for prompt_id in (gone.id, new_id(), None):
        assert (await steps.refused(pin.pin_prompt, prompt_id, now=steps.now)).code == "not_found"
        assert (await steps.refused(pin.unpin_prompt, prompt_id)).code == "not_found"
        assert (await steps.refused(remove_prompt, prompt_id, now=steps.now)).code == "not_found"


async def test_the_daily_set_is_those_and_only_those(steps):
    one, two, three = await steps.set_up("one 1", "two 2", "three 3")
    await steps.do(remove_prompt, three.id, now=steps.now)
    await steps.do(queries.set_daily_prompts, [two.id, three.id])
    assert {each.id: each.daily for each in await steps.tracked()} == {one.id: False, two.id: True}
    await steps.do(pin.pin_prompt, one.id, now=steps.now)
    assert all(each.daily for each in await steps.tracked()), "a pin joins the set"
    revived = await steps.add("three 3")
    assert revived.id == three.id and len([each for each in await steps.tracked() if each.daily]) == 3


async def test_suggestions_are_read_page_by_page(steps):
    every = await steps.suggest("best crm", "crm for startups", "cheap crm")
    read = (steps.installation.db, steps.workspace_id, steps.domain_id)
    first = await review.list_suggestions_page(*read, after=None, page_size=2)
    second = await review.list_suggestions_page(*read, after=first.next_key, page_size=2)
    assert [*first.rows, *second.rows] == every and second.next_key is None


async def test_an_accepted_suggestion_is_tracked_unpinned_as_suggested(steps):
    first, second = await steps.suggest("best crm", "crm for startups")
    assert (first.prompt, first.status) == ("best crm", "open"), "best first"
    row = await steps.do(review.accept_suggestion, first.id, PLANS, now=steps.now)
    assert (row.prompt, row.source, row.pinned_at, row.language_code) == ("best crm", "suggested", None, "en")
    assert await steps.counts() == (1, 0)
    assert await steps.suggestions() == [second]
    refusal = await steps.refused(review.accept_suggestion, first.id, PLANS, now=steps.now)
    assert refusal.code == "not_found", "it is decided once"


async def test_an_accepted_suggestion_counts_toward_the_limit_and_stays_open_beyond_it(steps):
    await steps.set_up("one 1", "two 2", "three 3", "four 4")
    (open_one,) = await steps.suggest("best crm")
    refusal = await steps.refused(review.accept_suggestion, open_one.id, PLANS, now=steps.now)
    assert (refusal.code, refusal.members) == ("prompt_limit_reached", {"current": 4, "limit": 4})
    assert await steps.suggestions() == [open_one]


async def test_a_suggestion_that_somebody_added_meanwhile_keeps_its_pin(steps):
    (open_one,) = await steps.suggest("best crm")
    added = await steps.add("Best CRM")
    assert await steps.suggestions() == [], "nothing is left to propose"
    assert await steps.do(review.accept_suggestion, open_one.id, PLANS, now=steps.now) == added
    assert await steps.counts() == (1, 1)


async def test_what_was_dismissed_or_tracked_before_is_not_proposed_again(steps):
    gone = await steps.add("gone")
    await steps.do(remove_prompt, gone.id, now=steps.now)
    (open_one,) = await steps.suggest("best crm", "GONE")
    dismissed = await steps.do(review.dismiss_suggestion, open_one.id, now=steps.now)
    assert (dismissed.status, dismissed.decided_at) == ("dismissed", steps.now)
    assert await steps.suggest("Best  crm") == []
    refusal = await steps.refused(review.accept_suggestion, open_one.id, PLANS, now=steps.now)
    assert refusal.code == "not_found"
    assert await steps.tracked() == []


async def test_nothing_of_another_workspace_is_found(steps):
    row = await steps.add("best crm")
    (open_one,) = await steps.suggest("another")
    steps.workspace_id = (await steps.installation.tenant()).workspace.id
    for action, given in (
        (pin.pin_prompt, (row.id,)),
        (remove_prompt, (row.id,)),
        (review.accept_suggestion, (open_one.id, PLANS)),
        (review.dismiss_suggestion, (open_one.id,)),
    ):
        assert (await steps.refused(action, *given, now=steps.now)).code == "domain_not_found"
    assert await steps.tracked() == [] and await steps.suggestions() == []
