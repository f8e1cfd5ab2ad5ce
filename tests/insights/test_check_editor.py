"""The editor of a Full Check in the service: asked once, stored, within its cost, and never in the way of a check."""

import json
from datetime import timedelta

import pytest

from sightline.accounts.models import build_operator_actor
from sightline.accounts.schemas import ProfileChanges
from sightline.accounts.workspaces import change_profile, set_plan
from sightline.insights.editor import caller
from sightline.insights.editor.queries import delete_unused_replies_any_workspace
from sightline.insights.editor.read import read_edition, read_use_any_workspace
from sightline.insights.editor.service import PATIENCE
from sightline.insights.read import list_recommendations, read_themes
from sightline.jobs.retry import Retry
from sightline.plans.table import Plan
from tests.fakes.editor import EditorModel, open_editor, read_given
from tests.insights.anvil_market import LIST, SMALL, market_answer, open_market
from tests.scan_history import ScriptedAnswer

STORED = (("themes", "theme"), ("recommendations", "recommendation"))


def say_it_plainly(prompt, platform):
    """Answer as the market does, with a sentence that can be quoted."""
    if prompt.text != SMALL:
        return market_answer(prompt, platform)
    return ScriptedAnswer("Acme is easy to use in every small forge.\n\nGlobex is heavy.", cited=(LIST,))


async def run_edited(history, model, *, say=say_it_plainly, name="editor-1", prices=None):
    history.installation.clock.advance(days=7)
    scan_id = await history.run_scan("full_check", say, insights=False)
    await history.installation.db.execute("UPDATE scans SET answers_source = 'live' WHERE id = $1", scan_id)
    await history.generate_insights(scan_id, open_editor=open_editor(model, name, prices))
    return scan_id


async def read_state(history):
    return await read_edition(history.installation.db, history.workspace_id, history.domain_id)


async def list_themes(history):
    return await read_themes(history.installation.db, history.workspace_id, history.domain_id)


async def found(history, table, column):
    return [json.loads(row[column]) for row in await history.rows(table)]


async def list_shown(history):
    place = (history.installation.db, history.workspace_id, history.domain_id)
    return (await list_recommendations(*place, "Acme", after=None, page_size=50)).rows


async def test_a_full_check_is_edited_and_everything_is_stored(installation):
    history, model = await open_market(installation), EditorModel(features={"Initech"})
    scan_id = await run_edited(history, model)
    state = await read_state(history)
    assert (state.scan_id, state.editor, state.version) == (scan_id, "local:editor-1", 1)
    assert state.market.plural == "anvils" and [theme.label for theme in state.codebook] == ["ease of use"]
    assert state.account.reason is None and state.account.themes_edited
    (theme,) = await list_themes(history)
    assert (theme.descriptor, theme.theme_key, theme.answers) == ("ease of use", "t1", 5)
    rows = await found(history, "recommendations", "recommendation")
    assert rows and all(row["wording"]["title"].endswith(" now") for row in rows)
    assert all(row.edited and row.action.endswith(" now") for row in await list_shown(history))
    assert [row["prompt"] for row in await history.rows("prompt_suggestions")] == [
        "Which anvil rings least in a small forge?"
    ]
    stored = await installation.db.fetch("SELECT * FROM editor_replies")
    assert len(stored) == model.asked.total() and {row["model_served"] for row in stored} == {"editor-1"}


