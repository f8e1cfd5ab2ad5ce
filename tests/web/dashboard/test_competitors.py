"""The Competitors page: the ranking, suggestions with their evidence, and who may decide."""

import html
import re

import pytest

from sightline.accounts.models import Role
from sightline.competitors import review
from sightline.kit.ids import new_id
from tests.competitors.competitor_steps import CompetitorSteps
from tests.scan_history import ScanHistory
from tests.web.dashboard.dashboard_history import without_count_links
from tests.web.page_browser import open_browser

NOTHING = "No competitor is tracked yet"


@pytest.fixture
async def steps(installation):
    return await CompetitorSteps.open(installation)


def path_of(steps, *rest: str) -> str:
    return "/".join((f"/w/{steps.tenant.id}/d/{steps.domain}/competitors", *map(str, rest)))


async def test_the_ranking_shows_position_ranges_scores_and_shares(installation):
    history = await ScanHistory.open(installation, "best anvil", "quiet anvil", "small anvil")
    await history.run_full_check(
        lambda prompt, _: "1. Globex is great.\n2. Acme is fine." if "best" in prompt.text else "Globex."
    )
    async with open_browser(installation, history.tenant.owner) as browser:
        path = f"/w/{history.tenant.id}/d/{history.domain_id}/competitors"
        page = (await browser.get(path)).text
        voice = (await browser.get(f"{path}?metric=share_of_voice_pct")).text
    ranking = page.split('<table class="league long">')[1].split("</table>")[0]
    assert ranking.index("Globex") < ranking.index("Acme") < ranking.index("Initech")
    assert '<td class="place">\u2013</td>' in ranking, "Initech is named nowhere"
    assert '<tr class="own">' in ranking
    assert "9 answers</a>" in ranking and "3 answers</a>" in ranking
    assert re.findall(r'<td class="value">(\d+%)</td>', voice) == ["75%", "25%", "0%"]


async def test_before_the_first_check_the_page_says_what_will_be_here(installation, steps):
    async with open_browser(installation, steps.tenant.owner) as browser:
        assert NOTHING in (await browser.get(path_of(steps))).text
        await steps.add("globex.com", "Globex")
        page = (await browser.get(path_of(steps))).text
    assert "The ranking appears after the first completed check" in page
    assert NOTHING not in page and "1 (at most 20)" in page


async def test_a_suggestion_shows_the_sentences_that_name_it_with_links_to_answers(installation):
    history = await ScanHistory.open(installation, "best anvil", "quiet anvil", "small anvil")
    text = "Hoolihan is a poet.\n\n1. **Globex** - known.\n2. **Hooli** - a rising name.\n3. **Acme** - fine."
    scan_id = await history.run_full_check(lambda *_: text)
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(f"/w/{history.tenant.id}/d/{history.domain_id}/competitors")).text
        suggestions = page.split('id="suggestions"')[1].split("</section>")[0]
        (target,) = re.findall(r'data-count="9" href="([^"]+)"', suggestions)
        opened = (await browser.get(html.unescape(target))).text
        elsewhere = html.unescape(target).replace(str(scan_id), str(new_id()))
        assert (await browser.get(elsewhere)).status_code == 404
    assert 'data-total="9"' in opened and "9 answers behind a suggested competitor" in opened
    assert "Named in 9 answers to 3 prompts on 3 platforms." in without_count_links(suggestions)
    assert suggestions.count("<mark>Hooli</mark>") == 2
    assert "<mark>Hooli</mark>han" not in suggestions  # within a longer word it is not a mention
    assert f"/d/{history.domain_id}/answers/{scan_id}/" in suggestions
    assert "domain unknown" in suggestions and 'name="domain" required' in suggestions


async def test_confirming_a_suggestion_without_a_domain_asks_for_one(installation, steps):
    rows = await steps.suggest(("Globex", "globex.com", 5.0), ("Hooli", None, 4.0))
    globex, hooli = (next(row for row in rows if row.found_as == name) for name in ("Globex", "Hooli"))
    async with open_browser(installation, steps.tenant.owner) as browser:
        confirmed = await browser.post(path_of(steps, globex.id, "confirm"))
        assert (confirmed.status_code, confirmed.headers["location"]) == (303, path_of(steps) + "?done=confirm")
        refused = await browser.post(path_of(steps, hooli.id, "confirm"))
        assert refused.status_code == 422
        assert "Only the name of this competitor was found. Enter its domain." in refused.text
        assert "Suggestions" in refused.text  # on the page where it can be done
        own = await browser.post(path_of(steps, hooli.id, "confirm"), data={"domain": "acme.com"})
        assert own.status_code == 422 and "This is your own domain." in own.text
        await browser.post(path_of(steps, hooli.id, "confirm"), data={"domain": "https://www.hooli.com/"})
    assert sorted(await steps.confirmed()) == ["globex.com", "hooli.com"]


