"""Signing in and out on the pages, and who gets to see what."""

import pytest

from sightline.accounts.models import Role
from sightline.accounts.page_paths import is_local_path
from tests.installation import PASSWORD
from tests.web.page_browser import open_browser


async def test_home_redirects_to_welcome_on_a_new_installation_and_else_to_sign_in(installation):
    async with open_browser(installation) as browser:
        assert (await browser.get("/")).headers["location"] == "/welcome"
        await installation.tenant()
        assert (await browser.get("/")).headers["location"] == "/sign-in"


async def test_a_page_asks_to_sign_in_and_brings_back_afterwards(installation):
    tenant = await installation.tenant()
    path = f"/w/{tenant.id}"
    async with open_browser(installation) as browser:
        asked = await browser.get(path)
        assert (asked.status_code, asked.headers["location"]) == (303, f"/sign-in?next=%2Fw%2F{tenant.id}")
        form = await browser.get(asked.headers["location"])
        assert f'name="next" value="{path}"' in form.text
        given = {"email": tenant.owner.email, "password": PASSWORD, "next": path}
        signed_in = await browser.post("/sign-in", data=given)
        assert (signed_in.status_code, signed_in.headers["location"]) == (303, path)
        assert "HttpOnly; SameSite=Lax" in signed_in.headers["set-cookie"]
        assert (await browser.get(path)).status_code == 200


async def test_a_form_that_was_sent_too_late_leads_back_to_its_page(installation):
    await installation.tenant()
    async with open_browser(installation) as browser:
        asked = await browser.post("/account/name", data={"name": "Ada"})
        assert (asked.status_code, asked.headers["location"]) == (303, "/sign-in?next=%2Faccount%2Fname&unsent=yes")
        browser.headers["Referer"] = "http://test/account?from=x"
        asked = await browser.post("/account/name", data={"name": "Ada"})
        assert asked.headers["location"] == "/sign-in?next=%2Faccount%3Ffrom%3Dx&unsent=yes"
        assert (
            "Your form was not sent because your session had ended." in (await browser.get("/sign-in?unsent=yes")).text
        )
        assert "Your form was not sent" not in (await browser.get("/sign-in")).text


@pytest.mark.parametrize(
    "path",
    [
        "https://evil.com/", "//evil.com", "/\\evil.com", "javascript:alert(1)", "evil", "", "/\t/evil.com",
        "/\t\\evil.com", "/\n/evil.com", "/\r//evil.com", "/w/x\\..\\evil.com", "/%09/evil.com", "/%5Cevil.com",
        "/w//evil.com", "/.//evil.com", "/../evil.com", "/w/..", "/w/x?a=\\evil.com", "/w/x?a=1\nb", "/w/x#//evil.com",
        " /w/x", "/%2F%2Fevil.com", "/w/\u2028x", "/w/é",
    ],
)  # fmt: skip
def test_only_a_path_of_ours_is_returned_to_after_signing_in(path):
    assert not is_local_path(path)


@pytest.mark.parametrize(
    "path", ["/", "/account?from=x", "/join?token=in_a-b_c", "/w/0193-a/d/2/answers/3/4?q=a%20b&p=1"]
)
def test_paths_of_ours_are_returned_to_after_signing_in(path):
    assert is_local_path(path)


@pytest.mark.parametrize("path", ["//evil.com", "/\t\\evil.com"])
async def test_nobody_is_sent_to_another_site_after_signing_in(installation, path):
    tenant = await installation.tenant()
    async with open_browser(installation) as browser:
        given = {"email": tenant.owner.email, "password": PASSWORD, "next": path}
        assert (await browser.post("/sign-in", data=given)).headers["location"] == "/"
        assert "evil" not in (await browser.get("/sign-in", params={"next": path})).text


