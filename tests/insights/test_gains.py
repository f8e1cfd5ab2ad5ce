"""Gains of the brand and rises of competitors: the same tests and the same confirmation as drops (metrics 3.5)."""

import json
import uuid
from types import SimpleNamespace

import msgspec
import pytest

from sightline.insights.alerts.change_statistics import run_segment_test
from sightline.insights.alerts.daily_checks import Baseline, DailyCheck
from sightline.insights.alerts.models import Evidence, Share, decode_evidence
from sightline.insights.alerts.reported_change import read_history, read_reported_change
from sightline.kit.ids import new_id
from sightline.presentation.dates import format_short_date
from sightline.scoreboard.models import CellFacts
from tests.insights.daily_answers import (
    PROMPTS,
    answers_naming,
    find_alerts,
    open_history,
    prompt_index,
    text_naming,
)
from tests.installation import START


def naming_rival(places, *, acme=6):
    """Acme is named for some prompts everywhere, and Globex for this many on chatgpt."""

    def say(prompt, platform):
        names = ["Acme"] if prompt_index(prompt) < acme else []
        return text_naming(*names, *(["Globex"] if platform == "chatgpt" and prompt_index(prompt) < places else []))

    return say


async def states_of(history, kind, scope):
    return [row["state"] for row in await find_alerts(history, type=kind, scope=scope)]


async def test_a_gain_is_watched_confirmed_and_told_as_a_gain(installation):
    history = await open_history(installation)
    before = await history.run_daily_check(answers_naming(chatgpt=2))
    await history.run_daily_check(answers_naming(chatgpt=11))
    assert await states_of(history, "coverage_gain", "platform:chatgpt") == ["watch"]
    assert await history.jobs("mail.send") == await history.jobs("event") == []
    now = await history.run_daily_check(answers_naming(chatgpt=11))
    (alert,) = await find_alerts(history, type="coverage_gain", scope="platform:chatgpt")
    evidence = decode_evidence(alert["evidence"])
    assert (alert["state"], alert["scan_id"], evidence.against_scan_id) == ("confirmed", now, before)
    assert (evidence.gained, evidence.lost, evidence.delta, evidence.verdict) == (9, 0, 75.0, "up")
    query = "SELECT text LIKE '%Acme%', count(*) FROM answers WHERE id = ANY($1) GROUP BY 1"
    proofs = [proof.answer_id for proof in evidence.proofs]
    assert dict(map(tuple, await installation.db.fetch(query, proofs))) == {True: 18, False: 9}
    assert await find_alerts(history, type="coverage_drop") == []
    (email,) = await history.jobs("mail.send")
    assert email["subject"] == "More AI answers name Acme"
    assert "More answers name Acme:" in email["text"] and "Fewer" not in email["text"]
    day = format_short_date(alert["watched_at"])
    assert f"On ChatGPT, Acme was named in 11 of 12 Daily Check answers on {day}, up from 2. A later" in email["text"]
    page = f"https://sightline.example/w/{history.tenant.id}/d/{history.domain_id}"
    assert f"    {page}/alerts/{alert['id']}\n" in email["text"]
    query = "SELECT body FROM events WHERE workspace_id = $1 AND type = 'alert.raised' AND cause = $2"
    data = json.loads(await installation.db.fetchval(query, history.workspace_id, str(alert["id"])))["data"]
    assert (data["type"], data["competitor"], data["verdict"]) == ("coverage_gain", None, "up")


async def test_a_rise_of_a_competitor_is_watched_confirmed_and_names_it(installation):
    history = await open_history(installation)
    for places in (2, 11):
        await history.run_daily_check(naming_rival(places))
    assert await states_of(history, "competitor_rise", "platform:chatgpt competitor:Globex") == ["watch"]
    await history.run_daily_check(naming_rival(11))
    (alert,) = await find_alerts(history, type="competitor_rise", scope="platform:chatgpt competitor:Globex")
    assert alert["state"] == "confirmed" and alert["notified_at"] is not None
    (email,) = await history.jobs("mail.send")
    assert email["subject"] == "More AI answers name Globex"
    day = format_short_date(alert["watched_at"])
    assert f"On ChatGPT, Globex was named in 11 of 12 Daily Check answers on {day}, up from 2. A later" in email["text"]
    assert {row["type"] for row in await history.rows("alerts")} == {"competitor_rise"}, "nothing changed for Acme"
    await history.run_daily_check(naming_rival(2))
    assert await states_of(history, "competitor_rise", "platform:chatgpt competitor:Globex") == ["resolved"]


