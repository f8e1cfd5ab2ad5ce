"""Alerts of a single cell that used to name the brand (metrics 3.5, "Cell alert"), and segments of alerts."""

import uuid
from datetime import UTC, datetime, timedelta

from bench.daily_alerts import AlertHistory
from sightline.answers.models import Brand
from sightline.insights.alerts.models import AlertRow, decode_evidence
from sightline.insights.alerts.schemas import to_alert
from sightline.insights.alerts.states import AlertState
from sightline.scans.models import ScanPlan, ScanPrompt
from tests.insights.daily_answers import PROMPTS, answers_naming, find_alerts, open_history, text_naming
from tests.scan_history import ScanHistory


def without(*places):
    """Acme is named everywhere but for these prompts on chatgpt."""
    missing = {PROMPTS[place] for place in places}
    return lambda prompt, platform: text_naming(
        *([] if platform == "chatgpt" and prompt.text in missing else ["Acme"]), "Globex"
    )


async def cells_of(history):
    return await find_alerts(history, type="cell_lost")


async def test_6_of_6_then_2_misses_is_watched_and_confirmed_after_2_more(installation):
    history = await open_history(installation)
    for _ in range(6):
        await history.run_daily_check(answers_naming())
    await history.run_daily_check(without(4))
    assert await history.rows("alerts") == [], "6 of 6 and then 1 is .125"
    await history.run_daily_check(without(4))
    (alert,) = await cells_of(history)
    evidence = decode_evidence(alert["evidence"])
    assert (alert["state"], round(evidence.p, 4), evidence.rules) == ("watch", 0.0278, ("cell",))
    assert (evidence.before.named, evidence.before.answers, evidence.now.answers) == (6, 6, 2)
    assert len(evidence.proofs) == 3, "the last answer that named the brand, and the two that do not"
    await history.run_daily_check(without(4))
    assert [row["state"] for row in await cells_of(history)] == ["watch"], "one miss more is .125 by itself"
    await history.run_daily_check(without(4))
    (alert,) = await cells_of(history)
    assert alert["state"] == "confirmed" and alert["notified_at"] is not None
    (letter,) = await history.jobs("mail.send")
    assert "on ChatGPT, Acme was named in 0 of 4 Daily Checks, after 6 of 6." in letter["text"]
    assert f"    Prompt: “{PROMPTS[4]}”\n" in letter["text"]
    await history.run_daily_check(answers_naming())
    (alert,) = await cells_of(history)
    assert alert["state"] == "resolved"


async def test_fewer_than_five_answers_are_no_history(installation):
    """4 of 4 and then 2 would be .0476."""
    history = await open_history(installation)
    for say in [answers_naming()] * 4 + [without(4)] * 2:
        await history.run_daily_check(say)
    assert await history.rows("alerts") == []


async def test_a_cell_alert_names_its_prompt_and_its_platform(installation):
    history = await open_history(installation)
    for say in [answers_naming()] * 6 + [without(4)] * 2:
        await history.run_daily_check(say)
    (row,) = await cells_of(history)
    query = "SELECT id FROM prompts WHERE workspace_id = $1 AND prompt = $2"
    prompt_id = await installation.db.fetchval(query, history.workspace_id, PROMPTS[4])
    assert row["scope"] == f"cell:{prompt_id}:chatgpt"
    values = {name: row[name] for name in AlertRow.__struct_fields__} | {"state": AlertState(row["state"])}
    shown = to_alert(AlertRow(**values), "Acme")
    assert (shown.scope, shown.platform, shown.prompt_id) == ("cell", "chatgpt", prompt_id)


async def test_a_watched_cell_that_names_the_brand_again_lapses(installation):
    history = await open_history(installation)
    for say in [answers_naming()] * 6 + [without(4)] * 2 + [answers_naming()]:
        await history.run_daily_check(say)
    assert [row["state"] for row in await cells_of(history)] == ["lapsed"]


async def test_a_failed_answer_says_nothing_of_a_watched_cell(installation):
    history = await open_history(installation)

    def failing(prompt, platform):
        return None if (prompt.text, platform) == (PROMPTS[4], "chatgpt") else answers_naming()(prompt, platform)

    for say in [answers_naming()] * 6 + [without(4)] * 2 + [failing]:
        await history.run_daily_check(say)
    assert [row["state"] for row in await cells_of(history)] == ["watch"]


async def test_benjamini_hochberg_over_the_days_tests(installation):
    """A cell with .0278 counts alone, and no longer among cells that miss now and then."""
    history = await open_history(installation)
    odd, even = (5, 7, 9), (6, 8, 10)
    for missing in [odd, even] * 3 + [(4, *odd), (4, *even)]:
        await history.run_daily_check(without(*missing))
    assert await history.rows("alerts") == []


async def test_cells_have_no_alert_of_their_own_while_their_segment_has_one(installation):
    history = await open_history(installation)
    for say in [answers_naming()] * 6 + [answers_naming(chatgpt=3)] * 3:
        await history.run_daily_check(say)
    assert {row["scope"] for row in await history.rows("alerts")} == {"platform:chatgpt", "overall"}


async def test_branded_prompts_stay_out_of_alerts(installation):
    branded = [f"Is Acme the right anvil for forge number {place}?" for place in range(12)]
    history = await ScanHistory.open(installation, *PROMPTS, *branded)

    def fallen(prompt, platform):
        return text_naming("Globex") if "Acme" in prompt.text else text_naming("Acme", "Globex")

    for say in [lambda prompt, platform: text_naming("Acme", "Globex")] * 3 + [fallen] * 3:
        await history.run_daily_check(say)
    assert await history.rows("alerts") == []


async def test_per_country_when_there_is_more_than_one(installation):
    history = await ScanHistory.open(installation)
    for text in PROMPTS:
        await history.add_prompt(text, country="DE")
        await history.add_prompt(text)

    def fallen(prompt, platform):
        return text_naming("Globex") if prompt.country == "DE" else text_naming("Acme", "Globex")

    for say in (lambda prompt, platform: text_naming("Acme", "Globex"), fallen):
        await history.run_daily_check(say)
    scopes = {row["scope"] for row in await history.rows("alerts")}
    assert scopes == {"overall", "country:DE", *(f"platform:{name}" for name in history.platforms)}


def test_a_confirmed_cell_keeps_the_answers_that_its_watch_was_compared_with():
    """Although some of them are older than 30 days when it is confirmed."""
    prompt = ScanPrompt(id=str(uuid.UUID(int=1)), text="q")
    history = AlertHistory(
        ScanPlan(domain="acme.com", brand=Brand("Acme"), competitors=(), prompts=(prompt,), platforms=("chatgpt",))
    )
    start = datetime(2026, 8, 26, 9, tzinfo=UTC)
    for place, is_named in enumerate([*[False] * 2, *[True] * 8, *[False] * 6]):
        history.add_day(start + timedelta(days=2 * place), {(prompt.id, "chatgpt"): is_named}, {})
    (alert,) = history.open.values()
    evidence = decode_evidence(alert.evidence)
    assert (alert.type, alert.state) == ("cell_lost", AlertState.CONFIRMED)
    assert (evidence.before.named, evidence.before.answers) == (8, 10) == (8, len(evidence.counted["before"]))
    assert (evidence.now.named, evidence.now.answers, evidence.delta) == (0, 6, -80)
