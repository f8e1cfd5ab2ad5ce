"""The pages of a prompt and of an answer: "down to the sentence", and nothing of it can become a script."""

import html
import re

from sightline.accounts.models import Role
from tests.web.dashboard.dashboard_history import (
    FORGE,
    SCRIPT,
    DashboardHistory,
    answer_by_platform,
    answer_without_chatgpt,
    without_count_links,
)
from tests.web.page_browser import open_browser


async def test_a_prompt_shows_its_strip_over_time_with_one_column_per_check(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_without_chatgpt)
    prompt_id = (await dashboard.prompt_ids())[FORGE]
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = await browser.get(f"{dashboard.path}/prompts/{prompt_id}")
        rows = dict(re.findall(r'<tr><th scope="row"><a [^>]*>([^<]+)</a></th>(.*?)</tr>', page.text))
        squares = {name: re.findall(r'<a class="q [^>]*title="([^"]+)"', row) for name, row in rows.items()}
        assert squares["ChatGPT"] == ["ChatGPT: named first", "ChatGPT: failed"]
        assert squares["Gemini"] == ["Gemini: cited only", "Gemini: not mentioned"]
        assert page.text.count("/checks/") >= 2


async def test_prompt_metrics_show_interval_and_n_and_skip_failed_answers(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform, answer_without_chatgpt)
    prompt_id = (await dashboard.prompt_ids())[FORGE]
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = without_count_links((await browser.get(f"{dashboard.path}/prompts/{prompt_id}")).text)
        assert "1 of 5 answers names Acme" in page and '20.0% <span class="range">' in page
        assert "2 of 3 answers with sources cite Acme" in page
        # Gemini and Perplexity left the brand out both times; ChatGPT answered once and repeats nothing.
        assert "2 of 2 pairs of answers agree" in page and "Early reading" in page
    installation.clock.advance(days=40)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        old = (await browser.get(f"{dashboard.path}/prompts/{prompt_id}")).text
        assert "20.0%" not in old and "not measured" in old


async def test_only_full_checks_are_shown_where_that_is_asked_for(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    await dashboard.history.run_daily_check(answer_without_chatgpt)
    path = f"{dashboard.path}/prompts/{(await dashboard.prompt_ids())[FORGE]}"
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        assert 'title="Daily Check, 17 Nov' in (await browser.get(path)).text
        assert 'title="Daily Check, 17 Nov' not in (await browser.get(f"{path}?checks=full")).text


async def test_a_removed_prompt_keeps_its_history(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    prompt_id = (await dashboard.prompt_ids())[FORGE]
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        form = {"action": "pin", "prompt_id": prompt_id, "back": "prompt"}
        pinned = await browser.post(f"{dashboard.path}/prompts/act", data=form)
        assert pinned.headers["location"] == f"{dashboard.path}/prompts/{prompt_id}?done=pinned"
        assert " · pinned" in (await browser.get(pinned.headers["location"])).text
        await browser.post(f"{dashboard.path}/prompts/act", data={**form, "action": "remove"})
        page = await browser.get(f"{dashboard.path}/prompts/{prompt_id}")
        assert "This prompt is no longer tracked" in page.text and "ChatGPT: named first" in page.text
        assert 'value="remove"' not in page.text


async def test_brands_are_highlighted_in_their_colors_and_the_text_is_complete(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get((await dashboard.answers(dashboard.scans[0]))["chatgpt"])).text
        assert '<b><mark id="named" class="own" title="Acme">Acme</mark></b><a class="not-us" href="?wrong=' in page
        assert '<mark class="rival-1" title="Globex">Globex</mark>' in page
        assert '<p class="heading" data-start="0">Best</p>' in page and ">2. <mark" in page
        assert html.escape(SCRIPT) in page and "<script>" not in page
        assert "named first" in page and "not named" in page


async def test_cited_and_retrieved_sources_are_separate_and_only_web_urls_are_links(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    answers = await dashboard.answers(dashboard.scans[0])
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        gemini = (await browser.get(answers["gemini"])).text
        cited, _, retrieved = gemini.partition("Retrieved, not cited")
        assert 'href="https://www.acme.com/guide" rel="noreferrer noopener nofollow"' in cited
        assert '<span class="who own">Acme</span>' in cited
        assert "https://forum.org/x" not in cited and "https://forum.org/x" in retrieved
        perplexity = (await browser.get(answers["perplexity"])).text
        assert 'href="javascript' not in perplexity and "javascript:alert(1)" in perplexity
        assert '<a href="https://anvil-reviews.com/best" rel="noreferrer noopener nofollow">a test</a>' in perplexity
        assert "<img" not in perplexity


async def test_the_same_cell_leads_to_the_check_before_and_after_with_what_changed(installation):
    dashboard = await DashboardHistory.open(
        installation, answer_by_platform, answer_without_chatgpt, answer_by_platform
    )
    first, second, third = [(await dashboard.answers(scan))["gemini"] for scan in dashboard.scans]
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        middle = (await browser.get(second)).text
        assert f'href="{first}" rel="prev"' in middle and f'href="{third}" rel="next"' in middle
        assert re.search(r"Full Check of \d+ \w+: cited only\. Now: not mentioned\.", middle)
        assert "No longer cited: acme.com." in middle
        assert "No earlier check ran this" in (await browser.get(first)).text
        last = (await browser.get(third)).text
        assert "No later check ran this" in last and "Newly cited: acme.com." in last
        compared = (await browser.get(f"{third}?against={dashboard.scans[0]}")).text
        assert f'href="{first}" rel="prev"' in compared
        assert (
            re.search(r"Same as in the Full Check of \d+ \w+: cited only\.", compared) and "Newly cited" not in compared
        )
        lost = f"check={dashboard.scans[1]}&against={dashboard.scans[0]}&brand=absent"
        listed = (await browser.get(f"{dashboard.path}/answers?{lost}")).text
        assert f'href="{second}?against={dashboard.scans[0]}#named"' in listed


async def test_a_failed_answer_says_so_and_counts_as_not_measured(installation):
    dashboard = await DashboardHistory.open(installation, answer_without_chatgpt)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get((await dashboard.answers(dashboard.scans[0]))["chatgpt"])).text
        assert "no answer in time" in page and "counts as not measured here, not as an answer without" in page


async def test_every_member_may_read_an_answer_and_nobody_else(installation):
    mine, theirs = (
        await DashboardHistory.open(installation, answer_by_platform),
        await DashboardHistory.open(installation, answer_by_platform),
    )
    viewer = await installation.member(mine.tenant, Role.VIEWER)
    own, foreign = (await mine.answers(mine.scans[0]))["gemini"], (await theirs.answers(theirs.scans[0]))["gemini"]
    other = await installation.tracked_domain(mine.tenant, "globex.com")
    async with open_browser(installation, viewer) as browser:
        assert (await browser.get(own)).status_code == 200
        for path in (
            foreign,
            foreign.replace(theirs.path, mine.path),
            own.replace(str(mine.history.domain_id), other),
            own[:-1] + ("0" if own[-1] != "0" else "1"),
            f"{mine.path}/answers/{mine.scans[0]}/nonsense",
            f"{mine.path}/answers/nonsense/nonsense",
        ):
            assert (await browser.get(path)).status_code == 404, path
