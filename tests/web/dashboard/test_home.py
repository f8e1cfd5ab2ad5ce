"""The domains of a workspace, one row each, and jumping to anything by its name."""

import html
import re

from tests.insights.daily_answers import answers_naming, open_history
from tests.web.dashboard.dashboard_history import FORGE, DashboardHistory, answer_by_platform
from tests.web.page_browser import open_browser


async def test_a_domain_says_what_changed_and_how_many_alerts_are_open(installation):
    history = await open_history(installation)
    await history.run_full_check(answers_naming())
    for _ in range(2):
        await history.run_daily_check(answers_naming())
    for _ in range(2):
        await history.run_daily_check(answers_naming(chatgpt=1))
    await history.run_full_check(answers_naming(chatgpt=1))
    async with open_browser(installation, history.tenant.owner) as browser:
        page = html.unescape((await browser.get(f"/w/{history.tenant.id}")).text)
    assert "<h1>1 domain, with a clear change</h1>" in page
    assert re.search(r'class="verdict-chip down" title="[^"]+"><span translate="no">ChatGPT ▼ ', page)
    assert f'href="/w/{history.tenant.id}/d/{history.domain_id}/alerts"><strong>' in page and "<polyline" in page


async def test_a_domain_without_a_comparison_claims_nothing(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(f"/w/{dashboard.tenant.id}")).text
    assert "<h1>Domains</h1>" in page and "nothing to compare yet" in page and "verdict-chip" not in page


async def test_everything_can_be_jumped_to_by_its_name(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    prompts = await dashboard.prompt_ids()
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        await browser.post(f"{dashboard.path}/competitors", data={"domain": "globex.com", "names": "Globex"})

        async def jump(q, domain=dashboard.history.domain_id):
            page = await browser.get(f"/w/{dashboard.tenant.id}/jump", params={"q": q, "domain": str(domain)})
            found = re.search(r'id="jump-list">(.*?)</ul>', page.text, re.DOTALL)
            return re.findall(r'href="([^"]*)"', found[1]) if found else page.status_code

        assert await jump("Sources") == [f"{dashboard.path}/sources"]
        assert (await jump("FORGE anvil"))[0] == f"{dashboard.path}/prompts/{prompts[FORGE]}"
        assert await jump("globex") == [re.match(rf"{dashboard.path}/competitors/[^/]+", (await jump("globex"))[0])[0]]
        assert await jump("acme.com") == [dashboard.path]
        assert f"/w/{dashboard.tenant.id}/console/webhooks" in await jump("webhooks")
        assert (await jump("forge anvil", domain=""))[0] == f"{dashboard.path}/prompts/{prompts[FORGE]}"
        assert (await jump("globex", domain=""))[0].startswith(f"{dashboard.path}/competitors/")
        assert await jump("add a domain") == [f"/w/{dashboard.tenant.id}/new"]
        assert await jump("no such thing") == [] and len(await jump("")) <= 20
        other = await DashboardHistory.open(installation)
        assert await jump("", other.history.domain_id) == 404
