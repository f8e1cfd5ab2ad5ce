"""Sources: "domains and pages that the platforms cite, by type, with the gap list"."""

import html
import re
from datetime import timedelta

from sightline.scans.retention.queries import delete_answers, mark_scan_expired
from sightline.scoreboard.source_gaps import GapPage, SourceGaps, read_source_gaps
from tests.scan_history import ScriptedAnswer
from tests.web.dashboard.dashboard_history import SCRIPT, DashboardHistory, answer_by_platform, without_count_links
from tests.web.page_browser import open_browser


async def test_sites_stand_by_type_with_their_trend_and_answers(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = without_count_links((await browser.get(f"{dashboard.path}/sources")).text)
        assert "Across 6 answers, 2 sites are cited" in page
        row = page.partition('/sources/acme.com"')[2].partition("</tr>")[0]
        assert "Your own" in row and "<polyline" in row and '<td class="number">4</td>' in row
        gap = without_count_links((await browser.get(f"{dashboard.path}/sources?tab=gap")).text)
        assert "2 answers name a competitor but not Acme" in gap
        own = (await browser.get(f"{dashboard.path}/sources?type=own")).text
        assert ">acme.com</a>" in own and ">anvil-reviews.com</a>" not in own
        assert ">anvil-reviews.com</a>" in (await browser.get(f"{dashboard.path}/sources?type={SCRIPT}")).text


async def test_new_and_lost_sites_are_those_since_the_previous_full_check(installation):
    dashboard = await DashboardHistory.open(installation)
    for number in range(6):
        await dashboard.history.add_prompt(f"anvil number {number}")
    for site in ("gone.org", "fresh.org"):
        cited = (f"https://{site}/a", "https://stays.org/b")
        await dashboard.history.run_full_check(lambda *_, cited=cited: ScriptedAnswer("Globex is good.", cited=cited))
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for tab, listed in {"new": "fresh.org", "lost": "gone.org"}.items():
            page = (await browser.get(f"{dashboard.path}/sources?tab={tab}")).text
            assert re.findall(r"/sources/([a-z.]+)", page) == [listed]
            assert re.search(rf">{tab.capitalize()} 1</a>", page)
            row = page.partition(f">{listed}</a>")[2]
            number, path = re.search(r'data-count="(\d+)" href="([^"]+)"', row).groups()
            opened = (await browser.get(html.unescape(path))).text
            assert int(number) >= 6 and f'data-total="{number}"' in opened


async def test_the_gap_is_what_answers_cite_that_name_a_competitor_and_not_us(installation):
    def answers(prompt, platform):
        if platform == "chatgpt":  # both are named: no gap
            return ScriptedAnswer("Acme and Globex are good.", cited=("https://both.org/a",))
        if platform == "gemini":  # nobody is named: no gap
            return ScriptedAnswer("Anvils are heavy.", cited=("https://nobody.org/a",))
        return ScriptedAnswer(
            "Globex and Initech are good.",
            cited=("https://gap.org/a", "https://gap.org/b", "https://globex.com/x", "https://acme.com/y"),
        )

    dashboard = await DashboardHistory.open(installation, answers)
    gaps = await read_source_gaps(installation.db, dashboard.history.workspace_id, dashboard.history.domain_id)
    assert gaps.gap == 2
    (site,) = gaps.sites
    assert (site.domain, site.answers, site.competitors) == ("gap.org", 2, ("Globex", "Initech"))
    assert site.pages == (GapPage("gap.org/a", 2), GapPage("gap.org/b", 2))
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(f"{dashboard.path}/sources?tab=gap")).text
        assert "gap.org" in page and "both.org" not in page and "nobody.org" not in page
        assert 'href="https://gap.org/a" rel="noreferrer noopener nofollow"' in page
        answers = html.unescape(re.search(r'href="([^"]*site=gap.org[^"]*)"', page)[1])
        assert "Initech" in (await browser.get(answers)).text


async def test_a_profile_page_of_one_company_is_no_place_to_get_listed_but_its_site_is(installation):
    profile, category = "trustpilot.com/review/elvison.com", "trustpilot.com/categories/anvils"
    cited = (f"https://{profile}", f"https://{category}")
    dashboard = await DashboardHistory.open(installation, lambda *_: ScriptedAnswer("Globex is good.", cited=cited))
    gaps = await read_source_gaps(installation.db, dashboard.history.workspace_id, dashboard.history.domain_id)
    (site,) = gaps.sites
    assert (site.domain, site.answers, [page.url for page in site.pages]) == ("trustpilot.com", gaps.gap, [category])


async def test_a_site_has_the_same_type_in_the_gap_as_in_the_table(installation):
    def answers(prompt, platform):
        if platform == "chatgpt":
            return ScriptedAnswer("Acme and Globex are good.", cited=("https://gap.org/about",))
        return ScriptedAnswer("Globex is good.", cited=("https://gap.org/products/anvil",))

    dashboard = await DashboardHistory.open(installation, answers)
    gaps = await read_source_gaps(installation.db, dashboard.history.workspace_id, dashboard.history.domain_id)
    (site,) = gaps.sites
    assert (site.domain, site.type) == ("gap.org", "other"), "not every cited page is that of a product"


async def test_the_gap_follows_the_latest_answers(installation):
    def close(prompt, platform):
        return "Acme and Globex are good."

    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    at = (dashboard.history.workspace_id, dashboard.history.domain_id)
    assert (await read_source_gaps(installation.db, *at)).gap == 2
    await dashboard.history.run_daily_check(close)
    assert await read_source_gaps(installation.db, *at) == SourceGaps(0, ())
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        assert (await browser.get(f"{dashboard.path}/sources")).status_code == 200


async def test_answers_that_are_no_longer_stored_are_no_closed_gap(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_by_platform)
    history, first = dashboard.history, dashboard.scans[0]
    async with installation.db.transaction() as tx:
        await mark_scan_expired(tx, history.workspace_id, first, now=installation.clock())
        await delete_answers(tx, history.workspace_id, history.domain_id, first)
    day = installation.clock().date() - timedelta(days=1)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for page in ("sources?tab=gap&", "sources/anvil-reviews.com?"):
            text = (await browser.get(f"{dashboard.path}/{page}until={day}")).text
            assert "The answers of this Full Check are no longer stored." in text
            assert "Not available: the answers of this check are no longer stored." in text and "No gap" not in text


async def test_an_empty_page_teaches_what_will_be_there(installation):
    dashboard = await DashboardHistory.open(installation)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        assert "No answers cite a source yet" in (await browser.get(f"{dashboard.path}/sources")).text
        assert "No checks yet" in (await browser.get(f"{dashboard.path}/checks")).text


async def test_an_address_that_somebody_chose_is_inert(installation):
    def answers(prompt, platform):
        return ScriptedAnswer("Globex is good.", cited=(f'https://evil.org/"><script>{SCRIPT}', "data:text/html,x"))

    dashboard = await DashboardHistory.open(installation, answers)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for path in (f"{dashboard.path}/sources?tab=gap", (await dashboard.answers(dashboard.scans[0]))["gemini"]):
            page = (await browser.get(path)).text
            assert "<script>" not in page and 'href="data:' not in page
            assert "evil.org" in html.unescape(page)
