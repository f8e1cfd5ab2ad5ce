"""One's own account: name, password, sessions."""

import pytest

from sightline.accounts.models import Role
from tests.installation import PASSWORD
from tests.web.page_browser import open_browser

NEW = "another horse battery"
COOKIE = "sightline_session"


async def sessions_of(installation, user) -> int:
    return await installation.db.fetchval("SELECT count(*) FROM sessions WHERE user_id = $1", user.id)


async def test_a_password_change_needs_the_current_one_and_ends_every_other_session(installation):
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as here, open_browser(installation, user) as there:
        old = here.cookies[COOKIE]
        wrong = await here.post("/account/password", data={"current_password": "wrong", "new_password": NEW})
        assert wrong.status_code == 422 and "The current password is wrong" in wrong.text
        weak = await here.post("/account/password", data={"current_password": PASSWORD, "new_password": "short"})
        assert weak.status_code == 422 and "10 to 1,000 characters" in weak.text
        assert (await there.get("/account")).status_code == 200

        done = await here.post("/account/password", data={"current_password": PASSWORD, "new_password": NEW})
        assert (done.status_code, done.headers["location"]) == (303, "/account?done=password")
        assert here.cookies[COOKIE] != old
        assert "signed out everywhere else" in (await here.get("/account?done=password")).text
        assert (await there.get("/account")).status_code == 303
        assert await sessions_of(installation, user) == 1
    async with open_browser(installation) as browser:
        for password, status in ((PASSWORD, 401), (NEW, 303)):
            answer = await browser.post("/sign-in", data={"email": user.email, "password": password})
            assert answer.status_code == status


async def test_times_are_in_the_zone_of_the_person_or_else_of_the_workspace(installation):
    tenant = await installation.tenant()
    domain = await installation.tracked_domain(tenant)
    installation.clock.now = installation.clock().replace(hour=21, minute=30)
    stamp, members = f"/w/{tenant.id}/d/{domain}/checks", f"/w/{tenant.id}/members"
    await installation.db.execute("UPDATE domains SET last_full_check_at = $1", installation.clock())
    async with open_browser(installation, tenant.owner) as browser:
        page = (await browser.get(stamp)).text
        assert (
            "Full Check completed today 21:30" in page and page.count("Times in UTC") == 1 and "21:30 UTC" not in page
        )
        wrong = await browser.post(f"{members}/timezone", data={"timezone": "Berlin"})
        assert wrong.status_code == 422 and "Choose a time zone from the list" in wrong.text
        assert (await browser.post(f"{members}/timezone", data={"timezone": "Europe/Berlin"})).status_code == 303
        page = (await browser.get(stamp)).text
        assert "Full Check completed today 22:30" in page and "Times in Europe/Berlin" in page
        await browser.post("/account/timezone", data={"timezone": "Asia/Tokyo"})
        page = (await browser.get(stamp)).text
        assert "Full Check completed today 06:30" in page and "Times in Asia/Tokyo" in page
        wrong = await browser.post("/account/timezone", data={"timezone": "Mars/Base"})
        assert wrong.status_code == 422 and "Choose a time zone from the list" in wrong.text
        await browser.post("/account/timezone", data={"timezone": ""})
        assert "Times in Europe/Berlin" in (await browser.get(stamp)).text
    async with installation.client(X_API_Key=tenant.data) as client:
        found = (await client.get(f"/api/v1/ext/domains/{domain}")).json()["data"]
        assert found["last_full_check_at"].endswith("T21:30:10.000000+00:00"), "the API stays in UTC"


async def test_a_person_reads_pages_in_the_chosen_language_or_in_that_of_the_browser(installation):
    async with open_browser(installation, (await installation.tenant()).owner) as browser:
        german = {"Accept-Language": "de-DE,de;q=0.9"}
        assert '<html lang="en"' in (await browser.get("/account")).text
        page = (await browser.get("/account", headers=german)).text
        assert '<html lang="de"' in page and "Wie im Browser" in page
        wrong = await browser.post("/account/language", data={"language": "fr"}, headers=german)
        assert wrong.status_code == 422 and "Wählen Sie eine Sprache aus der Liste." in wrong.text
        await browser.post("/account/language", data={"language": "en"})
        assert '<html lang="en"' in (await browser.get("/account", headers=german)).text
        await browser.post("/account/language", data={"language": ""})
        assert '<html lang="de"' in (await browser.get("/account", headers=german)).text


async def test_wrong_current_passwords_cause_waits_like_failed_sign_ins(installation):
    given = {"current_password": "wrong", "new_password": NEW}
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as browser:
        answers = [(await browser.post("/account/password", data=given)).status_code for _ in range(6)]
        assert answers == [422] * 5 + [429]
        given["current_password"] = PASSWORD
        assert (await browser.post("/account/password", data=given)).status_code == 429
        installation.clock.advance(minutes=1)
        assert (await browser.post("/account/password", data=given)).status_code == 303


