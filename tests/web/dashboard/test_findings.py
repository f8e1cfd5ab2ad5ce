"""Sentiment, opportunities, recommendations, alerts and reports: what checks lead to, and what it stands on."""

import re

import pytest

from sightline.accounts.models import Role
from sightline.plans.table import Plan
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from tests.insights.anvil_market import BEST, market_answer, open_market, weaken_perplexity
from tests.insights.daily_answers import answers_naming, open_history
from tests.scan_history import ScanHistory
from tests.web.dashboard.dashboard_history import without_count_links
from tests.web.page_browser import open_browser

PAGES = ("competitors", "sentiment", "opportunities", "recommendations", "alerts", "reports", "settings")


def path_of(history, *rest: str) -> str:
    return "/".join((f"/w/{history.tenant.id}/d/{history.domain_id}", *map(str, rest)))


@pytest.mark.parametrize("page", PAGES)
async def test_every_page_works_before_the_first_check_and_for_a_viewer(installation, page):
    tenant = await installation.tenant(Plan.STARTER)
    domain = await installation.tracked_domain(tenant)
    async with open_browser(installation, await installation.member(tenant, Role.VIEWER)) as browser:
        shown = await browser.get(f"/w/{tenant.id}/d/{domain}/{page}")
        assert shown.status_code == 200
        assert '<form method="post"' not in shown.text.split("<main")[1]
        assert (await browser.get(f"/w/{tenant.id}/d/{tenant.id}/{page}")).status_code == 404
    async with open_browser(installation, await installation.user()) as stranger:
        assert (await stranger.get(f"/w/{tenant.id}/d/{domain}/{page}")).status_code == 404
    async with open_browser(installation) as nobody:
        assert (await nobody.get(f"/w/{tenant.id}/d/{domain}/{page}")).status_code == 303


async def test_sentiment_shows_each_full_check_and_themes_with_a_quote_and_answers(installation):
    history = await open_market(installation)
    await history.run_full_check(lambda prompt, _: "Acme is bad." if prompt.text == BEST else "It depends.")
    scan_id = await history.run_full_check(market_answer)
    async with open_browser(installation, history.tenant.owner) as browser:
        page = without_count_links((await browser.get(path_of(history, "sentiment"))).text)
    assert "5 of 5 scored answers speak positively of Acme, 0 negatively." in page and "Net sentiment" in page
    ratings = page.partition('id="ratings"')[2].partition("</table>")[0]
    counts = re.findall(r'<td class="number">(\d+)</td>', ratings)
    assert counts[:4] == [*"5000"] and counts[4:5] == ["0"] and sum(map(int, counts[5:])) == 5, "the newest first"
    assert "ease of use" in page and "Sets you apart" in page and "easy to use" in page
    assert "5 answers · 5 praise it" in page
    assert f"/answers/{scan_id}/" in page


async def test_what_is_not_measured_is_never_a_zero(installation):
    history = await open_market(installation)
    await history.run_full_check(lambda *_: "Nobody is named here.")
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(path_of(history, "sentiment"))).text
    assert "Net sentiment not measured" in page and "scored answers speak" not in page


@pytest.mark.parametrize("hours", [24, 1])
async def test_a_daily_check_does_not_change_the_sentiment_of_the_full_check(installation, hours):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    async with open_browser(installation, history.tenant.owner) as browser:
        before = (await browser.get(path_of(history, "sentiment"))).text
        installation.clock.advance(hours=hours)
        await history.run_scan("daily_check", lambda *_: "Acme is bad.")
        after = (await browser.get(path_of(history, "sentiment"))).text
    assert "5 of 5 scored answers" in before
    assert re.findall(r"(?s)<main.*?</section>", after) == re.findall(r"(?s)<main.*?</section>", before)


async def test_the_free_plan_names_its_audit_and_promises_nothing_that_needs_full_checks(installation):
    history = await open_market(installation, plan=Plan.FREE)
    await history.run_scan("free_audit", market_answer)
    pages = (
        "",
        "sentiment",
        "opportunities",
        "recommendations",
        "reports",
        "alerts",
        "competitors",
        "prompts",
        "checks",
    )
    async with open_browser(installation, history.tenant.owner) as browser:
        texts = {page: (await browser.get(path_of(history, page).rstrip("/"))).text for page in pages}
        counted = (await browser.get(path_of(history, "answers") + "?counted=headline")).text
    for page, text in texts.items():
        assert "Free Audit completed today" in text and "Next Full Check" not in text, page
        assert not re.search(r"with the first Full Check|latest Full Check|after each Full Check", text), page
    for page in ("sentiment", "opportunities", "recommendations", "reports"):
        assert "The Free plan runs one audit and no Full Checks." in texts[page], page
    assert texts[""].partition("<main")[2].count("Full Check") == 1, "what to do next needs Full Checks"
    assert "prompts of the latest Free Audit" in counted


