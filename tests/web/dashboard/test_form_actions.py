"""Muting alerts, marking tasks done, and choosing e-mails: who may, for what, and what becomes of it."""

import pytest

from sightline.accounts.models import Role
from sightline.insights.recommendations.tasks import read_tasks
from tests.insights.anvil_market import market_answer, open_market
from tests.insights.daily_answers import answers_naming, find_alerts, open_history
from tests.web.page_browser import open_browser

EVIL = "<script>alert(1)</script>"


def path_of(history, *rest: str) -> str:
    return "/".join((f"/w/{history.tenant.id}/d/{history.domain_id}", *map(str, rest)))


async def open_alert(installation):
    history = await open_history(installation)
    await history.run_daily_check(answers_naming())
    await history.run_daily_check(answers_naming(chatgpt=3))
    (alert, *_) = await find_alerts(history, scope="platform:chatgpt")
    return history, path_of(history, "alerts", alert["id"])


async def open_task(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    tasks = await read_tasks(installation.db, history.workspace_id, history.domain_id)
    return history, path_of(history, "recommendations", tasks.open[0].key)


async def open_email_settings(installation):
    history = await open_history(installation)
    return history, path_of(history, "settings")


FORMS = {
    "alert_mutes": (open_alert, "mute"),
    "recommendation_marks": (open_task, "done"),
    "members WHERE NOT alert_letters": (open_email_settings, "emails"),
}


@pytest.mark.parametrize("table", FORMS)
async def test_only_members_with_the_editor_role_may_send_the_form_and_it_acts_once(installation, table):
    opened, step = FORMS[table]
    history, form = await opened(installation)
    page = form.rpartition("/")[0] if step != "emails" else form
    changed = f"SELECT count(*) FROM {table}"
    async with open_browser(installation, await installation.member(history.tenant, Role.VIEWER)) as viewer:
        assert "<form" not in (await viewer.get(page)).text.split("<main")[1]
        assert (await viewer.post(f"{form}/{step}")).status_code == 403
    async with open_browser(installation, await installation.user()) as stranger:
        assert (await stranger.post(f"{form}/{step}")).status_code == 404
    async with open_browser(installation) as nobody:
        assert (await nobody.post(f"{form}/{step}")).status_code == 303
    async with open_browser(installation, history.tenant.owner) as owner:
        refused = await owner.post(f"{form}/{step}", headers={"Sec-Fetch-Site": "cross-site"})
        assert refused.status_code == 403
        assert (await owner.get(f"{form}/{step}")).status_code in {303, 404}, "opened again, it leads to a page"
    assert await installation.db.fetchval(changed) == 0
    async with open_browser(installation, await installation.member(history.tenant, Role.EDITOR)) as editor:
        for _ in range(2):
            done = await editor.post(f"{form}/{step}")
            assert (done.status_code, done.headers["location"]) == (303, f"{page}?done={step}")
        assert 'role="status"' in (await editor.get(done.headers["location"])).text
    assert await installation.db.fetchval(changed) == 1


async def test_a_muted_alert_has_a_chip_and_can_be_unmuted(installation):
    history, form = await open_alert(installation)
    await installation.db.execute("UPDATE users SET name = $1", EVIL)
    async with open_browser(installation, history.tenant.owner) as browser:
        before = (await browser.get(path_of(history, "alerts"))).text
        assert "Muted" not in before and 'id="muted"' not in before
        page = (await browser.get((await browser.post(f"{form}/mute")).headers["location"])).text
        assert page.count("Muted · ") == 1
        assert "ChatGPT: fewer answers name Acme" in page and f'action="{form}/unmute"' in page
        assert EVIL not in page and "&lt;script&gt;" in page
        await history.run_daily_check(answers_naming(chatgpt=3))
        assert "No notification was sent: this alert is muted." in (await browser.get(form)).text
        await browser.post(f"{form}/unmute")
        assert "Muted" not in (await browser.get(path_of(history, "alerts"))).text


async def test_a_task_that_is_done_goes_below_the_open_ones_and_off_the_overview(installation):
    history, form = await open_task(installation)
    async with open_browser(installation, history.tenant.owner) as browser:
        first = "Get Acme into g2.com/categories/anvils"
        assert first in (await browser.get(path_of(history))).text
        page = (await browser.get((await browser.post(f"{form}/done")).headers["location"])).text
        opened, done = page.split('id="done"')
        assert first in done and first not in opened and "marked by" in done
        assert first not in (await browser.get(path_of(history))).text
        await browser.post(f"{form}/undo")
        page = (await browser.get(path_of(history, "recommendations"))).text
        assert first in page and 'id="done"' not in page


async def test_an_action_is_dismissed_with_a_reason_and_restored(installation):
    history, form = await open_task(installation)
    page = path_of(history, "recommendations")
    async with open_browser(installation, history.tenant.owner) as browser:
        for reason in ("", "x" * 501):
            refused = await browser.post(f"{form}/dismiss", data={"reason": reason})
            assert "Say why in 1 to 500 characters." in refused.text
        assert 'id="dismissed"' not in (await browser.get(page)).text
        for reason in ("Not now", f"We do not sell there. {EVIL}"):
            assert (await browser.post(f"{form}/dismiss", data={"reason": reason})).status_code == 303
        dismissed = (await browser.get(page)).text
        listed = dismissed.partition('id="dismissed"')[2]
        assert (
            "We do not sell there. &lt;script&gt;" in listed and "Not now" not in listed and f"{form}/restore" in listed
        )
        assert f"{form}/done" not in dismissed
        await browser.post(f"{form}/restore")
        restored = (await browser.get(page)).text
        assert f"{form}/done" in restored and 'id="dismissed"' not in restored


async def test_ids_of_others_and_unknown_steps_are_not_there(installation):
    (history, alert), (market_, task) = await open_alert(installation), await open_task(installation)
    other, own = path_of(await open_market(installation)), path_of(history)
    async with open_browser(installation, history.tenant.owner) as browser:
        for form in (
            alert.replace(own, path_of(market_)) + "/mute",
            f"{own}/recommendations/{task.rpartition('/')[2]}/done",
            f"{alert}/delete",
            f"{own}/alerts/nonsense/mute",
            f"{own}/recommendations/nonsense/done",
            f"{other}/settings/emails",
        ):
            assert (await browser.post(form)).status_code == 404, form
    assert await installation.db.fetchval("SELECT count(*) FROM alert_mutes") == 0
    assert await installation.db.fetchval("SELECT count(*) FROM recommendation_marks") == 0


async def test_notifications_are_chosen_by_each_person_for_themself(installation):
    history, form = await open_email_settings(installation)
    editor = await installation.member(history.tenant, Role.EDITOR)
    async with open_browser(installation, editor) as browser:
        panel = (await browser.get(form)).text.split('id="emails"')[1].split("</section>")[0]
        assert panel.count(" checked") == 2 and editor.email in panel
        await browser.post(f"{form}/emails", data={"report_emails": "on"})
        panel = (await browser.get(form)).text.split('id="emails"')[1].split("</section>")[0]
        assert 'name="alert_emails">' in panel and 'name="report_emails" checked' in panel
    rows = await installation.db.fetch("SELECT user_id FROM members WHERE NOT alert_letters OR NOT report_letters")
    assert [row[0] for row in rows] == [editor.id]
