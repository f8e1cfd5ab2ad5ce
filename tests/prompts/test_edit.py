"""Editing the text of a prompt: the history of the old one stays, a new one starts."""

from sightline.prompts import pin, queries
from sightline.prompts.edit import edit_prompt
from sightline.prompts.queries import find_replacement
from sightline.prompts.remove import remove_prompt
from sightline.prompts.tags.change import change_tags
from tests.prompts.prompt_steps import PromptSteps


async def edit(steps: PromptSteps, prompt_id, text):
    return await steps.do(edit_prompt, prompt_id, text, now=steps.now)


async def find(steps, prompt_id):
    return await queries.find_prompt(steps.installation.db, steps.workspace_id, steps.domain_id, prompt_id)


async def test_another_text_starts_another_prompt_with_the_slot_pin_and_tags_of_the_old(steps):
    old, *_ = await steps.set_up("best crm", "aa", "bb", "cc")
    await steps.do(pin.pin_prompt, old.id, now=steps.now)
    await steps.do(change_tags, [old.id], add=["pricing"])
    new = await edit(steps, old.id, "best crm for agencies")  # all four slots are taken, and one is freed
    assert (new.prompt, new.status, new.tags, new.replaces) == ("best crm for agencies", "active", ["pricing"], old.id)
    assert new.pinned_at is not None and new.last_scanned_at is None
    kept = await find(steps, old.id)
    assert (kept.prompt, kept.status) == ("best crm", "removed")
    assert await steps.counts() == (4, 1)
    assert (await find_replacement(steps.installation.db, steps.workspace_id, steps.domain_id, old.id)).id == new.id


async def test_another_case_is_the_same_prompt_and_an_earlier_text_comes_back(steps):
    (old,) = await steps.set_up("best crm")
    same = await edit(steps, old.id, "Best  CRM")
    assert (same.id, same.prompt, same.replaces) == (old.id, "Best  CRM", None)
    new = await edit(steps, old.id, "which crm is best")
    back = await edit(steps, new.id, "best crm")
    assert (back.id, back.status, back.replaces) == (old.id, "active", new.id)
    assert await steps.counts() == (1, 0)


async def test_a_tracked_text_an_invisible_one_and_a_removed_prompt_are_refused(steps):
    old, other = await steps.set_up("best crm", "good crm")
    for text, code in (("GOOD crm", "tracked"), ("\u200b\u200b\u200b", "invisible"), ("x", "length")):
        refused = await steps.refused(edit_prompt, old.id, text, now=steps.now)
        assert refused.kind.status == 422 and refused.members["errors"][0]["code"] == code
    await steps.do(remove_prompt, other.id, now=steps.now)
    assert (await steps.refused(edit_prompt, other.id, "x y", now=steps.now)).code == "not_found"
    assert [each.prompt for each in await steps.tracked()] == ["best crm"]
