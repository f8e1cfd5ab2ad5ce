"""The page of one competitor: "by prompt, platform, time, head to head"."""

from sightline.competitors.review import add_competitor
from sightline.kit.ids import new_id
from tests.web.dashboard.dashboard_history import QUIET, SCRIPT, DashboardHistory, without_count_links
from tests.web.page_browser import open_browser


def _answer(prompt, platform):
    if platform == "gemini":
        return "1. Globex\n2. Acme"
    if platform == "perplexity":
        return f"Globex {SCRIPT} is what smiths use." if prompt.text == QUIET else "Anvils are heavy."
    return "1. Acme\n2. Globex" if prompt.text == QUIET else "Acme is what smiths use."


async def test_the_page_compares_the_same_answers_by_platform_prompt_and_time(installation):
    dashboard = await DashboardHistory.open(installation, _answer, _answer)
    at = (dashboard.history.workspace_id, dashboard.history.domain_id)
    async with installation.db.transaction() as tx:
        globex = await add_competitor(tx, *at, "globex.com", now=installation.clock())
        initrode = await add_competitor(tx, *at, "initrode.com", now=installation.clock())
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = without_count_links((await browser.get(f"{dashboard.path}/competitors/{globex.id}")).text)
        assert "Globex is named in 4 of 6 answers" in page and "Acme in 4" in page
        assert "It is not certain who is named more often." in page
        facts = page.partition("<dl")[2].partition("</dl>")[0]
        for words, number in (
            ("Both named", 3),
            ("Only Acme named", 1),
            ("Only Globex named", 1),
            ("Neither named", 1),
        ):
            assert f"<dt>{words}</dt><dd>{number}</dd>" in facts
        assert "Globex is ahead of Acme in 2 of the answers that name both, and Acme is ahead in 1." in page
        assert page.count(">2 of 2 <span") == 3, "Globex on Gemini, and Acme there and on ChatGPT"
        assert page.partition('id="prompts"')[2].index(QUIET) > 0 and "Share of answers that name Globex" in page
        listed = await browser.get(f"{dashboard.path}/competitors")
        assert f'href="{dashboard.path}/competitors/{globex.id}"' in listed.text
        unread = await browser.get(f"{dashboard.path}/competitors/{initrode.id}")
        assert unread.status_code == 200 and "Past results are being updated for initrode.com" in unread.text
        for other in (new_id(), "nonsense"):
            assert (await browser.get(f"{dashboard.path}/competitors/{other}")).status_code == 404


async def test_the_competitor_of_another_workspace_is_not_found(installation):
    mine, theirs = await DashboardHistory.open(installation), await DashboardHistory.open(installation)
    at = (theirs.history.workspace_id, theirs.history.domain_id)
    async with installation.db.transaction() as tx:
        globex = await add_competitor(tx, *at, "globex.com", now=installation.clock())
    async with open_browser(installation, mine.tenant.owner) as browser:
        assert (await browser.get(f"{mine.path}/competitors/{globex.id}")).status_code == 404