async def test_sessions_are_listed_and_can_be_ended_one_by_one_or_all(installation):
    user = (await installation.tenant()).owner
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 <script>" + "x" * 300
    async with (
        open_browser(installation, user, User_Agent=firefox) as there,
        open_browser(installation, user) as third,
        open_browser(installation, user) as here,
    ):
        page = (await here.get("/account")).text
        assert page.count("this browser") == 1 and "Firefox on Linux" in page
        assert "<script>x" not in page and "x" * 200 not in page
        theirs = await installation.db.fetchval("SELECT id FROM sessions WHERE agent LIKE 'Mozilla%'")
        assert (await here.post(f"/account/sessions/{theirs}/end")).headers["location"] == "/account?done=ended"
        assert (await there.get("/account")).status_code == 303
        assert (await here.post(f"/account/sessions/{theirs}/end")).status_code == 404
        assert (await here.post("/account/sessions/end-others")).status_code == 303
        assert (await third.get("/account")).status_code == 303
        assert (await here.get("/account")).status_code == 200


async def test_signing_out_everywhere_ends_every_session_and_this_one(installation):
    tenant = await installation.tenant()
    other = await installation.member(tenant, Role.VIEWER)
    async with (
        open_browser(installation, tenant.owner) as here,
        open_browser(installation, tenant.owner) as there,
        open_browser(installation, other) as viewer,
    ):
        assert "Sign out everywhere" in (await here.get("/account")).text
        done = await here.post("/account/sessions/end-all")
        assert (done.status_code, done.headers["location"]) == (303, "/sign-in?done=everywhere")
        assert "Max-Age=0" in done.headers["set-cookie"]
        assert "You are signed out everywhere." in (await here.get(done.headers["location"])).text
        assert await sessions_of(installation, tenant.owner) == 0
        assert (await there.get("/account")).status_code == 303
        assert (await viewer.get("/account")).status_code == 200


async def test_a_session_ends_after_7_days_without_use_and_14_days_in_total(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as pages, open_browser(installation, tenant.owner) as api:
        workspace = {"X-Workspace-Id": tenant.id}
        for days, status in ((6, 200), (6, 200), (1.9, 200), (0.2, 303)):
            installation.clock.advance(days=days)
            assert (await pages.get("/account")).status_code == status, "in use, but older than 14 days"
            answer = await api.get("/api/v1/console/account", headers=workspace)
            assert answer.status_code == (200 if status == 200 else 401), "the API counts as use, too"
    async with open_browser(installation, tenant.owner) as idle:
        installation.clock.advance(days=7)
        assert (await idle.get("/account")).status_code == 303


async def test_nobody_ends_the_session_of_somebody_else(installation):
    tenant = await installation.tenant()
    other = await installation.member(tenant, Role.VIEWER)
    async with open_browser(installation, tenant.owner) as owner, open_browser(installation, other) as viewer:
        theirs = await installation.db.fetchval("SELECT id FROM sessions WHERE user_id = $1", other.id)
        assert (await owner.post(f"/account/sessions/{theirs}/end")).status_code == 404
        await owner.post("/account/sessions/end-others")
        assert (await viewer.get("/account")).status_code == 200


async def test_a_session_is_seen_at_most_every_five_minutes(installation):
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as browser:
        seen = []
        for _ in range(3):
            await browser.get("/account")
            seen.append(await installation.db.fetchval("SELECT seen_at FROM sessions"))
            installation.clock.advance(minutes=4)
        assert seen[0] == seen[1] < seen[2]


async def test_the_name_is_changed_and_shown_as_text(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as browser:
        back = f"/account/name?from={tenant.id}"
        done = await browser.post(back, data={"name": "  Ada <script>alert(1)</script> "})
        assert done.headers["location"] == f"/account?done=renamed&from={tenant.id}"
        for path in (done.headers["location"], f"/w/{tenant.id}/members"):
            page = (await browser.get(path)).text
            assert "Ada &lt;script&gt;" in page and "<script>alert" not in page
        assert (await browser.post(back, data={"name": "  "})).status_code == 422


async def test_a_person_without_a_workspace_has_an_account_page_too(installation):
    await installation.tenant()
    user = await installation.user()
    async with open_browser(installation, user) as browser:
        assert (await browser.get("/")).headers["location"] == "/account"
        page = await browser.get("/account")
        assert page.status_code == 200 and "not a member of any workspace" in page.text


@pytest.mark.parametrize(
    "path",
    [
        "/account/name",
        "/account/password",
        "/account/sessions/end-others",
        "/account/sessions/end-all",
        "/account/sessions/01990f6a-2c40-7b3e-9d51-6f0a8c2e4b17/end",
    ],
)
async def test_a_form_of_another_site_and_one_without_a_session_do_nothing(installation, path):
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as browser:
        refused = await browser.post(path, data={"name": "x"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert refused.status_code == 403 and "from another site" in refused.text
    async with open_browser(installation) as stranger:
        assert (await stranger.post(path)).headers["location"].startswith("/sign-in?next=")
