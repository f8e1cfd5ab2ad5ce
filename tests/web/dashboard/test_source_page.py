"""The page of one site: "prompts, platforms, trend, all answers", and "this is a competitor / ours / ignore"."""

import pytest

from sightline.insights.recommendations.tasks import read_tasks
from sightline.scoreboard.source_gaps import read_source_gaps
from tests.insights.anvil_market import market_answer, open_market
from tests.scan_history import ScriptedAnswer
from tests.web.dashboard.dashboard_history import FORGE, DashboardHistory, answer_by_platform, without_count_links
from tests.web.page_browser import open_browser

SITE = "anvil-reviews.com"


@pytest.fixture
async def dashboard(installation):
    return await DashboardHistory.open(installation, answer_by_platform, answer_by_platform)


async def test_a_site_has_its_platforms_prompts_trend_and_answers(installation, dashboard):
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        shown = await browser.get(f"{dashboard.path}/sources/{SITE}")
        page = without_count_links(shown.text)
        assert f"{SITE} is cited in 2 of 6 answers" in page
        assert "33.3% (9.7\u201370.0%) · 0 also name Acme" in page
        pages = page.partition('id="pages"')[2].partition("</table>")[0]
        assert f'href="https://{SITE}/' in pages and "<polyline" in pages and '<td class="number">2</td>' in pages
        assert ">Perplexity</td><td>2 of 2 <span" in page and ">Gemini</td><td>0 of 2 <span" in page
        assert f"Share of answers that cite {SITE}" in page
        assert f"/answers?checks=all&amp;site={SITE}" in shown.text
        assert (await browser.get(f"{dashboard.path}/sources/never-cited.com")).status_code == 404
        assert (await browser.post(f"{dashboard.path}/sources/never-cited.com/ignore")).status_code == 404
        assert (await browser.post(f"{dashboard.path}/sources/{SITE}/explode")).status_code == 404


async def test_a_decision_is_shown_and_undone_and_may_be_sent_twice(installation, dashboard):
    at = (dashboard.history.workspace_id, dashboard.history.domain_id)
    path = f"{dashboard.path}/sources/{SITE}"

    async def list_gaps() -> list[str]:
        return [site.domain for site in (await read_source_gaps(installation.db, *at)).sites]

    assert await list_gaps() == [SITE]
    async with open_browser(installation, dashboard.tenant.owner) as browser:

        async def send(decision: str) -> str:
            for _ in range(2):
                answer = await browser.post(f"{path}/{decision}")
                assert (answer.status_code, answer.headers["location"]) == (303, f"{path}?done={decision}")
            return (await browser.get(answer.headers["location"])).text

        assert "Ignored by " in await send("ignore") and await list_gaps() == []
        assert f">{SITE}</a>" in (await browser.get(f"{dashboard.path}/sources?tab=gap")).text.partition("Ignored: ")[2]
        assert "This is ours" in await send("unignore") and await list_gaps() == [SITE]
        assert "confirmed competitor" in await send("competitor") and await list_gaps() == []
        refused = await browser.post(f"{path}/own")
        assert refused.status_code == 422 and "This domain belongs to a competitor." in refused.text
        assert "This is ours" in await send("not-competitor") and await list_gaps() == [SITE]
        assert "Your own site: its citations count" in await send("own")
        owned = "SELECT owned_domains FROM domains WHERE id = $1"
        assert await installation.db.fetchval(owned, at[1]) == [SITE]
        assert "This is ours" in await send("not-own")
        assert await installation.db.fetchval(owned, at[1]) == []
    reasons = await installation.db.fetch("SELECT DISTINCT reason FROM recomputations")
    assert len(reasons) == 1, "stored answers are read again, and requests wait as one"


async def test_an_ignored_site_is_not_recommended(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    at = (history.workspace_id, history.domain_id)
    assert "g2.com" in {task.found.site for task in (await read_tasks(installation.db, *at)).open}
    async with open_browser(installation, history.tenant.owner) as browser:
        await browser.post(f"{DashboardHistory(history).path}/sources/g2.com/ignore")
    assert "g2.com" not in {task.found.site for task in (await read_tasks(installation.db, *at)).open}


async def test_the_own_site_of_a_rival_that_nobody_tracks_is_no_place_to_get_listed(installation):
    def answers(prompt, platform):
        if prompt.text == FORGE:  # suggested as a competitor: three answers present it
            text = "1. [Hooli](https://hooli.com/anvils) is good.\n2. Globex is good."
            return ScriptedAnswer(text, cited=("https://hooli.com/anvils", "https://smithing.org/a"))
        if platform == "chatgpt":  # presented once: not even suggested
            text = "1. [Piedpiper](https://piedpiper.com/anvils) is good.\n2. Globex is good."
            return ScriptedAnswer(text, cited=("https://piedpiper.com/anvils",))
        return "Globex is good."

    dashboard = await DashboardHistory.open(installation, answers)
    gaps = await read_source_gaps(installation.db, dashboard.history.workspace_id, dashboard.history.domain_id)
    assert [site.domain for site in gaps.sites] == ["smithing.org"]
