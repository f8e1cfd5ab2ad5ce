"""A muted alert "still goes through its states", and "nobody is told"; and who gets letters at all."""

import uuid

import msgspec
import pytest

from sightline.accounts.email_preferences import read_email_preferences, set_email_preferences
from sightline.accounts.models import Actor, EmailPreferences, Role
from sightline.errors import Problem
from sightline.insights.alerts import queries as alert_queries
from sightline.insights.alerts.models import MuteRow
from sightline.insights.alerts.mute import find_muted, mute_alert, unmute_alert
from sightline.insights.alerts.queries import list_mutes
from sightline.insights.alerts.schemas import to_alert
from sightline.insights.alerts.scopes import format_scope, parse_scope
from sightline.insights.read import list_alerts
from sightline.plans.table import Plan
from tests.insights.daily_answers import answers_naming, find_alerts, list_states, open_history

BOTH = EmailPreferences(alert_emails=True, report_emails=True)


def actor_of(history, user=None) -> Actor:
    user = user or history.tenant.owner
    return Actor("session", history.workspace_id, user.id, Role.OWNER, Plan.AGENCY, livemode=True)


async def act(history, step, alert_id, **options):
    async with history.installation.db.transaction() as tx:
        await step(tx, actor_of(history), history.domain_id, alert_id, **options)


async def mute(history, scope):
    (alert, *_) = await find_alerts(history, scope=scope)
    await act(history, mute_alert, alert["id"], now=history.installation.clock())
    return alert["id"]


async def events(history):
    query = "SELECT cause FROM events WHERE workspace_id = $1 AND type = 'alert.raised'"
    return [row[0] for row in await history.installation.db.fetch(query, history.workspace_id)]


async def test_a_muted_alert_is_confirmed_and_resolved_without_e_mail_or_event(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming())
    await history.run_daily_check(answers_naming(chatgpt=3))
    for scope in ("platform:chatgpt", "overall"):
        await mute(history, scope)
        await mute(history, scope)  # twice changes nothing
    await history.run_daily_check(answers_naming(chatgpt=3))
    (alert,) = await find_alerts(history, scope="platform:chatgpt")
    assert (alert["state"], alert["hushed"], alert["notified_at"]) == ("confirmed", "muted", None)
    assert await history.jobs("mail.send") == await history.jobs("event") == await events(history) == []
    await history.run_daily_check(answers_naming())
    assert await list_states(history) == ["resolved"]


async def test_a_mute_covers_one_type_and_scope_and_ends_with_unmuting(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming())
    await history.run_daily_check(answers_naming(chatgpt=3))
    alert_id = await mute(history, "platform:chatgpt")
    await history.run_daily_check(answers_naming(chatgpt=3))
    (letter,) = await history.jobs("mail.send")
    assert "Overall, Acme was named in 27 of 36" in letter["text"] and "On ChatGPT" not in letter["text"]
    await act(history, unmute_alert, alert_id)
    await act(history, unmute_alert, alert_id)
    for share in (12, 3, 3):  # what is told now was never told before, so nothing cools down
        await history.run_daily_check(answers_naming(chatgpt=share))
    second = (await find_alerts(history, scope="platform:chatgpt"))[1]
    assert (second["hushed"], second["notified_at"]) == (None, installation.clock())
    assert "On ChatGPT" in (await history.jobs("mail.send"))[-1]["text"]


async def test_the_list_of_mutes_says_who_muted_and_which_alerts_are_covered(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming())
    await history.run_daily_check(answers_naming(chatgpt=3))
    alert_id = await mute(history, "platform:chatgpt")
    mutes = await list_mutes(installation.db, history.workspace_id, history.domain_id)
    (row,) = mutes
    assert (row.type, row.scope, row.alert_id) == ("coverage_drop", "platform:chatgpt", alert_id)
    assert (row.muted_by, row.muted_at) == (history.tenant.owner.name, installation.clock())
    found = await list_alerts(
        installation.db, history.workspace_id, history.domain_id, "Acme", after=None, page_size=10
    )
    assert find_muted(found.rows, mutes) == {alert_id} and len(found.rows) == 2


async def test_a_scope_that_is_read_is_spelled_as_it_was(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming())
    await history.run_daily_check(answers_naming(chatgpt=3))
    (row, *_) = await alert_queries.list_open_alerts(installation.db, history.workspace_id, history.domain_id)
    scopes = ["overall", "platform:chatgpt", "country:DE", "country:global", f"cell:{uuid.UUID(int=7)}:grok"]
    scopes += ["overall competitor:Globex", "platform:chatgpt competitor:A: competitor:B"]
    shown = [to_alert(msgspec.structs.replace(row, scope=scope), "Acme") for scope in scopes]
    assert [format_scope(parse_scope(scope)) for scope in scopes] == scopes
    assert shown[-1].competitor == "A: competitor:B"
    mutes = [MuteRow(row.type, scope, row.watched_at, "Ada", row.id, None) for scope in scopes]
    for alert, mute in zip(shown, mutes, strict=True):
        assert find_muted([alert], [mute]) == {alert.id}
        assert find_muted([alert], [other for other in mutes if other is not mute]) == frozenset()


async def test_an_alert_of_another_domain_or_workspace_is_not_found(installation):
    history, other = await open_history(installation), await open_history(installation)
    await history.run_daily_check(answers_naming())
    await history.run_daily_check(answers_naming(chatgpt=3))
    (alert, *_) = await find_alerts(history, scope="platform:chatgpt")
    for step, options in ((mute_alert, {"now": installation.clock()}), (unmute_alert, {})):
        for alert_id in (alert["id"], uuid.UUID(int=1), None):
            with pytest.raises(Problem, match="not_found"):
                await act(other, step, alert_id, **options)
    assert await installation.db.fetchval("SELECT count(*) FROM alert_mutes") == 0


async def test_each_member_chooses_their_letters_and_editors_and_above_get_those_that_they_want(installation):
    history = await open_history(installation)
    silent, keen = [await installation.member(history.tenant, Role.EDITOR) for _ in range(2)]
    assert await read_email_preferences(installation.db, actor_of(history, silent)) == BOTH
    async with installation.db.transaction() as tx:
        await set_email_preferences(
            tx, actor_of(history, silent), EmailPreferences(alert_emails=False, report_emails=True)
        )
        await set_email_preferences(
            tx, actor_of(history, keen), EmailPreferences(alert_emails=True, report_emails=False)
        )
        with pytest.raises(Problem, match="workspace_not_found"):
            await set_email_preferences(tx, actor_of(history, await installation.user()), BOTH)
    for share in (12, 3, 3):
        await history.run_daily_check(answers_naming(chatgpt=share))
    told = {letter["to"] for letter in await history.jobs("mail.send")}
    assert told == {history.tenant.owner.email, keen.email}
