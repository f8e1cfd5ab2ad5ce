"""The steps of an alert over a made-up month (metrics 3.5)."""

import asyncio

import msgspec
import pytest

from sightline.accounts.models import Role
from sightline.insights.alerts.models import decode_evidence
from sightline.insights.alerts.queries import change_state, find_alert
from sightline.insights.alerts.states import TRANSITIONS, AlertState
from sightline.insights.alerts.summary import summarize_alert
from sightline.presentation.catalogs import PSEUDO
from sightline.presentation.dates import format_short_date
from tests.insights.daily_answers import (
    answers_naming,
    find_alerts,
    list_states,
    open_history,
    prompt_index,
    random_answers,
)
from tests.sent_events import decode_event
from tests.web.untranslated import find_untranslated_in_email


async def snapshot(history):
    return [await history.rows("alerts"), await history.jobs("mail.send"), await history.jobs("event")]


async def test_the_first_daily_has_nothing_to_be_compared_with(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming(chatgpt=0, gemini=0, perplexity=0))
    assert await history.rows("alerts") == []


async def test_a_watch_begins_when_rule_a_or_b_holds_and_nobody_is_notified(installation):
    history = await open_history(installation)
    before = await history.run_daily_check(answers_naming())
    now = await history.run_daily_check(answers_naming(chatgpt=3))
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    assert (alert["type"], alert["state"], alert["scan_id"]) == ("coverage_drop", "watch", now)
    assert (alert["watched_at"], alert["notified_at"]) == (installation.clock(), None)
    evidence = decode_evidence(alert["evidence"])
    assert evidence.against_scan_id == before
    assert (evidence.lost, evidence.gained, evidence.matched_cells, evidence.verdict) == (9, 0, 12, "down")
    assert (evidence.before.named, evidence.now.named, evidence.rules) == (12, 3, ("previous_daily",))
    assert round(evidence.p, 4) == 0.0039
    assert await list_states(history, "overall") == ["watch"], "9 of 36 are enough for the whole, too"
    assert await list_states(history, "platform:gemini") == []
    assert await history.jobs("mail.send") == await history.jobs("event") == []


async def test_every_alert_stores_the_answers_of_the_lost_cells_now_and_before(installation):
    history = await open_history(installation)
    before = await history.run_daily_check(answers_naming())
    now = await history.run_daily_check(answers_naming(chatgpt=3))
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    proofs = decode_evidence(alert["evidence"]).proofs
    query = """SELECT scan_id, text LIKE '%Acme%', platform FROM answers WHERE workspace_id = $1 AND id = ANY($2)"""
    rows = await installation.db.fetch(query, history.workspace_id, [proof.answer_id for proof in proofs])
    assert sorted(map(tuple, rows)) == sorted([(before, True, "chatgpt")] * 9 + [(now, False, "chatgpt")] * 9)
    assert {proof.scan_id for proof in proofs} == {before, now}


async def test_the_next_daily_confirms_against_the_same_baseline_and_only_then_people_are_notified(installation):
    history = await open_history(installation)
    editor, viewer = [await installation.member(history.tenant, role) for role in (Role.EDITOR, Role.VIEWER)]
    await installation.db.execute("UPDATE users SET language = $2 WHERE id = $1", editor.id, PSEUDO)
    before = await history.run_daily_check(answers_naming())
    await history.run_daily_check(answers_naming(chatgpt=3))
    confirming = await history.run_daily_check(answers_naming(chatgpt=3))  # against the fallen day nothing has changed
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    assert (alert["state"], alert["scan_id"], alert["hushed"]) == ("confirmed", confirming, None)
    assert alert["confirmed_at"] == alert["notified_at"] == installation.clock()
    evidence = decode_evidence(alert["evidence"])
    assert evidence.against_scan_id == before
    assert len(evidence.proofs) == 27, "nine cells before, on the day of the fall, and on the day that confirms it"
    emails = await history.jobs("mail.send")
    assert {email["to"] for email in emails} == {history.tenant.owner.email, editor.email}
    assert viewer.email not in str(emails)
    assert len(emails) == 2, "one email to each, whatever the number of alerts"
    emails.sort(key=lambda email: email["to"] == editor.email)
    assert find_untranslated_in_email(emails[1]["subject"], emails[1]["text"]) == []
    day = format_short_date(alert["watched_at"])
    told = f"On ChatGPT, Acme was named in 3 of 12 Daily Check answers on {day}, down from 12. A later Daily Check"
    assert told in emails[0]["text"]
    assert "Overall, Acme was named in 27 of 36" in emails[0]["text"]
    assert (
        "chance. The figures compare the Daily Check that first showed the change with earlier ones.\n"
        in emails[0]["text"]
    )
    page = f"https://sightline.example/w/{history.tenant.id}/d/{history.domain_id}"
    assert f"  {page}/alerts\n" in emails[0]["text"] and "/api/" not in emails[0]["text"]
    assert f"To stop them:\n\n  {page}/settings#emails" in emails[0]["text"]


