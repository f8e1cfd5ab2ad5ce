"""What people correct on pages: the market, themes, and whether a language model edits."""

import pytest

from tests.fakes.editor import EditorModel
from tests.insights.anvil_market import open_market
from tests.insights.test_check_editor import read_state, run_edited
from tests.web.page_browser import open_browser

MARKET = {"singular": "anvil", "plural": "farm anvils", "audience": "farriers", "language": "en"}


@pytest.fixture
async def history(installation):
    made = await open_market(installation)
    await run_edited(made, EditorModel())
    return made


def path_of(history, *rest):
    return "/".join((f"/w/{history.workspace_id}/d/{history.domain_id}", *rest))


async def test_the_market_is_corrected_and_given_back(installation, history):
    settings = path_of(history, "settings")
    async with open_browser(installation, history.tenant.owner) as browser:
        assert 'value="anvils"' in (await browser.get(settings)).text
        done = await browser.post(f"{settings}/market", data=MARKET)
        assert done.status_code == 303 and (await read_state(history)).market.plural == "farm anvils"
        wrong = await browser.post(f"{settings}/market", data=MARKET | {"plural": "<b>"})
        assert wrong.status_code == 422 and (await read_state(history)).is_corrected
        await browser.post(f"{settings}/market", data={"forget": "yes"})
    assert (await read_state(history)).market is None


async def test_a_theme_is_renamed_pinned_and_hidden(installation, history):
    page = path_of(history, "sentiment")
    async with open_browser(installation, history.tenant.owner) as browser:
        shown = (await browser.get(page)).text
        assert "Edited by Local model (editor-1)." in shown and "ease of use" in shown
        await browser.post(path_of(history, "themes", "t1"), data={"label": "handling", "pinned": "yes"})
        assert "handling" in (await browser.get(page)).text
        (theme,) = (await read_state(history)).codebook
        assert (theme.label, theme.pinned, theme.hidden) == ("handling", True, False)
        refused = await browser.post(path_of(history, "themes", "t1"), data={"label": "a b c d e f"})
        assert refused.status_code == 422 and "Nothing was changed" in refused.text
        await browser.post(path_of(history, "themes", "t1"), data={"label": "handling", "hidden": "yes"})
        assert "Hidden themes" in (await browser.get(page)).text


async def test_themes_after_the_first_ten_are_folded(installation):
    history = await open_market(installation)
    model = EditorModel({f"ease {letter}": "easy to use" for letter in "abcdefghijkl"})
    for _ in range(2):  # the same sentences make several themes only of those that are known
        await run_edited(history, model)
    async with open_browser(installation, history.tenant.owner) as browser:
        unfolded, folded = (await browser.get(path_of(history, "sentiment"))).text.split("More themes")
        assert (unfolded.count('<blockquote class="quote"'), folded.count('<blockquote class="quote"')) == (10, 2)


async def test_an_administrator_declines(installation, history):
    settings = path_of(history, "settings")
    async with open_browser(installation, history.tenant.owner) as browser:
        await browser.post(f"{settings}/editor", data={})
        assert await installation.db.fetchval("SELECT editor_declined FROM workspaces") is True
        await browser.post(f"{settings}/editor", data={"editor": "yes"})
    assert await installation.db.fetchval("SELECT editor_declined FROM workspaces") is False
