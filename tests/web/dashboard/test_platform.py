"""The page of a platform: presence with n and range, latency, errors by kind and models, over time."""

import html
import re

from tests.web.dashboard.dashboard_history import FORGE, DashboardHistory, answer_by_platform, without_count_links
from tests.web.page_browser import open_browser


def _fail_on_forge(prompt, platform):
    return None if prompt.text == FORGE else answer_by_platform(prompt, platform)


def _read(page):
    text = re.sub(r"<script.*?</script>|<svg.*?</svg>", "", without_count_links(page), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", text)).split())


async def test_a_platform_shows_presence_latency_errors_and_models_over_time(installation):
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    await installation.db.execute("UPDATE answer_facts SET latency_ms = 100 WHERE platform = 'chatgpt'")
    await dashboard.history.run_daily_check(_fail_on_forge)
    async with open_browser(installation, dashboard.tenant.owner) as browser:
        page = (await browser.get(f"{dashboard.path}/platforms/chatgpt")).text
        text = _read(page)
        assert "ChatGPT names Acme in 2 of 2 answers" in text
        assert "100 ms median, 95% within 820 ms" in text
        assert "Failed 1 of 4: no answer in time 1" in text and "Model m-1 (3 answers)" in text
        assert re.search(r"Daily Check \d+ Nov 1 of 1 100.0% 20.7.100.0% 900 ms 900 ms 1", text)
        assert "fewer than two Full Checks" in page and "match this filter" not in text
        assert "was not asked in this period" in (await browser.get(f"{dashboard.path}/platforms/grok")).text
        assert (await browser.get(f"{dashboard.path}/platforms/nobody")).status_code == 404
        for path in ("", f"/checks/{dashboard.scans[0]}"):
            assert f'href="{dashboard.path}/platforms/chatgpt' in (await browser.get(dashboard.path + path)).text
