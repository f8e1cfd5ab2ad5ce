"""One filter bar on every measuring page, in the address, applied to everything or said otherwise."""

import html
import re

import pytest

from sightline.web.layout import MEASURING, TABS
from tests.installation import PASSWORD
from tests.scan_history import ScanHistory
from tests.web.dashboard.dashboard_history import DashboardHistory, answer_by_platform, without_count_links
from tests.web.page_browser import open_browser

_FEW = "Only 2 answers match this filter."
PAGES = {
    "": "On ChatGPT, Germany: Acme is named in 2 of 2 answers",
    "/answers": "2 answers in the checks since",
    "/sources": _FEW,
    "/sources/anvil-reviews.com": _FEW,
    "/searches": "No searches yet",
    "/platforms/chatgpt": _FEW,
    "/competitors": _FEW,
    "/prompts": "2 of 5 prompts shown · 0 of",
    "/prompts/{prompt}": "Does not apply here: Country. This page shows one prompt, check by check.",
    "/sentiment": _FEW,
    "/opportunities": "Does not apply here: Period, Platform.",
}
"""Each page, and what it says of the filter below."""
STRICT = [page for page in PAGES if page != "/answers"]  # answers of earlier checks may be of what is gone
QUERY = "?period=4w&platform=chatgpt&country=DE"


@pytest.fixture
async def dashboard(installation):
    dashboard = await DashboardHistory.open(installation)
    for country in ("DE", "DE", None):
        await dashboard.history.add_prompt(f"anvil {country} {installation.clock()}", country=country)
        installation.clock.advance(seconds=1)
    await dashboard.history.run_full_check(answer_by_platform)
    return dashboard


async def _fill(dashboard, pages=PAGES):
    prompt = next(iter((await dashboard.prompt_ids()).values()))
    return [(page.format(prompt=prompt), PAGES[page]) for page in pages]


async def test_every_measuring_page_has_the_bar_and_keeps_it_on_the_way_to_the_others(installation, dashboard):
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for page, said in await _fill(dashboard):
            shown = await browser.get(dashboard.path + page + QUERY)
            text = html.unescape(without_count_links(shown.text))
            assert shown.status_code == 200 and 'role="alert"' not in text, page
            for chosen in ("ChatGPT", "Germany"):
                assert re.search(rf'aria-current="true">{chosen}</a>', text), (page, chosen)
            assert said in text, page
            is_explained = "To see an earlier Full Check, set “To” in the filter to its date" in text
            assert is_explained == (page == "/competitors"), page
            assert re.search(
                rf'<a href="{re.escape(dashboard.path + page)}\?[^"]*period=4w[^"]*" aria-current="true">4 weeks', text
            )
            links = {f"{dashboard.path}/{key}".removesuffix("/overview") + QUERY for key in MEASURING - TABS.keys()}
            assert links <= set(re.findall(r'<li><a href="([^"]*)"', text)), page


async def test_an_address_that_cannot_be_applied_says_so_and_shows_nothing_of_others(installation, dashboard):
    other = await ScanHistory.open(installation, "secret anvil")
    foreign = await other.run_full_check(answer_by_platform)
    query = f"?platform=nobody&country=XX&tag=theirs&language=fr&since=2026-02-30&against={foreign}&period=<script>"
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for page, _ in await _fill(dashboard, STRICT):
            plain, shown = (
                (await browser.get(dashboard.path + page)).text,
                await browser.get(dashboard.path + page + query),
            )
            assert shown.status_code == 200 and "Part of the filter was ignored." in shown.text, page
            assert shown.text.lower().count("this domain") >= 4 and "First day: must be a day" in shown.text, page
            assert "secret anvil" not in shown.text and "<script>alert" not in shown.text
            assert _panels(shown.text) == _panels(plain), page


def _panels(page):
    """Return what a page shows below its filter bar."""
    return page[page.index("<main") : page.index("</main>")]


async def test_a_single_tag_can_be_chosen_because_other_prompts_have_none(installation, dashboard):
    prompt = next(iter((await dashboard.prompt_ids()).values()))
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        await browser.post(f"{dashboard.path}/prompts/act", data={"action": "tag", "prompt_id": [prompt], "tags": "eu"})
        page = (await browser.get(f"{dashboard.path}/prompts")).text
    assert 'prompts?tag=eu">eu</a>' in page
    assert "All languages" not in page, "all prompts are in one language"


async def test_a_filter_without_answers_does_not_deny_the_competitors(installation, dashboard):
    await dashboard.history.add_prompt("which anvil is new", country="FR")
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        await browser.post(f"{dashboard.path}/competitors", data={"domain": "globex.com", "names": "Globex"})
        for page in ("", "/competitors"):
            text = (await browser.get(f"{dashboard.path}{page}?country=FR")).text
            assert "There is no ranking without a valid answer." in text and "ompetitor is tracked" not in text, page


async def test_signing_in_brings_back_to_the_filtered_page(installation, dashboard):
    path = f"{dashboard.path}/competitors{QUERY}&tag=caf%C3%A9+au+lait"
    async with open_browser(installation) as browser:
        form = await browser.get((await browser.get(path)).headers["location"])
        (kept,) = re.findall(r'name="next" value="([^"]*)"', form.text)
        given = {"email": dashboard.tenant.owner.email, "password": PASSWORD, "next": html.unescape(kept)}
        assert (await browser.post("/sign-in", data=given)).headers["location"] == path
