"""Searches: what the platforms searched for, by prompt and platform, with the cited sites and "track as prompt"."""

import html
import re

from sightline.accounts.models import Role
from tests.scan_history import ScriptedAnswer
from tests.web.dashboard.dashboard_history import FORGE, SCRIPT, DashboardHistory, without_count_links
from tests.web.page_browser import open_browser


def _search(prompt, platform):
    if platform == "perplexity":
        return "Globex is good, and this platform does not say what it searched for."
    queries = ("anvil  reviews", f"forge {SCRIPT}") if platform == "chatgpt" else ("anvil reviews",)
    return ScriptedAnswer("Acme is good.", cited=(f"https://{platform}.org/x", "https://g2.com/a"), queries=queries)


def _rows(page):
    rows = re.findall(r'<th scope="row" translate="no">(.*?)</tr>', without_count_links(page), re.DOTALL)
    return [" ".join(html.unescape(re.sub("<[^>]+>", " ", row)).split()) for row in rows]


async def test_searches_are_listed_by_prompt_with_platforms_and_sites(installation):
    dashboard = await DashboardHistory.open(installation, _search, _search)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(f"{dashboard.path}/searches")).text
        assert len(_rows(page)) == 4 and SCRIPT not in page
        (first, *_) = _rows(page)
        assert first.startswith(f"anvil reviews {FORGE} 2 2 4 g2.com 4 Track")
        counts = re.findall(r'data-count="(\d+)" href="([^"]+)"', page)
        opened = [
            (number, (await browser.get(f"{dashboard.path}/{html.unescape(target)}")).text) for number, target in counts
        ]
        assert all(f'data-total="{number}"' in text for number, text in opened) and len(opened) == 14
        assert "based on a search for “anvil reviews”" in opened[0][1]
        only = (await browser.get(f"{dashboard.path}/searches?platform=chatgpt")).text
        assert len(_rows(only)) == 4 and "Gemini: " not in only
        assert "No searches yet" in (await browser.get(f"{dashboard.path}/searches?platform=perplexity")).text


async def test_a_search_is_tracked_once_within_the_limits(installation):
    dashboard = await DashboardHistory.open(installation, prompts=())
    history = dashboard.history
    await history.add_prompt("Welcher Amboss ist gut?", language="de", country="DE")
    await history.run_full_check(_search)
    (prompt,) = (await dashboard.prompt_ids()).values()
    form = {"prompt_id": prompt, "search": "anvil reviews"}
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        for _ in range(2):  # the second time changes nothing
            done = await browser.post(f"{dashboard.path}/searches/track?platform=chatgpt", data=form)
            assert done.headers["location"] == f"{dashboard.path}/searches?platform=chatgpt&done=tracked"
        (row,) = [row for row in await history.rows("prompts") if row["prompt"] == "anvil reviews"]
        assert (row["country_iso_2"], row["language_code"]) == ("DE", "de") and row["pinned_at"] is not None
        page = (await browser.get(done.headers["location"])).text
        assert f'/prompts/{row["id"]}?platform=chatgpt">Tracked</a>' in page and "is now a pinned prompt" in page
        await browser.post(f"{dashboard.path}/prompts/act", data={"action": "remove", "prompt_id": str(row["id"])})
        await browser.post(f"{dashboard.path}/searches/track", data=form)
        (again,) = [row for row in await history.rows("prompts") if row["prompt"] == "anvil reviews"]
        assert (again["id"], again["status"]) == (row["id"], "active"), "restored, not duplicated"
        for number in range(9):
            await browser.post(f"{dashboard.path}/searches/track", data={**form, "search": f"anvil number {number}"})
        full = await browser.post(f"{dashboard.path}/searches/track", data={**form, "search": "one too many"})
        assert full.status_code == 409 and "Too many pinned prompts" in full.text
        short = await browser.post(f"{dashboard.path}/searches/track", data={**form, "search": "\u200b"})
        assert short.status_code == 422 and "Enter a prompt of 2 to 500 characters." in short.text
    viewer = await installation.member(dashboard.tenant, Role.VIEWER)
    async with open_browser(installation, viewer) as browser:
        assert "Track as prompt" not in (await browser.get(f"{dashboard.path}/searches")).text
