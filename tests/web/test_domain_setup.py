"""Setting a domain up on one page, without a script, to its first check."""

import re
from html import unescape

import pytest

from sightline.accounts.models import MEMBER_ROLES, Role
from sightline.plans.table import Plan
from sightline.prompts.remove import remove_tracked_domain
from tests.tracked_domains import Tracker
from tests.web.page_browser import open_browser


async def start_setup(browser, tenant, domain: str = "acme.com") -> str:
    """Start a setup and return the path of its form."""
    answer = await browser.post(f"/w/{tenant.id}/new", data={"domain": domain})
    assert answer.status_code == 303, answer.text
    page = await browser.get(answer.headers["location"])
    assert page.status_code == 200
    return read_form(page.text)[0]


def read_form(page: str) -> tuple[str, dict]:
    """Return the fields of the form as a browser would send them."""
    main = page.split("<main")[1]
    action = re.search(r'<form method="post" action="([^"#]+)', main)[1]
    fields: dict = {}
    for tag in re.findall(r"<input [^>]+>", main):
        name, value = (re.search(rf'{key}="([^"]*)"', tag) for key in ("name", "value"))
        if "checkbox" not in tag or " checked" in tag:
            fields.setdefault(name[1], []).append(unescape(value[1] if value else ""))
    for name, options in re.findall(r'<select [^>]*name="(\w+)"[^>]*>(.*?)</select>', main):
        fields[name] = [re.search(r'value="(\w+)" selected', options)[1]]
    for name, text in re.findall(r'<textarea [^>]*name="(\w+)"[^>]*>([^<]*)</textarea>', main):
        fields[name] = [unescape(text)]
    return action, fields


async def test_a_domain_is_set_up_from_one_field_and_one_filled_in_page_without_javascript(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        empty = (await browser.get(f"/w/{tenant.id}")).text
        assert f'href="/w/{tenant.id}/new"' in empty and "No domain is tracked yet" in empty
        assert "0 of the 50 domains in the Agency plan" in (await browser.get(f"/w/{tenant.id}/new")).text
        action = await start_setup(browser, tenant)
        page = (await browser.get(f"/w/{tenant.id}/new?domain={action.rpartition('/')[2]}")).text
        _, fields = read_form(page)
        assert fields["brand_name"] == ["Acme"] and fields["category"][0], "the sandbox knows what its market sells"
        assert len(fields["suggestion"]) == 10 and fields["accepted"] == fields["suggestion"]
        assert len(fields["platform"]) == 11 and "770 answers" in page
        assert "the answers of the sandbox are made up" in page and "loss of 20 points is usually found" in page
        assert "In the sandbox, Sightline does not read your home page, so it guesses" in page
        fields |= {"accepted": fields["accepted"][:2], "prompts": ["which anvil is quiet"]}
        counted = await browser.post(action, data=fields | {"countries": "United States, Germany", "go": "summary"})
        assert "462 answers" in counted.text and "fewer than 10 prompts" in counted.text
        _, fields = read_form(counted.text)
        fields |= {"platform": ["gemini", "chatgpt"], "competitors": ["globex.com, hooli.com"]}
        started = await browser.post(action, data=fields | {"go": "start"})
    domain_id = action.rpartition("/")[2]
    scan = await installation.db.fetchrow("SELECT id, answers_total, status, selected_platforms FROM scans")
    assert started.status_code == 303
    assert started.headers["location"] == f"/w/{tenant.id}/d/{domain_id}"
    assert (scan["answers_total"], scan["status"], scan["selected_platforms"]) == (12, "pending", ["chatgpt", "gemini"])
    assert await installation.db.fetchval("SELECT chosen_platforms FROM domains") == ["chatgpt", "gemini"]
    rivals = await installation.db.fetch("SELECT competitor_domain FROM competitors WHERE status = 'confirmed'")
    assert {row[0] for row in rivals} == {"globex.com", "hooli.com"}
    rows = await installation.db.fetch("SELECT source, count(*) FROM prompts GROUP BY source ORDER BY source")
    assert [tuple(row) for row in rows] == [("added_by_you", 2), ("suggested", 4)]


async def test_an_unfinished_setup_continues_and_a_complete_one_redirects_to_the_overview(installation):
    async with Tracker.open(installation) as tracker:
        done = await tracker.track("globex.com", competitors=())
        tenant = tracker.tenant
        async with open_browser(installation, tenant.owner) as browser:
            action = await start_setup(browser, tenant)
            assert await start_setup(browser, tenant, "https://www.acme.com/") == action
            assert "acme.com</a>" in (await browser.get(f"/w/{tenant.id}/new")).text
            assert "set-up not finished" in (await browser.get(f"/w/{tenant.id}")).text
            assert (await browser.get(action)).headers["location"].endswith(f"/new?domain={action.rpartition('/')[2]}")
            overview = f"/w/{tenant.id}/d/{done.domain.id}"
            again = await browser.post(f"/w/{tenant.id}/new", data={"domain": "globex.com"})
            assert (await browser.get(again.headers["location"])).headers["location"] == overview
            posted = await browser.post(f"/w/{tenant.id}/new/{done.domain.id}", data={"go": "start"})
            assert posted.headers["location"] == overview


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"brand_name": ""},
            '<span class="fault" id="brand_name-fault">Enter a brand name of 1 to 200 characters.</span>',
        ),
        (
            {"choose_platforms": "1"},
            '<span class="fault" id="field-platforms-fault">Choose at least one platform.</span>',
        ),
        ({"choose_platforms": "1", "platform": "alexa"}, "Your plan does not include all of these platforms."),
        ({"language": "xx"}, "A language has two letters"),
        ({"countries": "United States, Atlantis"}, "“Atlantis” is not a country"),
        ({"prompts": "x"}, "Enter a prompt of 2 to 500 characters."),
        ({"competitors": "acme"}, "Enter a public domain, such as acme.com."),
    ],
)
async def test_a_refusal_keeps_everything_that_was_typed_and_nothing_is_half_done(installation, change, said):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        action = await start_setup(browser, tenant)
        given = {"brand_name": "Acme", "aliases": "Kept Name", "language": "en", "prompts": "best anvil"} | change
        refused = await browser.post(action, data=given | {"go": "start"})
    assert refused.status_code == 422
    assert refused.text.count(said) == 1 and "Kept Name" in refused.text
    assert await installation.db.fetchval("SELECT status FROM domains") == "setup"
    assert await installation.db.fetchval("SELECT count(*) FROM prompts") == 0


