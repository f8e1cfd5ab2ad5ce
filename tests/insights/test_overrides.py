"""What people say about the market, themes and actions: it wins over the editor, now and in later Full Checks."""

import json

import msgspec
import pytest

from sightline.accounts.models import build_operator_actor
from sightline.errors import Problem
from sightline.insights.editor.overrides import change_theme, correct_market, forget_market, store_category
from sightline.insights.editor.queries import add_themes
from sightline.insights.editor.sorting import CodebookTheme
from sightline.insights.recommendations.dismissals import dismiss_action, list_dismissed_actions, restore_action
from sightline.insights.recommendations.tasks import mark_done, read_tasks
from sightline.insights.schemas.edition import MarketInput, ThemeChanges
from tests.fakes.editor import EditorModel, read_given
from tests.insights.anvil_market import open_market
from tests.insights.test_check_editor import list_themes, read_state, run_edited, say_it_plainly
from tests.scan_history import ScriptedAnswer

THEMES = {"ease of use": "easy to use", "weight": "light enough"}
MARKET = MarketInput(singular="farrier's anvil", plural="farriers' anvils", audience="farriers", language="en")


def say_two_things(prompt, platform):
    found = say_it_plainly(prompt, platform)
    more = "\n\nAcme is light enough to carry." if "Acme" in found.text else ""
    return ScriptedAnswer(found.text + more, cited=found.cited)


def criticize(prompt, platform):
    return ScriptedAnswer("Acme is overpriced for a small forge.\n\nGlobex is heavy.", cited=("https://a.com/rant",))


@pytest.fixture
async def history(installation):
    return await open_market(installation)


@pytest.fixture
async def actor(history):
    user_id = await history.installation.db.fetchval(
        "SELECT user_id FROM members WHERE workspace_id = $1 LIMIT 1", history.workspace_id
    )
    return build_operator_actor(history.workspace_id, user_id=user_id)


async def find_claim(history):
    tasks = await read_tasks(history.installation.db, history.workspace_id, history.domain_id)
    (found,) = [task for task in tasks.rows if task.found.kind == "fix_claim"]
    return found


async def change(history, actor, key, **changes):
    async with history.installation.db.transaction() as tx:
        return await change_theme(tx, actor, history.domain_id, key, ThemeChanges(**changes))


async def test_a_renamed_theme_keeps_its_id_and_its_history(history, actor):
    model = EditorModel()
    await run_edited(history, model)
    await change(history, actor, "t1", label="handling")
    assert [theme.descriptor for theme in await list_themes(history)] == ["handling"], "at once"
    await run_edited(history, model)
    (theme,) = await list_themes(history)
    assert (theme.theme_key, theme.descriptor, theme.change.verdict) == ("t1", "handling", "no_clear_change")
    (edited,) = {theme.label for theme in (await read_state(history)).codebook}
    assert edited == "handling"


async def test_a_merged_theme_gives_its_answers_to_the_other(history, actor):
    model = EditorModel(THEMES)
    await run_edited(history, model, say=say_two_things)
    keys = {theme.descriptor: theme.theme_key for theme in await list_themes(history)}
    assert set(keys) == set(THEMES)
    await change(history, actor, keys["weight"], merged_into=keys["ease of use"])
    assert [theme.descriptor for theme in await list_themes(history)] == ["ease of use"]
    await run_edited(history, model, say=say_two_things)
    (theme,) = await list_themes(history)
    assert theme.theme_key == keys["ease of use"] and {quote.text for quote in theme.quotes} >= {
        "Acme is light enough to carry."
    }
    with pytest.raises(Problem):
        await change(history, actor, keys["ease of use"], merged_into=keys["weight"])  # in a circle


async def test_a_theme_that_is_no_longer_merged_is_sorted_again(history, actor):
    model = EditorModel(THEMES)
    await run_edited(history, model, say=say_two_things)
    keys = {theme.descriptor: theme.theme_key for theme in await list_themes(history)}
    await change(history, actor, keys["weight"], merged_into=keys["ease of use"])
    await run_edited(history, model, say=say_two_things)
    await change(history, actor, keys["weight"], merged_into=None)
    await run_edited(history, model, say=say_two_things)
    assert {theme.theme_key for theme in await list_themes(history)} == set(keys.values())


async def test_hidden_themes_are_not_shown_and_pinned_ones_come_first(history, actor):
    model = EditorModel(THEMES)
    await run_edited(history, model, say=say_two_things)
    first, second = (theme.theme_key for theme in await list_themes(history))
    await change(history, actor, second, pinned=True)
    assert [theme.theme_key for theme in await list_themes(history)] == [second, first]
    await change(history, actor, first, hidden=True)
    await run_edited(history, model, say=say_two_things)
    assert [theme.theme_key for theme in await list_themes(history)] == [second]


