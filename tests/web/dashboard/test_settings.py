"""The Settings page: the brand's names, what the plan asks, and the removal of a domain."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from sightline.accounts.models import MEMBER_ROLES, Role
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.plans.table import Plan
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.pauses import pause_platform
from tests.competitors.competitor_steps import CompetitorSteps
from tests.scan_history import ScanHistory
from tests.web.page_browser import open_browser

BRAND = {"brand_name": "Acme Forge", "aliases": "Acme\nAcme Anvils", "owned_domains": "acme.co.uk\nhttps://acme.de/"}


@pytest.fixture
async def steps(installation):
    return await CompetitorSteps.open(installation)


def path_of(steps, *rest: str) -> str:
    return "/".join((f"/w/{steps.tenant.id}/d/{steps.domain}/settings", *rest))


async def read(steps):
    return await find_tracked_domain(steps.installation.db, steps.workspace, steps.domain)


async def test_name_aliases_and_owned_domains_are_changed_one_to_a_line(installation, steps):
    async with open_browser(installation, steps.tenant.owner) as browser:
        done = await browser.post(path_of(steps), data=BRAND)
        assert (done.status_code, done.headers["location"]) == (303, path_of(steps) + "?done=changed")
        page = (await browser.get(done.headers["location"])).text
    found = await read(steps)
    assert (found.brand_name, found.aliases) == ("Acme Forge", ["Acme", "Acme Anvils"])
    assert found.owned_domains == ["acme.co.uk", "acme.de"]
    assert "Names and domains saved." in page and "Acme\nAcme Anvils</textarea>" in page


async def test_a_form_keeps_direction_controls_that_the_page_shows(installation, steps):
    names = {**BRAND, "brand_name": "Ac\u202eme", "aliases": "Anvil\u2066s"}
    async with open_browser(installation, steps.tenant.owner) as browser:
        await browser.post(path_of(steps), data=names)
        page = (await browser.get(path_of(steps))).text
        form = LexborHTMLParser(page).css_first("form:has([name=brand_name])")
        sent = {"brand_name": form.css_first("[name=brand_name]").attrs["value"]}
        sent["aliases"] = form.css_first("[name=aliases]").text()
        assert "Ac[U+202E]me" in page and sent == {key: names[key] for key in sent}
        await browser.post(path_of(steps), data={**names, **sent})
    assert ((await read(steps)).brand_name, (await read(steps)).aliases) == ("Ac\u202eme", ["Anvil\u2066s"])


async def test_reading_stored_answers_again_is_shown_with_its_progress(installation, steps):
    await steps.insert_scan()
    async with open_browser(installation, steps.tenant.owner) as browser:
        assert "Updating past results with the new names" not in (await browser.get(path_of(steps))).text
        done = await browser.post(path_of(steps), data=BRAND)
        assert done.headers["location"].endswith("?done=rereading")
        waiting = (await browser.get(path_of(steps))).text
        assert "This starts in a moment" in waiting and "data-live" in waiting and "/static/live.js" in waiting
        await installation.db.execute("UPDATE recomputations SET status = 'running', scans_total = 9, scans_done = 4")
        running = (await browser.get(path_of(steps))).text
        assert "4 of 9 checks" in running and '<progress max="9" value="4"' in running
        competitors = await browser.get(path_of(steps).replace("settings", "competitors"))
        assert "4 of 9 checks" in competitors.text
        await installation.db.execute("UPDATE recomputations SET status = 'done'")
        assert "data-live" not in (await browser.get(path_of(steps))).text
    other = await CompetitorSteps.open(installation)
    await installation.db.execute("UPDATE recomputations SET status = 'running'")
    async with open_browser(installation, other.tenant.owner) as stranger:
        assert "data-live" not in (await stranger.get(path_of(other))).text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"brand_name": " "}, "Enter a brand name of 1 to 200 characters."),
        ({"brand_name": "x" * 201}, "Enter names of 1 to 200 characters"),
        ({"owned_domains": "no domain"}, "no domain</textarea>"),
        ({"owned_domains": "globex.com"}, "This domain belongs to a competitor."),
        ({"aliases": "\n".join(f"Acme {n}" for n in range(51))}, "at most 50 entries"),
    ],
)
async def test_a_refusal_is_said_on_the_page_and_keeps_what_was_typed(installation, steps, wrong, said):
    await steps.add("globex.com")
    async with open_browser(installation, steps.tenant.owner) as browser:
        refused = await browser.post(path_of(steps), data=BRAND | wrong)
    assert refused.status_code == 422
    assert said in refused.text
    assert (await read(steps)).brand_name == "Acme"


async def test_the_platforms_of_the_plan_and_the_markets_of_the_prompts_are_shown(installation):
    history = await ScanHistory.open(installation, plan=Plan.STARTER)
    await history.add_prompt("best anvil", country="DE", language="de")
    await history.add_prompt("quiet anvil", country="DE", language="de")
    await history.add_prompt("small anvil")
    async with open_browser(installation, history.tenant.owner) as browser:
        page = (await browser.get(f"/w/{history.tenant.id}/d/{history.domain_id}/settings")).text
    assert "4 in the Starter plan" in page
    assert page.count(": not in your plan") == 7
    assert '<td>Germany</td><td>German</td><td class="number">2</td>' in page.replace(' translate="no"', "")
    assert '<td>Global (no specific country)</td><td>English</td><td class="number">1</td>' in page.replace(
        ' translate="no"', ""
    )
    assert "<dt>Prompts</dt><dd>3 of 50 in the workspace</dd>" in page


async def test_a_domain_is_removed_only_with_its_name_typed(installation, steps):
    async with open_browser(installation, steps.tenant.owner) as browser:
        for typed in ("", "yes", "globex.com", "acme"):
            refused = await browser.post(path_of(steps, "remove"), data={"confirmation": typed})
            assert refused.status_code == 422
            assert "Nothing was removed." in refused.text
        assert await read(steps) is not None
        done = await browser.post(path_of(steps, "remove"), data={"confirmation": " ACME.com "})
        assert (done.status_code, done.headers["location"]) == (303, f"/w/{steps.tenant.id}")
        assert await read(steps) is None
        assert (await browser.get(path_of(steps))).status_code == 404
        assert (await browser.post(path_of(steps, "remove"), data={"confirmation": "acme.com"})).status_code == 404


@pytest.mark.parametrize("role", MEMBER_ROLES)
async def test_editors_change_the_brand_and_only_admins_remove_the_domain(installation, steps, role):
    member = await installation.member(steps.tenant, role)
    may_edit, may_remove = role is not Role.VIEWER, role in {Role.ADMIN, Role.OWNER}
    async with open_browser(installation, member) as browser:
        main = (await browser.get(path_of(steps))).text.split("<main")[1]
        assert ('id="brand_name"' in main, 'id="confirmation"' in main) == (may_edit, may_remove)
        changed = await browser.post(path_of(steps), data=BRAND)
        assert changed.status_code == (303 if may_edit else 403)
        removed = await browser.post(path_of(steps, "remove"), data={"confirmation": "acme.com"})
        assert removed.status_code == (303 if may_remove else 403)
    assert (await read(steps) is None) == may_remove


async def test_a_foreign_domain_and_a_form_of_another_site_change_nothing(installation, steps):
    other = await CompetitorSteps.open(installation)
    async with open_browser(installation, steps.tenant.owner) as browser:
        assert (await browser.post(path_of(other), data=BRAND)).status_code == 404
        foreign = f"/w/{steps.tenant.id}/d/{other.domain}/settings"
        assert (await browser.post(foreign, data=BRAND)).status_code == 404
        assert (await browser.post(f"{foreign}/remove", data={"confirmation": "acme.com"})).status_code == 404
        for path in (path_of(steps), path_of(steps, "remove")):
            crossing = await browser.post(
                path, data=BRAND | {"confirmation": "acme.com"}, headers={"Sec-Fetch-Site": "cross-site"}
            )
            assert crossing.status_code == 403
    assert (await read(steps)).brand_name == (await read(other)).brand_name == "Acme"


async def test_a_script_in_a_name_is_inert(installation, steps):
    evil = "</textarea><script>alert(1)</script>"
    async with open_browser(installation, steps.tenant.owner) as browser:
        await browser.post(path_of(steps), data=BRAND | {"brand_name": evil, "aliases": evil + " too"})
        page = (await browser.get(path_of(steps))).text
    assert (await read(steps)).aliases == [evil + " too"]
    assert "<script>alert" not in page


async def test_checks_that_are_skipped_because_no_platform_can_be_asked_are_said_on_overview_and_settings(
    installation, steps
):
    paths = (path_of(steps), path_of(steps).removesuffix("/settings"))
    chosen, included = "every platform selected for", "every platform in your plan is paused or not connected"
    async with open_browser(installation, steps.tenant.owner) as browser:

        async def find_banners():
            pages = [(await browser.get(path)).text for path in paths]
            return [[words for words in (chosen, included) if words in page] for page in pages]

        async def pause(*keys):
            async with installation.db.transaction() as tx:
                for key in keys:
                    await pause_platform(tx, key, now=installation.clock())

        await browser.post(path_of(steps, "platforms"), data={"platform": ["chatgpt", "gemini"]})
        await pause("chatgpt")
        assert await find_banners() == [[], []]
        await pause("gemini")
        assert await find_banners() == [[chosen], [chosen]]
        page = (await browser.get(paths[1])).text
        assert f'<a href="{path_of(steps)}#platforms">Choose platforms</a>' in page
        await browser.post(path_of(steps, "platforms"), data={"platform": ["chatgpt", "perplexity"]})
        assert await find_banners() == [[], []]
        await pause(*(each.key for each in PLATFORMS))
        assert await find_banners() == [[included], [included]]
