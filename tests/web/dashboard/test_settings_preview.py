"""The preview on Settings: "this alias would add 3 mentions in the last check", and nothing is saved."""

import pytest

from sightline.accounts.models import Role
from sightline.domains.tracking.change import BrandChanges
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.scoreboard.recompute import preview
from tests.scan_history import ScanHistory, ScriptedAnswer
from tests.web.page_browser import open_browser

PROMPTS = ("best anvil", "quiet anvil", "the forge of Hephaistos")
EVIL = "<script>alert(1)</script>"


def say(prompt, platform):
    """Answer each prompt on three platforms: by name, by another name with a cited own page, and without the brand."""
    if prompt.text == "best anvil":
        return "Acme is fine."
    if prompt.text == "quiet anvil":
        return ScriptedAnswer(
            "Many smiths praise the Hephaistos for its ring.", cited=("https://hephaistos.example/a",)
        )
    return "Globex leads."


async def open_history(installation):
    history = await ScanHistory.open(installation, *PROMPTS)
    await history.run_full_check(say)
    return history, f"/w/{history.tenant.id}/d/{history.domain_id}/settings"


def typed(aliases="", owned=""):
    return {"brand_name": "Acme", "aliases": aliases, "owned_domains": owned}


async def look(history, **changes):
    installation = history.installation
    domain = await find_tracked_domain(installation.db, history.workspace_id, history.domain_id)
    return await preview.preview_brand(installation.db, history.workspace_id, domain, BrandChanges(**changes))


async def test_the_preview_counts_what_the_names_would_add_and_saves_nothing(installation):
    history, page = await open_history(installation)
    async with open_browser(installation, history.tenant.owner) as browser:
        form = (await browser.get(page)).text
        assert f'formaction="{page}/preview"' in form and '<div class="seen">' not in form
        shown = await browser.post(f"{page}/preview", data=typed("Hephaistos", "hephaistos.com"))
    seen = shown.text.split('<div class="seen">')[1].split("</form>")[0]
    assert shown.status_code == 200 and "<strong>3 more answers</strong>" in seen
    assert "6 of 9 (now 3)" in seen and "0 (now 0)" in seen
    assert seen.count("/answers/") == 3
    assert "1 prompt would name your brand (now 0)." in seen
    assert "Hephaistos</textarea>" in shown.text, "what was typed stays"
    kept = await find_tracked_domain(installation.db, history.workspace_id, history.domain_id)
    assert (kept.aliases, kept.owned_domains) == ([], [])
    assert await installation.db.fetchval("SELECT count(*) FROM recomputations") == 0


async def test_the_preview_counts_citations_of_an_added_domain_and_lists_removed_names(installation):
    history, _ = await open_history(installation)
    history_domain = {"owned_domains": ["globex.org"]}
    assert (await look(history, **history_domain)).citations == (0, 0)
    await history.run_full_check(
        lambda *_: ScriptedAnswer("Acme has it.", cited=("https://blog.hephaistos.com/a", "https://x.com/b"))
    )
    seen = await look(history, owned_domains=["hephaistos.com"])
    assert (seen.citations, seen.mentions, seen.gained) == ((0, 9), (9, 9), ())
    assert (await look(history, brand_name="Vulcan")).mentions == (9, 0)


async def test_it_is_bounded_and_says_what_it_left_out(installation, monkeypatch):
    history, _ = await open_history(installation)
    # The limits are far above what a test can store.
    monkeypatch.setattr(preview, "TIME_LIMIT", 0.0)
    seen = await look(history, aliases=["Hephaistos"])
    assert (seen.answers, seen.unread, seen.mentions) == (0, 9, (0, 0))
    # From here on there is time enough.
    monkeypatch.setattr(preview, "TIME_LIMIT", 60.0)
    # Two answers are longer.
    monkeypatch.setattr(preview, "MAX_ANSWER_LENGTH", 20)
    assert (await look(history, aliases=["Hephaistos"])).answers == 6
    # Fewer than there are.
    monkeypatch.setattr(preview, "MAX_ANSWERS", 2)
    assert (await look(history, aliases=["Hephaistos"])).answers == 2


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"owned_domains": "no domain"}, "no domain</textarea>"),
        ({"brand_name": " "}, "Enter a brand name of 1 to 200 characters."),
    ],
)
async def test_what_saving_would_refuse_is_refused_here_too(installation, wrong, said):
    history, page = await open_history(installation)
    async with open_browser(installation, history.tenant.owner) as browser:
        refused = await browser.post(f"{page}/preview", data=typed() | wrong)
    assert refused.status_code == 422 and said in refused.text


async def test_before_the_first_check_and_for_others_than_editors(installation):
    history = await ScanHistory.open(installation, "best anvil")
    page = f"/w/{history.tenant.id}/d/{history.domain_id}/settings"
    async with open_browser(installation, await installation.member(history.tenant, Role.EDITOR)) as editor:
        shown = await editor.post(f"{page}/preview", data=typed(EVIL))
        assert "A preview needs a completed check" in shown.text and EVIL not in shown.text
        crossed = await editor.post(f"{page}/preview", data=typed(), headers={"Sec-Fetch-Site": "cross-site"})
        assert crossed.status_code == 403
    async with open_browser(installation, await installation.member(history.tenant, Role.VIEWER)) as viewer:
        assert (await viewer.post(f"{page}/preview", data=typed())).status_code == 403
    async with open_browser(installation, await installation.user()) as stranger:
        assert (await stranger.post(f"{page}/preview", data=typed())).status_code == 404