async def test_a_confirmed_alert_records_the_event_alert_raised(installation):
    history = await open_history(installation)
    for share in (12, 3, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    query = "SELECT body FROM events WHERE workspace_id = $1 AND type = 'alert.raised' AND cause = $2 AND livemode"
    (row,) = await installation.db.fetch(query, history.workspace_id, str(alert["id"]))
    data = decode_event(row[0])["data"]
    assert (data["id"], data["scope"], data["platform"]) == (str(alert["id"]), "platform", "chatgpt")
    assert (data["state"], data["lost"], data["delta"]) == ("confirmed", 9, -75.0)
    assert len(data["answer_ids"]) == 27
    whose = (data["workspace_id"], data["domain_id"], data["livemode"])
    assert whose == (str(history.workspace_id), str(history.domain_id), True)


async def test_a_watch_that_the_next_daily_does_not_confirm_lapses(installation):
    history = await open_history(installation)
    for share in (12, 3, 12):
        await history.run_daily_check(answers_naming(chatgpt=share))
    assert await list_states(history) == ["lapsed"]
    assert await history.jobs("mail.send") == []


async def test_auto_resolve_when_back_inside_the_interval(installation):
    history = await open_history(installation)
    for share in (12, 3, 3, 8):
        await history.run_daily_check(answers_naming(chatgpt=share))
    assert await list_states(history) == ["confirmed"], "12 of 12 reach down to 75.8 %, and 8 of 12 are 66.7 %"
    told = await history.jobs("mail.send")
    await history.run_daily_check(answers_naming(chatgpt=10))
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    assert (alert["state"], alert["resolved_at"]) == ("resolved", installation.clock())
    assert await history.jobs("mail.send") == told, "nobody is told that it is over"


async def test_seven_day_cool_down_per_type_and_scope(installation):
    history = await open_history(installation)
    for share in (12, 3, 3, 12, 3, 3):  # told on the third day, and again true on the sixth
        await history.run_daily_check(answers_naming(chatgpt=share))
    assert await list_states(history) == ["resolved", "confirmed"]
    second = (await find_alerts(history, scope="platform:chatgpt"))[1]
    assert (second["hushed"], second["notified_at"]) == ("cool_down", None)
    assert len(await history.jobs("mail.send")) == 1
    for share in (12, 12, 12, 12, 3, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    third = (await find_alerts(history, scope="platform:chatgpt"))[2]
    assert (third["state"], third["hushed"], third["notified_at"]) == ("confirmed", None, installation.clock())
    assert len(await history.jobs("mail.send")) == 2


async def test_a_drop_is_platform_wide_when_half_of_all_tracked_brands_drop_the_same_day(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming())
    for _ in range(2):
        await history.run_daily_check(answers_naming(chatgpt=3, globex=2))
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    assert (alert["state"], alert["hushed"], alert["notified_at"]) == ("confirmed", "platform_wide", None)
    (whole,) = await find_alerts(history, scope="overall")
    assert (whole["state"], whole["hushed"]) == ("confirmed", "platform_wide"), "nothing is left of it elsewhere"
    assert await history.jobs("mail.send") == await history.jobs("event") == []


async def test_a_drop_that_remains_without_the_platform_that_changed_for_everybody_is_notified(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming())
    for _ in range(2):
        await history.run_daily_check(answers_naming(chatgpt=3, gemini=3, globex=2))
    (chatgpt,) = await find_alerts(history, scope="platform:chatgpt")
    (gemini,) = await find_alerts(history, scope="platform:gemini")
    (whole,) = await find_alerts(history, scope="overall")
    assert (chatgpt["hushed"], gemini["hushed"], whole["hushed"]) == ("platform_wide", None, None)
    assert len(await history.jobs("event")) == 2


async def test_silent_when_valid_is_below_80_percent(installation):
    history = await open_history(installation)

    def with_failures(say, failing):
        return lambda prompt, platform: None if prompt_index(prompt) >= 12 - failing else say(prompt, platform)

    await history.run_daily_check(answers_naming())
    await history.run_daily_check(with_failures(answers_naming(chatgpt=0), 3))
    assert await history.rows("alerts") == [], "9 of 12 are 75 %"
    await history.run_daily_check(answers_naming(chatgpt=0))
    assert await list_states(history) == [], "against an incomplete day: nine cells, and none of them has changed"


async def test_an_incomplete_day_neither_confirms_nor_ends_a_watch(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming())
    await history.run_daily_check(answers_naming(chatgpt=3))
    await history.run_daily_check(
        lambda prompt, platform: None if platform == "chatgpt" else answers_naming()(prompt, platform)
    )
    assert await list_states(history) == ["watch"]
    await history.run_daily_check(answers_naming(chatgpt=3))
    assert await list_states(history) == ["confirmed"]


async def test_rule_b_catches_a_slow_loss_that_no_single_day_shows(installation):
    """With five earlier Dailies: too few mentions for what these cells use to give."""
    history = await open_history(installation)
    for share in (12, 12, 12, 12, 11, 10):
        await history.run_daily_check(answers_naming(chatgpt=share))
    assert await list_states(history) == [], "one lost cell is no alert, and neither are two"
    await history.run_daily_check(answers_naming(chatgpt=8))
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    evidence = decode_evidence(alert["evidence"])
    assert (evidence.rules, evidence.verdict) == (("last_dailies",), "no_clear_change")
    assert evidence.p < 0.01
    known = evidence.history
    assert (known.daily_checks, known.before.named, known.before.answers) == (6, 12 + 12 + 12 + 12 + 11 + 10, 72)
    assert (known.now.named, known.now.answers) == (8, 12)
    row = await find_alert(installation.db, history.workspace_id, history.domain_id, alert["id"])
    day = format_short_date(alert["watched_at"])
    assert summarize_alert(row, evidence, "Acme") == (
        f"On ChatGPT, Acme was named in 8 of 12 Daily Check answers on {day}, down from 69 of 72."
    ), "the earlier Daily Checks decided, so the sentence compares with them"


async def test_a_bad_day_of_a_platform_that_has_many_is_no_alert(installation):
    history = await open_history(installation)
    for share in (9, 5, 9, 5, 9, 5, 9, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    assert await list_states(history) == await list_states(history, "overall") == []


async def test_the_same_day_after_calm_ones_is_a_watch(installation):
    history = await open_history(installation)
    for share in (7, 7, 7, 7, 7, 7, 7, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    assert await list_states(history) == ["watch"]


@pytest.mark.slow
async def test_a_quiet_month_raises_no_alert_of_a_segment_and_at_most_one_of_a_cell(installation):
    """Every cell flips a coin every day: something is lost and gained each day, and nothing has changed.

    Every third such month confirms an alert of a cell, up or down [sim].
    """
    history = await open_history(installation)
    for day in range(30):
        await history.run_daily_check(random_answers(day))
    rows = await history.rows("alerts")
    confirmed = [row["scope"] for row in rows if row["state"] in {"confirmed", "resolved"}]
    assert [scope for scope in confirmed if not scope.startswith("cell:")] == []
    assert len(await history.jobs("mail.send")) == len(confirmed) <= 1


async def test_running_twice_changes_nothing_and_neither_does_an_older_check(installation):
    history = await open_history(installation)
    scans = [await history.run_daily_check(answers_naming(chatgpt=share)) for share in (12, 3, 3)]
    before = await snapshot(history)
    for scan_id in (scans[-1], scans[0], scans[1]):
        await history.generate_insights(scan_id)
    assert await snapshot(history) == before


async def test_a_full_check_moves_no_alert(installation):
    history = await open_history(installation)
    for share in (12, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    before = await history.rows("alerts")
    await history.run_full_check(answers_naming(chatgpt=3))
    assert await history.rows("alerts") == before
    await history.run_daily_check(answers_naming(chatgpt=3))
    assert await list_states(history) == ["confirmed"], "the next Daily confirms, whatever came between"


async def test_an_alert_of_a_platform_that_is_no_longer_measured_is_resolved(installation):
    history = await open_history(installation)
    for share in (12, 3, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    history.platforms = ("gemini", "perplexity")
    await history.run_daily_check(answers_naming())
    assert await list_states(history) == ["resolved"]


async def test_all_evidence_is_stored(installation):
    history = await open_history(installation)
    for share in (12, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    stored = msgspec.json.decode(alert["evidence"])
    assert stored["before"] == {"named": 12, "answers": 12}
    assert (round(stored["low"], 3), stored["high"], stored["delta"]) == (0.758, 1.0, -75.0)


async def test_two_workers_with_the_same_check_notify_once(installation):
    history = await open_history(installation)
    for share in (12, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    installation.clock.advance(days=1)
    scan_id = await history.run_scan("daily_check", answers_naming(chatgpt=3), insights=False)
    await asyncio.gather(*(history.generate_insights(scan_id) for _ in range(3)))
    assert await list_states(history) == ["confirmed"]
    assert len(await history.jobs("mail.send")) == 1
    assert len(await history.jobs("event")) == 2, "one for the platform, one for the whole"


def test_an_alert_has_only_the_transitions_of_the_table():
    ways = {(one, other) for one, others in TRANSITIONS.items() for other in others}
    assert ways == {("watch", "confirmed"), ("watch", "lapsed"), ("confirmed", "resolved")}


async def test_a_state_changes_by_one_guarded_update(installation):
    history = await open_history(installation)
    for share in (12, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    moved = {"scan_id": alert["scan_id"], "at": installation.clock(), "now": installation.clock()}
    async with installation.db.transaction() as tx:
        place = (tx, history.workspace_id, alert["id"])
        watch, confirmed, resolved = AlertState.WATCH, AlertState.CONFIRMED, AlertState.RESOLVED
        with pytest.raises(ValueError, match="cannot change from watch to resolved"):
            await change_state(*place, from_=watch, to=resolved, **moved)
        assert await change_state(*place, from_=confirmed, to=resolved, **moved) is None
        assert (await change_state(*place, from_=watch, to=confirmed, **moved)).state is confirmed
        assert await change_state(*place, from_=watch, to=confirmed, **moved) is None