async def test_the_end_of_a_drop_and_the_day_after_a_bad_one_are_no_gains(installation):
    history = await open_history(installation)
    for share in (11, 11, 3, 3, 11, 11):
        await history.run_daily_check(answers_naming(chatgpt=share))
    assert {row["type"] for row in await find_alerts(history, scope="platform:chatgpt")} == {"coverage_drop"}
    for places in (11, 2, 11, 11):  # nobody watches the drops of a competitor
        await history.run_daily_check(naming_rival(places, acme=11))
    assert await find_alerts(history, type="competitor_rise") == []


@pytest.mark.parametrize(("earlier", "is_gain"), [((2, 2), True), ((11, 2), False)])
def test_a_gain_is_above_every_earlier_day_not_only_above_the_last_one(earlier, is_gain):
    *days, today = (_build_day(named) for named in (*earlier, 11))
    found = run_segment_test(today.cells, today, Baseline(days[-1], days), "up")
    assert found.holds_by("previous_daily") is is_gain


def _build_day(named: int) -> DailyCheck:
    cells = {
        (f"prompt {number}", "chatgpt"): CellFacts("chatgpt", "ok", str(uuid.uuid4()), mentioned=number < named)
        for number in range(12)
    }
    return DailyCheck(uuid.uuid4(), START, cells)


async def test_a_drop_after_a_gain_is_still_a_drop(installation):
    history = await open_history(installation)
    for share in (2, 11, 11, 2, 2):
        await history.run_daily_check(answers_naming(chatgpt=share))
    assert await states_of(history, "coverage_gain", "platform:chatgpt") == ["resolved"]
    assert await states_of(history, "coverage_drop", "platform:chatgpt") == ["confirmed"]


async def test_a_gain_of_half_of_all_brands_is_platform_wide(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming(chatgpt=2, globex=2))
    for _ in range(2):
        await history.run_daily_check(answers_naming(chatgpt=11, globex=11))
    (gain,) = await find_alerts(history, type="coverage_gain", scope="platform:chatgpt")
    (rise,) = await find_alerts(history, type="competitor_rise", scope="platform:chatgpt competitor:Globex")
    assert gain["hushed"] == rise["hushed"] == "platform_wide"
    assert await history.jobs("mail.send") == []


async def test_a_cell_that_begins_to_name_the_brand(installation):
    history = await open_history(installation)

    def say(found):
        missing = {PROMPTS[4]} if not found else set()
        return lambda prompt, platform: text_naming(
            *([] if platform == "chatgpt" and prompt.text in missing else ["Acme"]), "Globex"
        )

    for found in [False] * 6 + [True] * 4:
        await history.run_daily_check(say(found))
    (alert,) = await find_alerts(history, type="cell_gained")
    evidence = decode_evidence(alert["evidence"])
    assert (alert["state"], evidence.before.named, evidence.before.answers, evidence.now.named) == (
        "confirmed",
        0,
        6,
        4,
    )
    assert (len(evidence.counted["before"]), len(evidence.counted["now"])) == (6, 4)
    (email,) = await history.jobs("mail.send")
    assert "on ChatGPT, Acme was named in 4 of 4 Daily Checks, after 0 of 6." in email["text"]


async def test_a_gain_that_lasts_is_the_new_level_after_30_days(installation):
    history = await open_history(installation)
    for share in (2, 11, 11):
        await history.run_daily_check(answers_naming(chatgpt=share))
    installation.clock.advance(days=29)
    await history.run_daily_check(answers_naming(chatgpt=11))
    assert await states_of(history, "coverage_gain", "platform:chatgpt") == ["resolved"]


def test_evidence_of_earlier_releases_is_read():
    """Alerts stored before gains existed have no `counted`; a count without it has no link."""
    stored = {
        "against_scan_id": "01990f70-51c2-7e6f-a3d8-47b0c95e1f28",
        "rules": ["cell"],
        "before": {"named": 6, "answers": 6},
        "now": {"named": 0, "answers": 2},
        "verdict": "down",
        "proofs": [],
        **dict.fromkeys(("matched_cells", "lost", "gained"), 1),
        **dict.fromkeys(("low", "high", "delta", "p"), 0.5),
    }
    assert decode_evidence(json.dumps(stored).encode()).counted == {}
    first, second, newest = (str(new_id()) for _ in range(3))
    proofs = [{"scan_id": each, "answer_id": str(new_id())} for each in (newest, second, first)]
    evidence = decode_evidence(json.dumps({**stored, "against_scan_id": first, "proofs": proofs}).encode())
    row = SimpleNamespace(type="cell_lost", scope=f"cell:{new_id()}:chatgpt", scan_id=uuid.UUID(newest))
    reported, known = read_reported_change(row, evidence), read_history(row, evidence)
    assert (str(reported.scan_id), reported.before, reported.now) == (second, Share(1, 1), Share(0, 1))
    assert (known.daily_checks, known.before, known.now) == (6, Share(6, 6), Share(0, 2))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**stored, "counted": {"other": []}}, Evidence)
