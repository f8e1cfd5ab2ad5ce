"""Pages in the pseudo-language: text without its brackets is data, is marked as English, or is not in the catalog."""

import pytest

from tests.web.dashboard.dashboard_history import FORGE, DashboardHistory, answer_by_platform
from tests.web.page_browser import open_browser
from tests.web.untranslated import IN_PSEUDO, assert_translated, find_untranslated

PAGES = ("", "?platform=chatgpt&metric=market_position", "?platform=nobody")


def test_a_text_outside_the_catalog_is_found_and_data_is_not():
    assert find_untranslated('<p>⟦Sàvé <b>x</b> ⟦twö⟧⟧ on 16 Nov <b translate="no">Acme</b></p>') == ["on"]
    assert find_untranslated('<p lang="en">This <i>stays</i></p><a aria-label="Close">⟦Çlösé⟧</a>') == ["Close"]


def _say_less(prompt, platform):
    return answer_by_platform(prompt, platform) if prompt.text == FORGE else "Globex is good."


@pytest.fixture
async def dashboard(installation):
    return await DashboardHistory.open(installation, answer_by_platform, _say_less)


async def test_the_overview_has_no_text_outside_the_catalog(installation, dashboard):
    async with open_browser(installation, dashboard.tenant.owner, **IN_PSEUDO) as browser:
        await assert_translated(browser, [f"/w/{dashboard.tenant.id}", *(dashboard.path + page for page in PAGES)])
