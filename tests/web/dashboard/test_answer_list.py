"""Answers: "a Dashboard page that lists answers", and each filter selects exactly the answers that it names."""

import re

from tests.scan_history import ScriptedAnswer
from tests.web.dashboard.dashboard_history import FORGE, DashboardHistory, answer_by_platform, answer_without_chatgpt
from tests.web.page_browser import open_browser


def _total(page):
    return int(re.search(r'data-total="(\d+)"', page)[1])


def answer_in_german(prompt, platform):
    if prompt.language != "de":
        return answer_by_platform(prompt, platform)
    return ScriptedAnswer("Für kleine Schmieden sind die Ambosse von Globex gut.", cited=("https://test.de/ambosse",))


async def _open(installation):
    dashboard = await DashboardHistory.open(installation)
    history = dashboard.history
    await history.add_prompt("Welcher Amboss ist gut?", language="de", country="DE")
    await history.add_prompt("is Acme any good")
    dashboard.scans = [await history.run_full_check(answer_in_german), await history.run_daily_check(_drop_acme)]
    return dashboard


def _drop_acme(prompt, platform):
    return answer_without_chatgpt(prompt, platform) if prompt.text == FORGE else answer_in_german(prompt, platform)


async def test_each_filter_selects_its_answers(installation):
    """Four prompts on three platforms in a Full Check, then in a Daily Check where one answer fails."""
    dashboard = await _open(installation)
    full, daily = dashboard.scans
    prompts = await dashboard.prompt_ids()
    await installation.db.execute("UPDATE prompts SET tags = '{forges}' WHERE prompt = $1", FORGE)
    expected = {
        "": 12,  # the failed answer of the Daily Check does not replace that of the Full Check
        "?counted=headline": 9,
        "?counted=board": 12,
        "?status=failed": 0,
        f"?check={daily}": 11,
        f"?check={daily}&status=failed": 1,
        "?checks=all": 23,
        "?brand=named": 3,
        "?brand=absent": 9,
        "?platform=gemini": 4,
        "?country=DE": 3,
        "?country=global": 9,
        "?language=de": 3,
        f"?prompt={prompts[FORGE]}": 3,
        "?tag=forges": 3,
        "?tag=none": 0,
        "?competitor=Globex": 10,
        "?competitor=Initech": 2,
        "?rivals=named&brand=absent": 7,
        "?site=acme.com": 5,
        "?cited=yes": 5,
        "?site=test.de": 3,
        "?checks=all&change=lost": 0,
        "?q=Amboss": 3,  # in German, "Ambosse" is the same word
        "?q=anvils": 2,
        "?q=anvil&language=de": 0,
        "?q=best+initech": 0,
        "?since=2031-01-01": 0,
        f"?check={full}&against={daily}&brand=named": 2,
    }
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        pages = {query: (await browser.get(f"{dashboard.path}/answers{query}")).text for query in expected}
    assert {query: _total(page) for query, page in pages.items()} == expected


async def test_a_lost_answer_is_found_by_what_changed(installation):
    def lose(prompt, platform):
        return "Globex is good." if prompt.text == FORGE else answer_by_platform(prompt, platform)

    dashboard = await DashboardHistory.open(installation, answer_by_platform, lose)
    before, now = dashboard.scans
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(f"{dashboard.path}/answers?change=lost")).text
        pair = (await browser.get(f"{dashboard.path}/answers?check={now}&against={before}&change=lost")).text
        gained = (await browser.get(f"{dashboard.path}/answers?change=gained")).text
    assert (_total(page), _total(pair), _total(gained)) == (1, 1, 0)
    assert 'title="No longer named since the previous Full Check">No longer named</span>' in page and FORGE in page
    assert '<mark class="competitor">Globex</mark> is good.' in page
    assert (
        "1 answer from the latest checks. Filters: Acme not named, but named in the previous check of the same kind."
        in page
    )


async def test_the_list_goes_on_with_a_cursor_that_fits_only_its_filter(installation):
    dashboard = await DashboardHistory.open(
        installation, answer_by_platform, prompts=[f"question {number}" for number in range(20)]
    )
    path = f"{dashboard.path}/answers"
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        first = (await browser.get(path)).text
        cursor = re.search(r"cursor=([\w-]+)", first)[1]
        second = (await browser.get(f"{path}?cursor={cursor}")).text
        assert (await browser.get(f"{path}?brand=named&cursor={cursor}")).status_code == 400
    link = re.compile(r'class="decisive said" dir="auto"><a href="([^"#]+)')
    shown = [*link.findall(first), *link.findall(second)]
    assert (len(link.findall(first)), len(set(shown))) == (36, 60)


async def test_a_filter_that_cannot_be_and_a_check_of_another_domain_are_refused(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    other = await DashboardHistory.open(installation, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for query in (
            "brand=maybe",
            "check=1",
            "since=yesterday",
            "evidence=wish:1",
            "since=2026-02-02&until=2026-01-01",
        ):
            assert (await browser.get(f"{dashboard.path}/answers?{query}")).status_code == 422, query
        for query in (f"check={other.scans[0]}", f"check={dashboard.scans[0]}&against={other.scans[0]}"):
            assert (await browser.get(f"{dashboard.path}/answers?{query}")).status_code == 404, query
        assert (await browser.get(f"{dashboard.path}/answers?evidence=alert:{other.scans[0]}")).status_code == 404
        assert _total((await browser.get(f"{dashboard.path}/answers?site=';--")).text) == 0