@pytest.mark.parametrize("plan", Plan, ids=str)
async def test_themes_need_professional_or_agency_and_other_plans_see_why(installation, plan):
    history = await open_market(installation, plan=plan)
    await history.run_full_check(market_answer)
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(path_of(history, "sentiment"))).text
    has = plan in {Plan.PROFESSIONAL, Plan.AGENCY}
    assert ("ease of use" in page) == has
    assert (" plan does not include them." in page) != has
    assert ("These plans do: Professional and Agency." in page) != has


async def test_an_opportunity_shows_its_score_parts_and_answers_without_the_brand(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    async with open_browser(installation, history.tenant.owner) as browser:
        page = without_count_links((await browser.get(path_of(history, "opportunities"))).text)
    (first, *_) = page.split('class="action row-action opportunity"')[1:]
    assert BEST in first
    for part in ("Gap", "Openness"):
        assert f'<span class="part-name">{part}</span>' in first
    assert first.count('class="meter-fill"') == 3, "the score and its parts, without a bar for what is not known"
    assert ">Demand<" not in page and "100%" in first, "no source of volumes is configured"
    assert "5 of 5 answers name other brands but not Acme." in first
    assert (
        "named in 5 of 5 answers, at position 1.0 on average" in first and 'href="https://globex.com/anvils"' in first
    )
    assert "Globex" in first and "You can get mentioned here" in first


async def test_a_recommendation_leads_to_the_answers_that_prove_it(installation):
    history = await open_market(installation)
    scan_id = await history.run_full_check(market_answer)
    answer_id = await installation.db.fetchval("SELECT min(id::text) FROM answers WHERE scan_id = $1", scan_id)
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(path_of(history, "recommendations"))).text
        overview = (await browser.get(path_of(history))).text
    next_actions = re.findall(rf'href="{path_of(history, "recommendations")}#([\w-]+)"', overview)
    assert next_actions and all(f'id="{key}"' in page for key in next_actions)
    assert "Get Acme into g2.com/categories/anvils" in page
    assert BEST in page and "How to do it" in page and "Effort: low" in page
    assert path_of(history, "answers", scan_id, answer_id) in page


async def test_an_action_says_what_its_effect_still_needs(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    async with open_browser(installation, history.tenant.owner) as browser:
        for added, words in enumerate(("3 more prompts", "2 more prompts", "1 more prompt")):
            page = (await browser.get(path_of(history, "recommendations"))).text
            assert f"To measure the effect, track at least {words} that this action does not affect." in page
            form = {"prompt": f"Which forge of {added} villages is open?", "language_code": "en"}
            assert (await browser.post(path_of(history, "prompts", "add"), data=form)).status_code == 303
        page = (await browser.get(path_of(history, "recommendations"))).text
        assert "that this action does not affect." not in page
        assert "To measure the effect, wait for 2 more Full Checks before you act." in page
        for checks_left in (1, 0):
            await history.run_full_check(market_answer)
            page = (await browser.get(path_of(history, "recommendations"))).text
            assert ("To measure the effect, wait for 1 more Full Check before you act." in page) == bool(checks_left)


async def test_an_action_about_a_whole_platform_says_which_prompts_it_does_not_affect(installation):
    history = await open_market(installation)
    await history.run_full_check(await weaken_perplexity(history))
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(path_of(history, "recommendations"))).text
    assert "at least 5 more prompts for comparison: those for which Perplexity already names Acme." in page


async def test_where_the_answers_carry_no_task_the_page_says_so(installation):
    history = await open_market(installation)
    await history.run_full_check(lambda *_: "It depends.")
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(path_of(history, "recommendations"))).text
    assert "<h2>Nothing significant</h2>" in page


async def test_an_alert_says_its_state_its_words_its_test_and_its_answers(installation):
    history = await open_history(installation)
    await history.run_full_check(answers_naming())
    for _ in range(3):
        await history.run_daily_check(answers_naming())
    scan_id = await history.run_daily_check(answers_naming(chatgpt=1))
    async with open_browser(installation, history.tenant.owner) as browser:
        listed = (await browser.get(path_of(history, "alerts"))).text
        (path,) = re.findall(r'href="([^"]+/alerts/[^"]+)">On ChatGPT, Acme was named in 1 of 12', listed)
        watched = (await browser.get(path)).text
        assert "Watching: waiting for the next Daily Check to confirm it." in watched
        await history.run_daily_check(answers_naming(chatgpt=1))
        page = (await browser.get(path)).text
        assert '<span class="chip">Clear change</span>' not in page
        await history.run_full_check(answers_naming(chatgpt=1))
        shared = (await browser.get(path)).text
        overview = (await browser.get(path_of(history, ""))).text
    assert '<span class="chip">Clear change</span>' in shared, "the alert has the tier of its finding"
    assert "On ChatGPT, Acme is named in 1 of 12 answers, down from 12 on" in overview
    assert "On ChatGPT, Acme was named in 1 of 12 Daily Check answers on" in page
    assert "Confirmed by a second Daily Check." in page
    assert "Compared with the previous Daily Check" in page and ": p = 0.00" in page
    confirmed = page.count('<span class="chip">Confirmed</span></th>')
    assert confirmed and page.count('<th scope="row">Daily Check of ') == 2 + confirmed
    assert "Of the 12 answers that can be compared, 11 no longer name Acme and 0 newly name it:" in without_count_links(
        page
    )
    assert f"/answers/{scan_id}/" in watched