async def test_a_wrong_password_and_an_unknown_e_mail_look_the_same_and_are_throttled(installation):
    tenant = await installation.tenant()
    async with open_browser(installation) as browser:
        wrong = await browser.post("/sign-in", data={"email": tenant.owner.email, "password": "wrong"})
        unknown = await browser.post("/sign-in", data={"email": "nobody@acme.com", "password": "wrong"})
        assert wrong.status_code == unknown.status_code == 401
        assert wrong.text.replace(tenant.owner.email, "") == unknown.text.replace("nobody@acme.com", "")
        assert "wrong" not in wrong.text.split("<form")[1]
        for _ in range(5):
            last = await browser.post("/sign-in", data={"email": tenant.owner.email, "password": "wrong"})
        assert last.status_code == 429


async def test_a_form_of_another_site_is_refused_whatever_cookie_comes_with_it(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        refused = await browser.post("/sign-out", headers={"Sec-Fetch-Site": "cross-site"})
        assert refused.status_code == 403
        assert (await browser.get(f"/w/{tenant.id}")).status_code == 200
    async with open_browser(installation, Sec_Fetch_Site="cross-site") as stranger:
        given = {"email": tenant.owner.email, "password": PASSWORD}
        assert (await stranger.post("/sign-in", data=given)).status_code == 403


async def test_signing_out_ends_the_session_on_the_server(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        cookie = browser.cookies["sightline_session"]
        assert (await browser.post("/sign-out")).headers["location"] == "/sign-in"
        browser.cookies.set("sightline_session", cookie)
        assert (await browser.get(f"/w/{tenant.id}")).status_code == 303


async def test_pages_for_people_without_a_session_have_no_links_of_the_api(installation):
    async with open_browser(installation) as browser:
        for path in ("/sign-in", "/forgot-password", "/nowhere"):
            page = (await browser.get(path)).text
            assert "/docs" not in page and "openapi" not in page and "API v1" not in page, path
        assert "/api/openapi.json" in (await browser.get("/docs/errors")).text


async def test_signing_in_always_creates_a_new_session(installation):
    tenant = await installation.tenant()
    async with open_browser(installation) as browser:
        browser.cookies.set("sightline_session", "chosen-by-somebody-else")
        await browser.post("/sign-in", data={"email": tenant.owner.email, "password": PASSWORD})
        assert browser.cookies.get("sightline_session", domain="test.local") != "chosen-by-somebody-else"
        assert (await installation.db.fetchval("SELECT count(*) FROM sessions")) == 1


async def test_a_foreign_workspace_and_a_foreign_domain_are_not_there(installation):
    mine, theirs = await installation.tenant(), await installation.tenant()
    domain = await installation.tracked_domain(theirs)
    own = await installation.tracked_domain(mine)
    async with open_browser(installation, mine.owner) as browser:
        for path in (
            f"/w/{theirs.id}",
            f"/w/{theirs.id}/d/{domain}",
            f"/w/{mine.id}/d/{domain}",
            f"/w/{mine.id}/d/nonsense",
            "/w/nonsense",
        ):
            answer = await browser.get(path)
            assert answer.status_code == 404, path
            assert "acme.com" not in answer.text
        assert (await browser.get(f"/w/{mine.id}/d/{own}")).status_code == 200


async def test_every_member_may_look(installation):
    tenant = await installation.tenant()
    viewer = await installation.member(tenant, Role.VIEWER)
    domain = await installation.tracked_domain(tenant)
    async with open_browser(installation, viewer) as browser:
        page = await browser.get(f"/w/{tenant.id}/d/{domain}")
        assert page.status_code == 200
        assert "The first check has not been completed yet" in page.text


async def test_an_unexpected_error_shows_no_details(installation, monkeypatch):
    tenant = await installation.tenant()
    domain = await installation.tracked_domain(tenant)

    async def break_down(*_, **__):
        raise RuntimeError("a secret of the house")

    # No request is known that breaks a page.
    monkeypatch.setattr("sightline.web.pages.dashboard.overview.read_tasks", break_down)
    async with open_browser(installation, tenant.owner) as browser:
        answer = await browser.get(f"/w/{tenant.id}/d/{domain}")
    assert answer.status_code == 500
    assert "internal_error" in answer.text
    assert "a secret of the house" not in answer.text
    assert answer.headers["referrer-policy"] == "no-referrer"
