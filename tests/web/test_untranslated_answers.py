"""Prompts, answers, alerts, checks and the set-up in the pseudo-language: no text is missing in the catalogs."""

import re

import pytest

from tests.web.dashboard.dashboard_history import FORGE, DashboardHistory, answer_by_platform
from tests.web.page_browser import open_browser
from tests.web.untranslated import IN_PSEUDO, assert_translated, find_untranslated

LISTS = (
    "/prompts",
    "/prompts?q=zebra",
    "/prompts/import",
    "/answers",
    "/answers?platform=chatgpt&brand=named&q=anvil",
    "/answers?q=zebra",
    "/searches",
    "/alerts",
    "/checks",
    "/checks?scope=free_audit",
    "/reports",
)


@pytest.fixture
async def dashboard(installation):
    return await DashboardHistory.open(installation, answer_by_platform, lambda *_: "Globex is good.")


async def test_lists_and_details_have_no_text_outside_the_catalog(installation, dashboard):
    async with open_browser(installation, dashboard.tenant.owner, **IN_PSEUDO) as browser:
        listed = (await browser.get(f"{dashboard.path}/answers")).text
        (answer, *_) = re.findall(rf'href="({dashboard.path}/answers/[^"?#]+/[^"?#]+)[?#]', listed)
        details = [
            f"{dashboard.path}/prompts/{(await dashboard.prompt_ids())[FORGE]}",
            f"{dashboard.path}/checks/{answer.split('/')[-2]}",
            answer,
            f"{answer}/payload",
        ]
        await assert_translated(browser, [*(dashboard.path + page for page in LISTS), *details])


async def test_forms_have_no_text_outside_the_catalog(installation, dashboard):
    async with open_browser(installation, dashboard.tenant.owner, **IN_PSEUDO) as browser:
        lines = {
            "text": "best anvil\nbest anvil",
            "countries": "Germany",
            "language": "en",
            "tags": "",
            "go": "preview",
        }
        previewed = await browser.post(f"{dashboard.path}/prompts/import", data=lines)
        start = await browser.get(f"/w/{dashboard.tenant.id}/new")
        started = await browser.post(f"/w/{dashboard.tenant.id}/new", data={"domain": "initech.com"})
        details = await browser.get(started.headers["location"])
        fields = {"domain": "initech.com", "brand_name": "Initech", "language": "en", "go": "prompts"}
        suggested = await browser.post(started.headers["location"].replace("?domain=", "/"), data=fields)
        pages = (start, previewed, details, suggested)
        assert [(each.status_code, find_untranslated(each.text)) for each in pages] == [(200, [])] * len(pages)
