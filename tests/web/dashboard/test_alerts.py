"""The Alerts page and the page of one alert: what is open first, gains as gains, links that name their prompt."""

import html
import re

from tests.insights.daily_answers import PROMPTS, answers_naming, find_alerts, open_history, text_naming
from tests.web.dashboard.dashboard_history import DashboardHistory
from tests.web.page_browser import open_browser


def path_of(history, *rest):
    return "/".join((DashboardHistory(history).path, *map(str, rest)))


async def test_open_alerts_come_first_and_lapsed_ones_are_folded_away(installation):
    history = await open_history(installation)
    await history.run_full_check(answers_naming())
    for gemini, chatgpt in ((12, 12), (2, 12), (12, 12), (12, 2), (12, 2)):
        await history.run_daily_check(answers_naming(gemini=gemini, chatgpt=chatgpt))
    (lapsed,) = await find_alerts(history, scope="platform:gemini", state="lapsed")
    (opened,) = await find_alerts(history, scope="platform:chatgpt", state="confirmed")
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(path_of(history, "alerts"))).text
        overview = (await browser.get(path_of(history))).text
        own = (await browser.get(path_of(history, "alerts", opened["id"]))).text
        only = (await browser.get(path_of(history, "alerts") + "?state=lapsed")).text
        assert (await browser.get(path_of(history, "alerts", lapsed["domain_id"]))).status_code == 404
    assert page.index(f"alert-{opened['id']}") < page.index('<details class="panel wide" id="lapsed">')
    assert page.index('id="lapsed"') < page.index(f"alert-{lapsed['id']}")
    assert "Lapsed: 2 changes" in page and "<details open" not in page
    assert f'href="{path_of(history, "alerts", opened["id"])}"' in overview, "the alert itself, not the list"
    assert "On ChatGPT, Acme was named in 2 of 12" in own and "On Gemini" not in own
    assert f"alert-{lapsed['id']}" in only and f"alert-{opened['id']}" not in only


async def test_a_gain_and_a_rise_are_shown_as_such_and_each_link_names_its_prompt(installation):
    history = await open_history(installation)
    await history.run_full_check(answers_naming(chatgpt=2, globex=12))
    for chatgpt, globex in ((2, 2), (11, 2), (11, 2), (11, 11), (11, 11)):
        await history.run_daily_check(answers_naming(chatgpt=chatgpt, globex=globex))
    (gain,) = await find_alerts(history, type="coverage_gain", scope="platform:chatgpt")
    (rise,) = await find_alerts(history, type="competitor_rise", scope="platform:chatgpt competitor:Globex")
    async with open_browser(installation, history.tenant.owner) as browser:
        page = html.unescape((await browser.get(path_of(history, "alerts"))).text)
        risen = html.unescape((await browser.get(path_of(history, "alerts", rise["id"]))).text)
        await _follow_counts(browser, path_of(history, "alerts", rise["id"]), least=7)
        await browser.post(path_of(history, "alerts", rise["id"], "mute"))
        muted = html.unescape((await browser.get(path_of(history, "alerts"))).text)
    assert '<span class="chip state-confirmed good">Gain</span>' in page
    assert re.search(r"On ChatGPT, Acme was named in 11 of 12 Daily Check answers on \d+ Nov, up from 2\.", page)
    assert '<span class="chip state-confirmed move">Globex gains</span>' in page
    assert "Answers that now name Globex, with the earlier answers:" in risen
    assert f'answers?evidence=alert%3A{rise["id"]}">Show all of these answers</a>' in risen
    assert risen.count(f'aria-label="{PROMPTS[4]}, ChatGPT, ') >= 2, "now and before"
    assert "ChatGPT: more answers name Globex" in muted
    assert gain["state"] == "confirmed"


async def test_the_counts_of_a_cell_alert_open_exactly_its_answers(installation):
    history = await open_history(installation)

    def without(prompt, platform):
        gone = platform == "chatgpt" and prompt.text == PROMPTS[4]
        return text_naming(*([] if gone else ["Acme"]), "Globex")

    await history.run_full_check(answers_naming())
    for say in [answers_naming()] * 6 + [without] * 2:
        await history.run_daily_check(say)
    (alert,) = await find_alerts(history, type="cell_lost")
    async with open_browser(installation, history.tenant.owner) as browser:
        await _follow_counts(browser, path_of(history, "alerts", alert["id"]), least=4)
        unknown = f"?evidence=alert:{alert['id']}:nonsense"
        assert (await browser.get(path_of(history, "answers") + unknown)).status_code == 404


async def test_before_any_check_nothing_has_been_measured(installation):
    history = await open_history(installation)
    async with open_browser(installation, history.tenant.owner) as browser:
        first = (await browser.get(path_of(history, "alerts"))).text
        await history.run_full_check(answers_naming())
        second = (await browser.get(path_of(history, "alerts"))).text
        await history.run_daily_check(answers_naming())
        third = (await browser.get(path_of(history, "alerts"))).text
    assert "<h2>Nothing has been measured yet</h2>" in first and "Nothing has fallen" not in first
    assert "<h2>Nothing to compare yet</h2>" in second and "start with the second Daily Check" in second
    assert "<h2>No alerts</h2>" in third


async def _follow_counts(browser, path, *, least):
    """Follow every count of a page to a list of exactly so many answers."""
    counts = re.findall(r'data-count="(\d+)" href="([^"]+)"', (await browser.get(path)).text)
    assert len(counts) >= least, counts
    for number, target in counts:
        found = re.search(r'data-total="(\d+)"', (await browser.get(html.unescape(target))).text)
        assert found is not None and found[1] == number, target
