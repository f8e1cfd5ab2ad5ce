"""Every number opens: "every count in the app is a link to exactly those answers"."""

import html
import re
from urllib.parse import urljoin

import pytest

from sightline.competitors.review import add_competitor
from tests.insights.anvil_market import market_answer, open_market
from tests.scan_history import ScanHistory, ScriptedAnswer
from tests.web.dashboard.dashboard_history import DashboardHistory, without_count_links
from tests.web.page_browser import open_browser

PROMPTS = [f"which anvil is good for {use}" for use in ("knives", "nails", "gates", "rings", "tools", "art", "hooks")]
PAGES = {
    "": 9,
    "?metric=share_of_voice_pct": 12,
    "?metric=brand_coverage_pct&platform=chatgpt": 4,
    "?against={first}&tag=metal": 4,
    "?against={first}&platform=gemini&language=en": 6,
    "?until={day}": 1,
    "?until={day}&platform=gemini": 1,
    "/competitors": 3,
    "/competitors?platform=chatgpt": 3,
    "/competitors/{competitor}": 30,
    "/competitors/{competitor}?platform=chatgpt&period=4w": 25,
    "/sources": 3,
    "/sources?tab=gap": 2,
    "/sources?tab=new": 1,
    "/sources?platform=gemini&language=en": 3,
    "/sources?until={day}&tag=metal": 2,
    "/sources/g2.com": 25,
    "/sources/g2.com?tag=metal": 8,
    "/sentiment?until={day}": 4,
    "/sentiment?until={day}&platform=gemini": 4,
    "/opportunities": 2,
    "/prompts": 12,
    "/prompts?platform=gemini&tag=metal&against={first}": 5,
    "/prompts?until={day}": 12,
    "/prompts/{prompt}": 5,
    "/platforms/perplexity": 12,
    "/platforms/chatgpt?country=global": 12,
    "/prompts/{prompt}?platform=gemini&until={day}": 3,
}
"""Each page, with the fewest counts that it has to show: a page that loses its links fails."""
_COUNT = re.compile(r'data-count="(\d+)" href="([^"]+)"')


def _say(named, site):
    def say(prompt, platform):
        number = next((index for index, text in enumerate(PROMPTS) if text == prompt.text), None)
        if number is None:  # a branded prompt: sentiment and sources count it, the headline does not
            return ScriptedAnswer("Acme is bad and Globex is good.", cited=("https://g2.com/acme",))
        if platform == "perplexity" and number == 6:
            return None
        if number < named:
            text = "1. Acme is excellent, reliable and quiet.\n2. Globex" if number else "Globex, then Acme: excellent."
            return ScriptedAnswer(text, cited=(f"https://{site}/{number}",))
        return ScriptedAnswer(
            "Globex is what most smiths use. Initech follows.", cited=(f"https://{site}/x", "https://globex.com/a")
        )

    return say


@pytest.fixture
async def dashboard(installation):
    history = await ScanHistory.open(installation, *PROMPTS, "is Acme any good")
    dashboard = DashboardHistory(history)
    dashboard.scans = [await history.run_full_check(_say(2, "wiki.org"))]
    dashboard.scans.append(await history.run_full_check(_say(6, "g2.com")))
    for named in (6, 6, 1, 1):
        await history.run_daily_check(_say(named, "g2.com"))
    await history.add_prompt("added after the Full Check")
    await history.run_daily_check(_say(1, "g2.com"))
    return dashboard


@pytest.mark.slow
async def test_every_count_opens_exactly_its_answers(installation, dashboard):
    ids = await dashboard.prompt_ids()
    async with installation.db.transaction() as tx:
        await tx.execute("UPDATE prompts SET tags = ARRAY['metal'] WHERE prompt = ANY($1)", [PROMPTS[0], PROMPTS[6]])
        globex = await add_competitor(
            tx, dashboard.history.workspace_id, dashboard.history.domain_id, "globex.com", now=installation.clock()
        )
    first = dashboard.scans[0]
    day = await installation.db.fetchval("SELECT completed_at::date FROM scans WHERE id = $1", first)
    filled = {"prompt": ids[PROMPTS[0]], "first": first, "day": day, "competitor": globex.id}
    pages = {page.format(**filled): least for page, least in PAGES.items()}
    found = await _walk(installation, dashboard.tenant.owner, dashboard.path, pages)
    assert {page: least for page, least in pages.items() if found[page] < least} == {}, found


async def test_what_changed_tells_the_findings_and_opens_what_was_gained_and_lost(installation, dashboard):
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(dashboard.path)).text
    section = without_count_links(page.partition('id="changed"')[2].partition("</details>")[0])
    assert re.search(r"The Full Check of <a [^>]*>\d+ \w+</a>, the one of <a ", section)
    told = "Overall, Acme is named in 18 of 20 answers, up from 6 on 16 Nov."
    assert told in section and "Worth watching" in section and "12 answers gained" in section
    assert "Overall, Initech is named in 2 of 20 answers, down from 14 on 16 Nov." in section
    assert "now cites g2.com: " in section and "no longer cites wiki.org" in section
    assert told in page.partition("<h1>")[2].partition("</h1>")[0]
    for part in ("change_of=competitor", "site=g2.com", "site=wiki.org"):
        assert part in page, part


async def test_the_answers_of_themes_recommendations_and_opportunities_open(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    pages = ("/sentiment", "/recommendations", "/opportunities")
    found = await _walk(installation, history.tenant.owner, DashboardHistory(history).path, pages)
    least = {"/recommendations": 1, "/opportunities": 7, "/sentiment": 6}
    assert {page: number for page, number in least.items() if found[page] < number} == {}, found


async def test_the_answers_of_new_and_lost_sources_and_of_spot_checks_open(installation):
    history = await ScanHistory.open(installation, PROMPTS[0])
    for site in ("wiki.org", "wiki.org", "g2.com", "g2.com"):
        await history.run_daily_check(_say(1, site))
    await history.run_daily_check(lambda _, platform: None if platform == "gemini" else _say(1, "g2.com")(_, platform))
    ((_, prompt),) = (await DashboardHistory(history).prompt_ids()).items()
    page = f"/prompts/{prompt}"
    found = await _walk(installation, history.tenant.owner, DashboardHistory(history).path, [page])
    assert found[page] >= 14  # of three platforms: a new and a lost site, and a spot check


async def _walk(installation, owner, path, pages):
    """Follow every count of the pages, and return how many each page has."""
    wrong, found, totals = [], {}, {}
    async with open_browser(installation, owner) as browser:
        for page in pages:
            text = (await browser.get(path + page)).text
            counts = {(int(number), html.unescape(target)) for number, target in _COUNT.findall(text)}
            found[page] = len(counts)
            for number, target in sorted(counts):
                address = urljoin(path + page, target)
                if address not in totals:  # several pages link to the same answers
                    total = re.search(r'data-total="(\d+)"', (await browser.get(address)).text)
                    totals[address] = total and int(total[1])
                if totals[address] != number:
                    wrong.append((page, number, target, totals[address]))
    assert wrong == []
    return found