async def test_every_field_that_is_wrong_says_so_at_once(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        action = await start_setup(browser, tenant)
        given = {"brand_name": " ", "language": "en", "countries": "Atlantis", "prompts": "x", "choose_platforms": "1"}
        refused = await browser.post(action, data=given | {"go": "start"})
    faults = re.findall(r'<span class="fault" id="([\w-]+)-fault">', refused.text)
    assert faults == ["brand_name", "prompts", "field-platforms", "countries"]
    assert refused.text.count('aria-invalid="true"') == 4


async def test_another_website_takes_the_place_of_one_that_is_not_set_up(installation):
    tenant = await installation.tenant(Plan.FREE)
    async with open_browser(installation, tenant.owner) as browser:
        action = await start_setup(browser, tenant, "acme.com")
        replaced = action.rpartition("/")[2]
        assert "The Free plan includes 1 domain, and it is in use." in (await browser.get(f"/w/{tenant.id}/new")).text
        form = (await browser.get(f"/w/{tenant.id}/new?instead_of={replaced}")).text
        assert f'name="instead_of" value="{replaced}"' in form and "Instead of acme.com" in form
        given = {"domain": "https://www.Globex.com/about", "instead_of": replaced}
        moved = await browser.post(f"/w/{tenant.id}/new", data=given)
        page = (await browser.get(moved.headers["location"])).text
        assert read_form(page)[0] == action, "the record has another name"
        assert read_form(page)[1]["brand_name"] == ["Globex"]
        refused = await browser.post(f"/w/{tenant.id}/new", data=given | {"domain": "nowhere"})
        assert refused.status_code == 422 and f'value="{replaced}"' in refused.text
    assert await installation.db.fetchval("SELECT array_agg(domain) FROM domains") == ["globex.com"]
    assert await installation.db.fetchval("SELECT count(*) FROM scans") == 0, "nothing starts for an unseen domain"


async def test_a_domain_with_a_history_is_not_renamed_and_a_tracked_one_is_opened(installation):
    async with Tracker.open(installation) as tracker:
        done, removed = await tracker.track("globex.com", competitors=()), await tracker.track("acme.com")
        async with installation.db.transaction() as tx:
            await remove_tracked_domain(tx, tracker.workspace_id, removed.domain.id, now=installation.clock())
        tenant = tracker.tenant
        async with open_browser(installation, tenant.owner) as browser:
            action = await start_setup(browser, tenant, "acme.com")
            instead = {"instead_of": action.rpartition("/")[2]}
            taken = await browser.post(f"/w/{tenant.id}/new", data=instead | {"domain": "globex.com"})
            opened = await browser.get(taken.headers["location"])
            assert opened.headers["location"] == f"/w/{tenant.id}/d/{done.domain.id}"
            moved = await browser.post(f"/w/{tenant.id}/new", data=instead | {"domain": "initech.com"})
            assert read_form((await browser.get(moved.headers["location"])).text)[0] != action
            assert (await browser.get(action)).headers["location"] == f"/w/{tenant.id}/new"
    rows = await installation.db.fetch("SELECT domain, status FROM domains ORDER BY domain")
    assert [tuple(row) for row in rows] == [("acme.com", "removed"), ("globex.com", "active"), ("initech.com", "setup")]
    assert done.domain.chosen_platforms is None


async def test_the_limits_of_the_plan_are_shown_before_they_bite(installation):
    tenant = await installation.tenant(Plan.FREE)
    async with open_browser(installation, tenant.owner) as browser:
        action = await start_setup(browser, tenant)
        given = {"brand_name": "Acme", "language": "en", "prompts": "\n".join(f"anvil number {n}" for n in range(11))}
        counted = await browser.post(action, data=given | {"go": "summary"})
        assert "The workspace uses 0 of the 10 prompts in the Free plan." in counted.text
        over = re.search(r'<p class="wrong" data-over role="alert"( hidden)?>', counted.text)
        assert over[1] is None
        assert "33 answers</strong> once" in counted.text and "One audit cannot show a change" in counted.text
        refused = await browser.post(action, data=given | {"go": "start"})
        assert refused.status_code == 409 and "Too many prompts for your plan" in refused.text
        full = (await browser.get(f"/w/{tenant.id}/new")).text
        assert "The Free plan includes 1 domain, and it is in use." in full
        second = await browser.post(f"/w/{tenant.id}/new", data={"domain": "globex.com"})
        assert second.status_code == 403 and "Not included in your plan" in second.text
        wrong = await browser.post(f"/w/{tenant.id}/new", data={"domain": "not a domain"})
        assert wrong.status_code == 422


@pytest.mark.parametrize("role", MEMBER_ROLES)
async def test_editors_and_above_set_domains_up(installation, role):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        action = await start_setup(browser, tenant)
    may = role is not Role.VIEWER
    async with open_browser(installation, await installation.member(tenant, role)) as browser:
        assert (f"/w/{tenant.id}/new" in (await browser.get(f"/w/{tenant.id}")).text) == may
        assert (await browser.get(f"/w/{tenant.id}/new")).status_code == (200 if may else 403)
        given = {"brand_name": "Acme", "language": "en", "prompts": "best anvil", "go": "start"}
        assert (await browser.post(action, data=given)).status_code == (303 if may else 403)
        begun = await browser.post(f"/w/{tenant.id}/new", data={"domain": "initech.com"})
        assert begun.status_code == (303 if may else 403)


async def test_foreign_workspaces_domains_and_forms_are_refused_and_scripts_are_inert(installation):
    tenant, other = await installation.tenant(), await installation.tenant()
    evil = "</textarea><script>alert(1)</script>"
    async with open_browser(installation, other.owner) as browser:
        foreign = await start_setup(browser, other)
    async with open_browser(installation, tenant.owner) as browser:
        action = await start_setup(browser, tenant)
        given = {"brand_name": evil, "language": "en", "prompts": evil, "category": evil, "go": "summary"}
        assert "<script>alert" not in (await browser.post(action, data=given)).text
        assert (await browser.post(foreign, data=given)).status_code == 404
        mixed = f"/w/{tenant.id}/new/{foreign.rpartition('/')[2]}"
        assert (await browser.post(mixed, data=given | {"go": "start"})).status_code == 404
        assert (await browser.get(f"/w/{tenant.id}/new?domain={foreign.rpartition('/')[2]}")).status_code == 404
        for path in (action, f"/w/{tenant.id}/new"):
            crossing = await browser.post(path, data=given, headers={"Sec-Fetch-Site": "cross-site"})
            assert crossing.status_code == 403
