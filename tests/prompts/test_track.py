"""What the dashboard does with prompts: setup, pins, suggestions, the Daily set."""

import uuid

import pytest

from sightline.errors import Problem
from sightline.kit.ids import new_id
from sightline.plans.table import Plan, build_plan_table
from sightline.prompts import add, pin, queries
from sightline.prompts.add import add_prompts_at_setup
from sightline.prompts.models import NewPrompt
from sightline.prompts.remove import remove_prompt
from sightline.prompts.schemas import PromptInput
from sightline.prompts.suggestions import review
from sightline.prompts.suggestions.models import NewSuggestion

PLANS = build_plan_table({"agency": {"tracked_prompts": 4}})


class Room:
    """Each action in a transaction of its own, on one tracked domain."""

    def __init__(self, installation, tenant, domain_id):
        self.installation, self.workspace_id, self.domain_id = installation, tenant.workspace.id, uuid.UUID(domain_id)

    async def do(self, action, *given, **more):
        async with self.installation.db.transaction() as tx:
            return await action(tx, self.workspace_id, self.domain_id, *given, **more)

    async def refused(self, action, *given, **more):
        with pytest.raises(Problem) as refusal:
            await self.do(action, *given, **more)
        return refusal.value

    @property
    def now(self):
        return self.installation.clock()

    async def set_up(self, *texts, plans=PLANS):
        given = [NewPrompt(text, "en") for text in texts]
        return await self.do(add_prompts_at_setup, given, plans, now=self.now)

    async def add(self, text, plans=PLANS):
        return await self.do(add.add_prompt, PromptInput(text, "en"), plans, now=self.now)

    async def suggest(self, *texts):
        found = [
            NewSuggestion(prompt=text, language_code="en", country_iso_2=None, priority=50 - n, origin="question")
            for n, text in enumerate(texts)
        ]
        await self.do(review.store_suggestions, found, now=self.now)
        return await self.suggestions()

    async def suggestions(self):
        return await review.list_suggestions(self.installation.db, self.workspace_id, self.domain_id)

    async def tracked(self):
        return await queries.list_tracked_prompts(self.installation.db, self.workspace_id, self.domain_id)

    async def counts(self):
        query = "SELECT prompt_count, pinned_count FROM domains WHERE id = $1"
        return tuple(await self.installation.db.fetchrow(query, self.domain_id))


@pytest.fixture
async def room(installation):
    tenant = await installation.tenant()
    return Room(installation, tenant, await installation.tracked_domain(tenant))


async def test_setup_adds_many_at_once_unpinned_and_added_by_you(room):
    rows = await room.set_up("best crm", "Best  CRM", "crm for startups")
    assert [(row.prompt, row.source, row.pinned_at, row.status) for row in rows] == [
        ("best crm", "added_by_you", None, "active"),
        ("crm for startups", "added_by_you", None, "active"),
    ]
    assert await room.counts() == (2, 0)
    assert [(each.prompt, each.daily) for each in await room.tracked()] == [
        ("best crm", True),
        ("crm for startups", True),
    ]


async def test_setup_is_all_or_nothing_at_the_limit(room):
    await room.set_up("one 1", "two 2")
    given = [NewPrompt(text, "en") for text in ("one 1", "three 3", "four 4", "five 5")]
    refusal = await room.refused(add_prompts_at_setup, given, PLANS, now=room.now)
    assert (refusal.code, refusal.members) == ("prompt_limit_reached", {"current": 2, "limit": 4})
    assert await room.counts() == (2, 0)
    assert len(await room.set_up("one 1", "three 3", "four 4")) == 3, "those that are tracked take no slot"
    assert await room.counts() == (4, 0)


async def test_setup_names_the_prompt_at_fault(room):
    given = [NewPrompt("best crm", "en"), NewPrompt("x", "en", "ZZ")]
    refusal = await room.refused(add_prompts_at_setup, given, PLANS, now=room.now)
    assert [each["field"] for each in refusal.members["errors"]] == ["prompts[1].prompt", "prompts[1].country_iso_2"]
    assert await room.tracked() == []


async def test_setup_leaves_a_pin_and_revives_what_was_removed(room):
    pinned, gone = await room.add("pinned"), await room.add("gone")
    await room.do(remove_prompt, gone.id, now=room.now)
    rows = await room.set_up("pinned", "gone")
    assert [(row.id, row.pinned_at is None, row.status) for row in rows] == [
        (pinned.id, False, "active"),
        (gone.id, True, "active"),
    ]
    assert await room.counts() == (2, 1)


async def test_the_plan_of_the_moment_decides(room):
    """It is read behind the lock, not from what a request remembers."""
    await room.installation.db.execute("UPDATE workspaces SET plan = $2 WHERE id = $1", room.workspace_id, Plan.FREE)
    plans = build_plan_table({"free": {"tracked_prompts": 1}})
    await room.add("one 1", plans)
    refusal = await room.refused(add.add_prompt, PromptInput("two 2", "en"), plans, now=room.now)
    assert refusal.members == {"current": 1, "limit": 1}


