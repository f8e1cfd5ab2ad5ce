"""Competitors, sources, a platform, sentiment, opportunities and recommendations in the pseudo-language."""

import pytest

from sightline.competitors.review import add_competitor, hide_competitor
from sightline.insights.recommendations.tasks import read_tasks
from tests.api.assertions import DATA
from tests.insights.anvil_market import LIST
from tests.scan_history import ScriptedAnswer
from tests.web.dashboard.dashboard_history import DashboardHistory
from tests.web.page_browser import open_browser
from tests.web.untranslated import IN_PSEUDO, assert_translated

PROMPTS = tuple(f"which anvil is right for forge number {place}" for place in range(8))
PAGES = ("competitors", "sources", "sentiment", "opportunities", "recommendations")


def _answer(prompt, platform):
    """Praise and criticize the brand for half of the prompts; name and cite others for the rest."""
    place = PROMPTS.index(prompt.text)
    if place % 2:
        return ScriptedAnswer("1. Globex is a sound pick.\n2. Initech comes next.\n3. Hooli.", cited=(LIST,))
    if (place, platform) == (0, "gemini"):
        return None
    return ScriptedAnswer(
        "1. Acme is easy to use, but Acme is expensive.\n2. Globex is heavy.", cited=("https://acme.com/anvils",)
    )


@pytest.fixture
async def dashboard(installation):
    """Everything that these pages can show: suggestions, a hidden competitor, a done action, a site of each kind."""
    opened = await DashboardHistory.open(installation, _answer, _answer, prompts=PROMPTS)
    at = (opened.history.workspace_id, opened.history.domain_id)
    async with installation.db.transaction() as tx:
        opened.globex = await add_competitor(tx, *at, "globex.com", now=installation.clock())
        hidden = await add_competitor(tx, *at, "initrode.com", now=installation.clock())
        await hide_competitor(tx, *at, hidden.id, now=installation.clock())
    return opened


async def test_the_pages_have_no_text_outside_the_catalog(installation, dashboard):
    tasks = await read_tasks(installation.db, dashboard.history.workspace_id, dashboard.history.domain_id)
    path = dashboard.path
    site = f"{path}/sources/g2.com"
    api = f"{DATA}/domains/{dashboard.history.domain_id}/recommendations"
    async with open_browser(installation, dashboard.tenant.owner, **IN_PSEUDO) as browser:
        said = await browser.get(api, headers={"X-API-Key": dashboard.tenant.data})
        assert "answers" in said.json()["data"][0]["why"], "the API is English for everybody"
        single = (f"competitors/{dashboard.globex.id}", "sources/acme.com", "platforms/chatgpt", "platforms/grok")
        await assert_translated(browser, [f"{path}/{page}" for page in PAGES + single])
        filtered = ("competitors", "sentiment", "opportunities")
        await assert_translated(browser, [f"{path}/{page}?platform=gemini&against=previous" for page in filtered])
        for decision in ("ignore", "unignore", "competitor"):
            await browser.post(f"{site}/{decision}")
            await assert_translated(browser, [f"{site}?done={decision}", f"{path}/sources"])
        await browser.post(f"{path}/recommendations/{tasks.open[0].key}/done")
        await assert_translated(browser, [f"{path}/recommendations?done=done", f"{path}/recommendations?done=date"])


async def test_empty_pages_have_no_text_outside_the_catalog(installation):
    empty = await DashboardHistory.open(installation)
    async with open_browser(installation, empty.tenant.owner, **IN_PSEUDO) as browser:
        await assert_translated(browser, [f"{empty.path}/{page}" for page in (*PAGES, "platforms/chatgpt")])