@pytest.mark.parametrize(
    "changes",
    [
        {"label": "one two three four five"},
        {"label": "<b>price</b>"},
        {"label": "Weight"},
        {"merged_into": "t9"},
        {"merged_into": "t1"},
    ],
)
async def test_changes_that_make_no_sense_are_refused(history, actor, changes):
    async with history.installation.db.transaction() as tx:
        themes = [CodebookTheme("t1", "price", "what it costs"), CodebookTheme("t2", "weight", "how heavy it is")]
        await add_themes(tx, history.workspace_id, history.domain_id, themes)
    with pytest.raises(Problem) as raised:
        await change(history, actor, "t1", **changes)
    assert raised.value.code == "validation_failed"
    with pytest.raises(Problem) as raised:
        await change(history, actor, "t7", hidden=True)
    assert raised.value.code == "not_found"


async def test_a_corrected_market_wins_until_people_let_the_editor_decide(history, actor):
    model = EditorModel()
    async with history.installation.db.transaction() as tx:
        await correct_market(tx, actor, history.domain_id, MARKET)
    await run_edited(history, model)
    state = await read_state(history)
    assert not model.asked["market"] and state.market.plural == "farriers' anvils" and state.is_corrected
    given = [read_given(text) for text in model.texts if "Word these actions" in text]
    assert {each["market"] for each in given} == {"farriers' anvils"}
    async with history.installation.db.transaction() as tx:
        await forget_market(tx, actor, history.domain_id)
    await run_edited(history, model)
    assert model.asked["market"] == 1 and (await read_state(history)).market.plural == "anvils"


async def test_what_is_sold_as_the_setup_named_it_leads_prompts_until_an_editor_knows_more(history):
    db, at = history.installation.db, (history.workspace_id, history.domain_id)
    await history.run_full_check(say_it_plainly)
    assert await list_templates(history) == [], "nothing is made up"
    async with db.transaction() as tx:
        await store_category(tx, *at, "blacksmiths' anvils", "en")
    await history.run_full_check(say_it_plainly)
    suggested = await list_templates(history)
    assert len(suggested) == 5 and all("blacksmiths' anvils" in text for text in suggested)
    model = EditorModel()
    await run_edited(history, model)
    state = await read_state(history)
    assert model.asked["market"] == 1 and state.market.plural == "anvils" and not state.is_corrected


async def list_templates(history):
    rows = await history.rows("prompt_suggestions")
    return [row["prompt"] for row in rows if row["origin"] == "template"]


async def test_a_market_of_markup_is_refused(history, actor):
    with pytest.raises(Problem) as raised:
        async with history.installation.db.transaction() as tx:
            await correct_market(tx, actor, history.domain_id, msgspec.structs.replace(MARKET, plural="<script>"))
    assert raised.value.code == "validation_failed"


async def test_a_done_action_stays_done_when_its_theme_is_renamed_and_reworded(history, actor):
    model = EditorModel()
    await run_edited(history, model, say=criticize)
    fix = await find_claim(history)
    async with history.installation.db.transaction() as tx:
        await mark_done(tx, actor, history.domain_id, fix.key, now=history.installation.clock())
    await change(history, actor, fix.found.theme_key, label="costs")
    model.replies["wording"] = json.dumps({"items": []})
    await run_edited(history, model, say=criticize)
    again = await find_claim(history)
    assert (again.found.subject, again.key) == ("costs", fix.key) and again.done is not None


async def test_a_dismissed_action_stays_away_until_it_is_restored(history, actor):
    model, at = EditorModel(), (history.workspace_id, history.domain_id)
    await run_edited(history, model)
    db, now = history.installation.db, history.installation.clock()
    task, *others = (await read_tasks(db, *at)).rows
    for reason in ("Not our market.", " They do not list us. "):
        async with db.transaction() as tx:
            row = await dismiss_action(tx, actor, history.domain_id, task.key, reason, now=now)
    assert row.reason == "They do not list us."
    await run_edited(history, model)
    assert [each.key for each in (await read_tasks(db, *at)).rows] == [each.key for each in others]
    page = await list_dismissed_actions(db, *at, after=None, page_size=50)
    assert [each.subject for each in page.rows] == [task.key]
    async with db.transaction() as tx:
        await restore_action(tx, actor, history.domain_id, task.key)
    assert task.key in {each.key for each in (await read_tasks(db, *at)).rows}
    with pytest.raises(Problem):
        async with db.transaction() as tx:
            await dismiss_action(tx, actor, history.domain_id, "get_listed-unknown", "why", now=now)


async def test_a_stranger_cannot_change_a_theme(installation, history, actor):
    other = await open_market(installation)
    await run_edited(other, EditorModel())
    with pytest.raises(Problem) as raised:
        async with installation.db.transaction() as tx:
            await change_theme(tx, actor, other.domain_id, "t1", ThemeChanges(hidden=True))
    assert raised.value.code == "domain_not_found"
    assert not (await read_state(other)).codebook[0].hidden