async def test_opportunities_are_ordered_by_score_alone(installation):
    """One prompt has one valid answer: few, but a high score. Two others share a topic."""
    prompts = ("best anvil for a forge", "which anvil lasts", "best anvil for a farrier", "cheap anvils", "anvil care")
    history = await ScanHistory.open(installation, *prompts)
    history.platforms = ("chatgpt", "gemini", "perplexity", "claude")
    named_on = {"best anvil for a forge": 2, "which anvil lasts": 4, "best anvil for a farrier": 4, "anvil care": 1}

    def say(prompt, platform):
        place = history.platforms.index(platform)
        if prompt.text == "cheap anvils":
            return None if place else "Globex is fine."
        return "Globex is fine." if place < named_on[prompt.text] else "It depends on the forge."

    await history.run_full_check(say)
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(path_of(history, "opportunities"))).text
    rows = page.split('class="action row-action opportunity"')[1:]
    scores = [float(re.search(r"<strong>([0-9.]+)</strong>", row)[1]) for row in rows]
    assert scores == sorted(scores, reverse=True) and len(scores) == 5
    assert "Few answers" in page and "Few answers" not in rows[-1]


async def test_lists_go_on_page_by_page_and_a_cursor_of_another_list_is_refused(installation):
    history = await open_history(installation)
    await history.run_full_check(lambda *_: "Globex and Initech.")
    async with open_browser(installation, history.tenant.owner) as browser:
        first = (await browser.get(path_of(history, "opportunities"))).text
        assert first.count('class="action row-action opportunity"') == 10
        cursor = first.split("?cursor=")[1].split('"')[0]
        second = (await browser.get(path_of(history, "opportunities"), params={"cursor": cursor})).text
        assert second.count('class="action row-action opportunity"') == 2 and "?cursor=" not in second
        assert (await browser.get(path_of(history, "alerts"), params={"cursor": cursor})).status_code == 400
        assert (await browser.get(path_of(history, "alerts"), params={"cursor": "x"})).status_code == 400


async def test_a_report_is_read_under_its_own_strict_policy_and_downloaded_as_a_pdf(installation):
    history = await open_market(installation)
    scan_id = await history.run_full_check(market_answer)
    job = ScanJob(history.workspace_id, scan_id)
    await write_report(installation.db, job, base_url="https://sightline.example", clock=installation.clock)
    (row,) = await history.rows("reports")
    async with open_browser(installation, history.tenant.owner) as browser:
        listed = (await browser.get(path_of(history, "reports"))).text
        assert row["title"] in listed and row["summary"].split(".")[0] in listed
        page = await browser.get(path_of(history, "reports", row["id"]))
        assert page.status_code == 200 and "Who is named" in page.text
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "script-src" not in policy
        assert page.headers["cache-control"] == "no-store"
        pdf = await browser.get(path_of(history, "reports", f"{row['id']}.pdf"))
        assert pdf.content.startswith(b"%PDF")
        assert pdf.headers["content-type"] == "application/pdf"
        assert pdf.headers["content-disposition"].startswith('attachment; filename="sightline-acme.com-')
        for unknown in ("nonsense", "nonsense.pdf", history.tenant.id, f"{history.tenant.id}.pdf"):
            assert (await browser.get(path_of(history, "reports", unknown))).status_code == 404
    other = await open_market(installation)
    async with open_browser(installation, other.tenant.owner) as browser:
        assert (await browser.get(path_of(other, "reports", row["id"]))).status_code == 404


async def test_scripts_in_answers_are_inert_on_every_page_and_every_page_is_small(installation):
    evil = "<script>alert(1)</script>"
    history = await open_market(installation)
    await installation.db.execute("UPDATE domains SET brand_name = $1", f"Acme {evil}")

    def say(prompt, platform):
        said = market_answer(prompt, platform)
        return type(said)(said.text.replace("hardened face", evil), said.cited, said.retrieved, said.queries)

    await history.run_full_check(say)
    async with open_browser(installation, history.tenant.owner) as browser:
        for page in PAGES:
            shown = await browser.get(path_of(history, page))
            assert shown.status_code == 200
            assert evil not in shown.text and " style=" not in shown.text
            assert len(shown.content) < 150_000