async def test_the_editor_changes_no_figure(installation):
    history = await open_market(installation)
    scan_id = await history.run_full_check(say_it_plainly)
    tables = ("scan_results", "answers", "scoreboards")
    before = [await installation.db.fetch(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables]
    await installation.db.execute("DELETE FROM drawn_insights")
    await history.generate_insights(scan_id, open_editor=open_editor(EditorModel()))
    assert (await read_state(history)).editor == "local:editor-1"
    assert before == [await installation.db.fetch(f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables]


async def test_equal_requests_are_asked_once_and_give_the_same_insights(installation):
    """As after a crash before anything was stored: the replies are there, and nobody is asked again."""
    history, model = await open_market(installation), EditorModel()
    scan_id = await run_edited(history, model)
    first = [await found(history, *each) for each in STORED]
    asked = model.asked.total()
    for table in ("drawn_insights", "themes", "theme_traces", "recommendations", "codebook_themes", "editions"):
        await installation.db.execute(f"DELETE FROM {table}")
    await history.generate_insights(scan_id, open_editor=open_editor(model))
    assert model.asked.total() == asked
    assert first == [
        await found(history, *each) for each in (("themes", "theme"), ("recommendations", "recommendation"))
    ]


async def test_an_outage_delays_insights_and_then_rules_work_alone(installation):
    history, model = await open_market(installation), EditorModel()
    model.fails_on = "sorting"
    with pytest.raises(Retry) as raised:
        await run_edited(history, model)
    assert raised.value.delay > 0
    assert await history.rows("themes") == [] and await history.rows("recommendations") == []
    asked = model.asked.copy()
    scan_id = await installation.db.fetchval("SELECT id FROM scans ORDER BY id DESC LIMIT 1")
    installation.clock.advance(seconds=PATIENCE.total_seconds())
    await history.generate_insights(scan_id, open_editor=open_editor(model))
    assert model.asked["names"] == asked["names"] and model.asked["themes"] == asked["themes"], "they were stored"
    state = await read_state(history)
    assert state.account.reason == "unavailable" and not state.account.themes_edited
    themes = await list_themes(history)
    assert themes and all(theme.theme_key is None for theme in themes)


async def test_when_the_platform_is_back_the_next_run_asks_only_for_what_is_missing(installation):
    history, model = await open_market(installation), EditorModel()
    model.fails_on = "sorting"
    with pytest.raises(Retry):
        await run_edited(history, model)
    asked, model.fails_on = model.asked.copy(), None
    scan_id = await installation.db.fetchval("SELECT id FROM scans ORDER BY id DESC LIMIT 1")
    await history.generate_insights(scan_id, open_editor=open_editor(model))
    assert model.asked - asked == {"sorting": 1, "wording": 1, "prompts": 1} or model.asked["names"] == asked["names"]
    assert (await read_state(history)).account.themes_edited


async def test_passages_and_names_are_asked_about_once(installation):
    history, model = await open_market(installation), EditorModel()
    await run_edited(history, model)
    asked = model.asked.copy()
    await run_edited(history, model)
    assert model.asked["sorting"] == asked["sorting"] and model.asked["names"] == asked["names"]
    assert model.asked["market"] == 1
    (theme,) = await list_themes(history)
    assert theme.theme_key == "t1" and theme.change.verdict == "no_clear_change"


async def test_labels_and_actions_are_in_the_language_of_the_workspace(installation):
    history, model = await open_market(installation), EditorModel()
    await run_edited(history, model)
    asked = [given for text in model.texts if "language" in (given := read_given(text))]
    assert {given["language"] for given in asked if "actions" in given} == {"en"}, "that of the prompts"
    await installation.db.execute("UPDATE users SET language = 'de'")
    model.texts.clear()
    await run_edited(history, model)
    languages = {given.get("language of labels") or given.get("language") for given in map(read_given, model.texts)}
    assert languages == {"de"}, "the request for prompts is the same, in their own language"


async def test_a_new_model_sorts_the_check_before_again_so_that_like_is_compared(installation):
    history, model = await open_market(installation), EditorModel()
    await run_edited(history, model)
    newer = EditorModel({"ease of use": "easy to use"})
    await run_edited(history, newer, name="editor-2")
    state = await read_state(history)
    assert (state.editor, state.account.former_editor) == ("local:editor-2", "local:editor-1")
    (theme,) = await list_themes(history)
    assert theme.theme_key == "t1" and theme.change.verdict == "no_clear_change"
    trace = json.loads(await installation.db.fetchval("SELECT trace FROM theme_traces"))
    assert trace["editor"] == "local:editor-2"


async def test_themes_of_rules_and_of_an_editor_are_not_compared(installation):
    history, model = await open_market(installation), EditorModel()
    await run_edited(history, model)
    await history.run_full_check(say_it_plainly)  # without an editor
    themes = await list_themes(history)
    assert themes and all(theme.change is None for theme in themes)


@pytest.mark.parametrize(("input_price", "is_edited"), [(0.0001, True), (1_000_000, False)])
async def test_an_edition_costs_at_most_a_twentieth_of_its_check(installation, input_price, is_edited):
    history, model = await open_market(installation), EditorModel()
    history.cost_usd = 0.01
    await run_edited(history, model, prices=(input_price, input_price, 0.0))
    state = await read_state(history)
    answers = await installation.db.fetchval("SELECT count(*) FROM answers")
    assert state.account.cost_usd <= caller.COST_SHARE * 0.01 * answers
    assert bool(model.asked) == is_edited == (not state.account.over_budget)
    assert await list_themes(history), "what costs too much is left to rules"


async def test_without_known_costs_the_number_of_requests_is_bounded(installation, monkeypatch):
    history, model = await open_market(installation), EditorModel()
    # A smaller check would need fewer requests than any sensible minimum.
    monkeypatch.setattr(caller, "FEWEST_REQUESTS", 2)
    await run_edited(history, model)
    state = await read_state(history)
    assert model.asked.total() == 2 and sum(state.account.over_budget.values()) > 0


async def test_a_workspace_can_decline(installation):
    history, model = await open_market(installation), EditorModel()
    async with installation.db.transaction() as tx:
        await change_profile(tx, build_operator_actor(history.workspace_id), ProfileChanges(editor_declined=True))
    await run_edited(history, model)
    assert not model.asked and (await read_state(history)).account.reason == "declined"
    assert await list_themes(history)


async def test_a_paused_platform_is_not_asked(installation):
    history, model = await open_market(installation), EditorModel()
    await installation.db.execute(
        "INSERT INTO platform_pauses (platform, paused_at, reason) VALUES ('local', now(), 'monthly_limit')"
    )
    await run_edited(history, model)
    assert not model.asked and (await read_state(history)).account.reason == "paused"


async def test_themes_are_asked_for_only_where_the_plan_has_them(installation):
    history, model = await open_market(installation), EditorModel()
    async with installation.db.transaction() as tx:
        await set_plan(tx, history.workspace_id, Plan.STARTER, now=installation.clock())
    await run_edited(history, model)
    assert model.asked["names"] and not model.asked["themes"] and not model.asked["sorting"]
    assert await history.rows("themes") == []


@pytest.mark.parametrize("reply", ["I cannot do that.", '{"items": 7}', "[" * 100_000])
async def test_replies_without_the_form_leave_everything_to_rules(installation, reply):
    history, model = await open_market(installation), EditorModel()
    model.replies = dict.fromkeys(("market", "names", "themes", "sorting", "wording", "prompts"), reply)
    await run_edited(history, model)
    actions = await found(history, "recommendations", "recommendation")
    edited = [theme.descriptor for theme in await list_themes(history)]
    other = await open_market(installation)
    await other.run_full_check(say_it_plainly)
    plain = [t.descriptor for t in await list_themes(other)]
    assert edited == plain and not any(row["wording"] for row in actions)
    assert actions and not any(row.edited for row in await list_shown(history))
    use = await read_use_any_workspace(installation.db, since=installation.clock() - timedelta(days=1))
    assert {("names", "unreadable"), ("prompts", "unreadable")} <= {(each.kind, each.reason) for each in use.problems}


async def test_names_that_are_features_are_not_suggested_and_dismissed_ones_stay_away(installation):
    history = await open_market(installation)

    def say(prompt, platform):
        return "1. **Hooli** - a maker of anvils.\n2. **ISO 9001** - a standard.\n3. **Acme** - easy to use."

    await run_edited(history, EditorModel(features={"ISO 9001"}), say=say)
    assert [row["found_as"] for row in await history.rows("competitors")] == ["Hooli"]
    await installation.db.execute("UPDATE competitors SET status = 'dismissed'")
    await run_edited(history, EditorModel(features={"ISO 9001"}), say=say)
    assert [(row["found_as"], row["status"]) for row in await history.rows("competitors")] == [("Hooli", "dismissed")]


async def test_replies_are_deleted_some_weeks_after_their_last_use(installation):
    history, model = await open_market(installation), EditorModel()
    await run_edited(history, model)
    async with installation.db.transaction() as tx:
        await delete_unused_replies_any_workspace(tx, now=installation.clock())
    assert await installation.db.fetchval("SELECT count(*) FROM editor_replies") > 0
    installation.clock.advance(days=36)
    async with installation.db.transaction() as tx:
        await delete_unused_replies_any_workspace(tx, now=installation.clock())
    assert await installation.db.fetchval("SELECT count(*) FROM editor_replies") == 0