async def test_dismiss_hide_bring_back_and_rename(installation, steps):
    globex = await steps.add("globex.com", "Globex")
    (*_, hooli) = await steps.suggest(("Hooli", "hooli.com", 4.0))
    async with open_browser(installation, steps.tenant.owner) as browser:
        for row, step, status in (
            (hooli, "dismiss", "dismissed"),
            (globex, "hide", "hidden"),
            (globex, "unhide", "confirmed"),
        ):
            done = await browser.post(path_of(steps, row.id, step))
            assert done.status_code == 303, done.text
            assert (await steps.find(row.id)).status == status
            assert 'role="status">' in (await browser.get(done.headers["location"])).text
        await browser.post(path_of(steps, globex.id, "rename"), data={"names": "Globex, Globex Corp"})
        assert (await steps.find(globex.id)).names == ["Globex", "Globex Corp"]
        assert (await browser.post(path_of(steps, hooli.id, "confirm"))).status_code == 422
        assert (await browser.post(path_of(steps, globex.id, "explode"))).status_code == 404


async def test_adding_takes_names_and_a_refusal_keeps_what_was_typed(installation, steps):
    async with open_browser(installation, steps.tenant.owner) as browser:
        await browser.post(path_of(steps), data={"domain": "globex.com", "names": "Globex, Globex Coffee"})
        (row,) = await steps.list_all()
        assert (row.competitor_domain, row.names, row.status) == (
            "globex.com",
            ["Globex", "Globex Coffee"],
            "confirmed",
        )
        refused = await browser.post(path_of(steps), data={"domain": "no domain", "names": "Kept"})
        assert refused.status_code == 422
        assert 'value="no domain"' in refused.text and 'value="Kept"' in refused.text
        for place in range(19):
            await steps.add(f"rival-{place}.com")
        full = await browser.get(path_of(steps))
        assert "20 (at most 20)" in full.text and "Hide one to add another" in full.text
        assert (await browser.post(path_of(steps), data={"domain": "late.com"})).status_code == 422


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR, Role.ADMIN, Role.OWNER])
async def test_a_viewer_sees_no_action_and_is_refused_all_others_may(installation, steps, role):
    member = await installation.member(steps.tenant, role)
    globex = await steps.add("globex.com")
    (hooli,) = [row for row in await steps.suggest(("Hooli", "hooli.com", 4.0)) if row.status == "suggested"]
    may = role is not Role.VIEWER
    async with open_browser(installation, member) as browser:
        main = (await browser.get(path_of(steps))).text.split("<main")[1]
        assert ('<form method="post"' in main) == may
        answers = [
            await browser.post(path_of(steps), data={"domain": "initech.com"}),
            await browser.post(path_of(steps, hooli.id, "confirm")),
            await browser.post(path_of(steps, globex.id, "hide")),
        ]
    assert {answer.status_code for answer in answers} == ({303} if may else {403})
    assert sorted(await steps.confirmed()) == (["hooli.com", "initech.com"] if may else ["globex.com"])


async def test_ids_of_other_tenants_and_cross_site_forms_change_nothing(installation, steps):
    other = await CompetitorSteps.open(installation)
    globex = await other.add("globex.com")
    mine = await steps.add("initech.com")
    async with open_browser(installation, steps.tenant.owner) as browser:
        for foreign in (globex.id, new_id(), "nonsense"):
            assert (await browser.post(path_of(steps, foreign, "hide"))).status_code == 404
        assert (await browser.post(path_of(other, globex.id, "hide"))).status_code == 404
        crossing = await browser.post(path_of(steps, mine.id, "hide"), headers={"Sec-Fetch-Site": "cross-site"})
        assert crossing.status_code == 403
    assert await other.confirmed() == ["globex.com"]
    assert await steps.confirmed() == ["initech.com"]


async def test_stored_scripts_are_inert_and_the_done_key_is_never_echoed(installation):
    evil = "<script>alert(1)</script>"
    history = await ScanHistory.open(installation, "best anvil", "quiet anvil", "small anvil")
    await history.run_full_check(lambda *_: f"1. Globex {evil}.\n2. Hooli {evil} is known.\n3. Acme")
    async with installation.db.transaction() as tx:
        await review.add_competitor(
            tx, history.workspace_id, history.domain_id, "evil.com", [evil], now=installation.clock()
        )
    async with open_browser(installation, history.tenant.owner) as browser:
        page = await browser.get(f"/w/{history.tenant.id}/d/{history.domain_id}/competitors?done={evil}")
    assert evil not in page.text and "&lt;script&gt;" in page.text
    assert "unsafe-inline" not in page.headers["content-security-policy"]
    assert " style=" not in page.text