async def test_pin_and_unpin(room):
    (row,) = await room.set_up("best crm")
    pinned = await room.do(pin.pin_prompt, row.id, now=room.now)
    assert (pinned.pinned_at, await room.counts()) == (room.now, (1, 1))
    room.installation.clock.advance(hours=1)
    assert await room.do(pin.pin_prompt, row.id, now=room.now) == pinned, "pinned already: unchanged"
    unpinned = await room.do(pin.unpin_prompt, row.id)
    assert (unpinned.pinned_at, await room.counts()) == (None, (1, 0))
    assert (await room.tracked())[0].daily, "an unpinned prompt stays in the Daily set"
    assert await room.do(pin.unpin_prompt, row.id) == unpinned


async def test_the_eleventh_pin_is_refused(room):
    plans = build_plan_table({})
    rows = await room.set_up(*(f"prompt {number}" for number in range(11)), plans=plans)
    for row in rows[:10]:
        await room.do(pin.pin_prompt, row.id, now=room.now)
    refusal = await room.refused(pin.pin_prompt, rows[10].id, now=room.now)
    assert (refusal.code, refusal.members) == ("pin_limit_reached", {"current": 10, "limit": 10})
    await room.do(pin.unpin_prompt, rows[0].id)
    await room.do(pin.pin_prompt, rows[10].id, now=room.now)
    assert await room.counts() == (11, 10)


async def test_what_is_not_active_cannot_be_pinned_unpinned_or_removed(room):
    gone = await room.add("gone")
    await room.do(remove_prompt, gone.id, now=room.now)
    for prompt_id in (gone.id, new_id(), None):
        assert (await room.refused(pin.pin_prompt, prompt_id, now=room.now)).code == "not_found"
        assert (await room.refused(pin.unpin_prompt, prompt_id)).code == "not_found"
        assert (await room.refused(remove_prompt, prompt_id, now=room.now)).code == "not_found"


async def test_the_daily_set_is_those_and_only_those(room):
    one, two, three = await room.set_up("one 1", "two 2", "three 3")
    await room.do(remove_prompt, three.id, now=room.now)
    await room.do(queries.set_daily_prompts, [two.id, three.id])
    assert {each.id: each.daily for each in await room.tracked()} == {one.id: False, two.id: True}
    await room.do(pin.pin_prompt, one.id, now=room.now)
    assert all(each.daily for each in await room.tracked()), "a pin joins the set"
    revived = await room.add("three 3")
    assert revived.id == three.id and len([each for each in await room.tracked() if each.daily]) == 3


async def test_an_accepted_suggestion_is_tracked_unpinned_as_suggested(room):
    first, second = await room.suggest("best crm", "crm for startups")
    assert (first.prompt, first.status) == ("best crm", "open"), "best first"
    row = await room.do(review.accept_suggestion, first.id, PLANS, now=room.now)
    assert (row.prompt, row.source, row.pinned_at, row.language_code) == ("best crm", "suggested", None, "en")
    assert await room.counts() == (1, 0)
    assert await room.suggestions() == [second]
    refusal = await room.refused(review.accept_suggestion, first.id, PLANS, now=room.now)
    assert refusal.code == "not_found", "it is decided once"


async def test_an_accepted_suggestion_counts_toward_the_limit_and_stays_open_beyond_it(room):
    await room.set_up("one 1", "two 2", "three 3", "four 4")
    (open_one,) = await room.suggest("best crm")
    refusal = await room.refused(review.accept_suggestion, open_one.id, PLANS, now=room.now)
    assert (refusal.code, refusal.members) == ("prompt_limit_reached", {"current": 4, "limit": 4})
    assert await room.suggestions() == [open_one]


async def test_a_suggestion_that_somebody_added_meanwhile_keeps_its_pin(room):
    (open_one,) = await room.suggest("best crm")
    added = await room.add("Best CRM")
    assert await room.suggestions() == [], "nothing is left to propose"
    assert await room.do(review.accept_suggestion, open_one.id, PLANS, now=room.now) == added
    assert await room.counts() == (1, 1)


async def test_what_was_dismissed_or_tracked_before_is_not_proposed_again(room):
    gone = await room.add("gone")
    await room.do(remove_prompt, gone.id, now=room.now)
    (open_one,) = await room.suggest("best crm", "GONE")
    dismissed = await room.do(review.dismiss_suggestion, open_one.id, now=room.now)
    assert (dismissed.status, dismissed.decided_at) == ("dismissed", room.now)
    assert await room.suggest("Best  crm") == []
    refusal = await room.refused(review.accept_suggestion, open_one.id, PLANS, now=room.now)
    assert refusal.code == "not_found"
    assert await room.tracked() == []


async def test_nothing_of_another_workspace_is_found(room):
    row = await room.add("best crm")
    (open_one,) = await room.suggest("another")
    room.workspace_id = (await room.installation.tenant()).workspace.id
    for action, given in (
        (pin.pin_prompt, (row.id,)),
        (remove_prompt, (row.id,)),
        (review.accept_suggestion, (open_one.id, PLANS)),
        (review.dismiss_suggestion, (open_one.id,)),
    ):
        assert (await room.refused(action, *given, now=room.now)).code == "domain_not_found"
    assert await room.tracked() == [] and await room.suggestions() == []
