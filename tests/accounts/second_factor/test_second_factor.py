"""The second factor: adding and removing it, what signs in and what does not, and the way back."""

import json
from contextlib import asynccontextmanager

import pytest

from sightline.accounts.models import Role
from sightline.accounts.operators.grant import grant_operator
from sightline.accounts.second_factor.apps import reseal_apps, use_code
from sightline.accounts.second_factor.manage import reset_factors
from sightline.accounts.second_factor.passkeys import find_host
from tests.accounts.second_factor.authenticators import (
    SecurityKey,
    add_app,
    add_passkey,
    read_codes,
    read_field,
    read_key,
    read_options,
    show_code,
)
from tests.accounts.test_security_emails import take_emails
from tests.installation import PASSWORD, Installation, build_settings
from tests.web.page_browser import open_browser

SESSION = "/api/v1/console/session"
COOKIE = "sightline_session"


@pytest.fixture
async def local(database_url, tmp_path):
    """An installation at a host name, where browsers make passkeys, with e-mails."""
    given = {"base_url": "http://localhost:8080", "smtp_url": "smtp://127.0.0.1:9"}
    async with Installation.open(database_url, tmp_path, **given) as opened:
        yield opened


async def start_sign_in(browser, user, next_path=""):
    answer = await browser.post("/sign-in", data={"email": user.email, "password": PASSWORD, "next": next_path})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


async def send_code(browser, code, **fields):
    return await browser.post("/sign-in/factor", data={"code": code, **fields})


@asynccontextmanager
async def half_signed_in(installation, user, next_path=""):
    async with open_browser(installation) as browser:
        assert (await start_sign_in(browser, user, next_path)).startswith("/sign-in/factor")
        yield browser


async def test_an_app_is_asked_for_at_the_next_sign_in_and_each_code_works_once(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as here, open_browser(installation, tenant.owner) as there:
        key, codes = await add_app(here, installation.clock())
        assert len(set(codes)) == 10
        assert (await there.get("/account")).status_code == 303, "it began without a second factor"
        page = (await here.get("/account/factors")).text
        assert "10 recovery codes are left" in page and "not used yet" in page and codes[0] not in page
    used = show_code(key, installation.clock())
    async with half_signed_in(installation, tenant.owner, f"/w/{tenant.id}/members") as browser:
        assert COOKIE not in browser.cookies
        page = (await browser.get("/sign-in/factor")).text
        assert "The six digits that your app shows" in page
        for wrong in ("000000", used, "", "x" * 100, "é" * 6):
            refused = await send_code(browser, wrong, next="/account")
            assert refused.status_code == 401 and "The second factor is wrong" in refused.text, wrong
        installation.clock.advance(seconds=31)
        done = await send_code(browser, show_code(key, installation.clock()), next=f"/w/{tenant.id}/members")
        assert (done.status_code, done.headers["location"]) == (303, f"/w/{tenant.id}/members")
        assert (await browser.get(f"/w/{tenant.id}/members")).status_code == 200
        again = await send_code(browser, show_code(key, installation.clock()))
        assert again.status_code == 401, "the waiting sign-in was used up"
        opened = await browser.get("/sign-in/factor")
        assert (opened.status_code, opened.headers["location"]) == (303, "/sign-in")


async def test_a_sign_in_that_waits_opens_nothing_and_expires(installation):
    tenant = await installation.tenant()
    async with open_browser(installation, tenant.owner) as owner:
        key, _ = await add_app(owner, installation.clock())
    async with half_signed_in(installation, tenant.owner) as browser:
        token = browser.cookies["sightline_factor"]
        for cookie in ({"Cookie": f"{COOKIE}={token}"}, {}):
            for path in ("/account", "/account/factors", f"/w/{tenant.id}/members"):
                opened = await browser.get(path, headers=cookie)
                assert opened.headers["location"].startswith("/sign-in"), path
            assert (await browser.get(SESSION, headers=cookie)).status_code == 401
        installation.clock.advance(minutes=10)
        late = await send_code(browser, show_code(key, installation.clock()))
        assert late.status_code == 401 and "The sign-in has expired" in late.text
    assert await installation.db.fetchval("SELECT count(*) FROM sessions") == 1


async def test_a_changed_password_and_signing_out_everywhere_end_a_sign_in_that_waits(installation):
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as here:
        key, _ = await add_app(here, installation.clock())
        async with half_signed_in(installation, user) as there:
            installation.clock.advance(seconds=31)
            await here.post("/account/sessions/end-others")
            late = await send_code(there, show_code(key, installation.clock()))
            assert late.status_code == 401 and "The sign-in has expired" in late.text


async def test_a_recovery_code_works_once_and_is_stored_as_a_hash(installation):
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as here:
        _, codes = await add_app(here, installation.clock())
        rows = await installation.db.fetch("SELECT digest FROM recovery_codes")
        assert len(rows) == 10 and all(code.encode() not in row[0] for row in rows for code in codes)
        async with half_signed_in(installation, user) as there:
            typed = codes[3].upper().replace("-", " ")
            assert (await send_code(there, typed)).status_code == 303
            page = (await there.get("/account/factors")).text
            assert "9 recovery codes are left" in page
        async with half_signed_in(installation, user) as third:
            assert (await send_code(third, codes[3])).status_code == 401
        fresh = read_codes((await here.post("/account/factors/codes")).text)
        assert len(fresh) == 10 and not set(fresh) & set(codes)
        async with half_signed_in(installation, user) as fourth:
            assert (await send_code(fourth, codes[4])).status_code == 401, "the earlier codes ended"
            assert (await send_code(fourth, fresh[4])).status_code == 303


async def test_wrong_codes_have_to_wait_from_every_network(installation):
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as here:
        key, _ = await add_app(here, installation.clock())
    async with half_signed_in(installation, user) as browser:
        answers = [(await send_code(browser, "000000")).status_code for _ in range(11)]
        assert answers == [401] * 10 + [429]
        installation.clock.advance(seconds=31)
        assert (await send_code(browser, show_code(key, installation.clock()))).status_code == 303


async def test_the_api_continues_at_the_factor_and_refuses_wrong_and_used_tokens(installation):
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as here:
        key, codes = await add_app(here, installation.clock())
    given = {"email": user.email, "password": PASSWORD}
    async with installation.client() as client:
        asked = await client.post(SESSION, json=given)
        assert asked.status_code == 401 and asked.json()["code"] == "second_factor_required"
        assert asked.json()["methods"] == ["app", "recovery_code"] and "set-cookie" not in asked.headers
        token = asked.json()["factor_token"]
        wrong = await client.post(f"{SESSION}/factor", json={"factor_token": token, "code": "000000"})
        assert (wrong.status_code, wrong.json()["code"]) == (401, "second_factor_failed")
        unknown = await client.post(f"{SESSION}/factor", json={"factor_token": "x", "code": codes[0]})
        assert (unknown.status_code, unknown.json()["code"]) == (401, "sign_in_expired")
        foreign = {"Sec-Fetch-Site": "cross-site"}
        body = {"factor_token": token, "code": codes[0]}
        crossed = await client.post(f"{SESSION}/factor", json=body, headers=foreign)
        assert (crossed.status_code, crossed.json()["code"]) == (403, "csrf_failed")
        done = await client.post(f"{SESSION}/factor", json=body)
        assert done.status_code == 201 and done.json()["data"]["user"]["email"] == user.email
        assert (await client.get(SESSION)).status_code == 200
        repeated = await client.post(f"{SESSION}/factor", json=body | {"code": codes[1]})
        assert repeated.json()["code"] == "sign_in_expired"
    assert key not in repr(asked.json())


async def test_a_passkey_signs_in_and_belongs_to_this_site_person_and_challenge(local):
    user, security_key = (await local.tenant()).owner, SecurityKey()
    async with open_browser(local, user) as here:
        page = (await here.get("/account/factors/passkey")).text
        elsewhere = SecurityKey(host="evil.test", origin="https://evil.test")
        for credential in (elsewhere.make(read_options(page)), "{}", "no json", '{"rawId": 1}', "[]"):
            form = {"name": "Laptop", "credential": credential}
            refused = await here.post("/account/factors/passkey", data=form)
            assert refused.status_code == 422, credential
        assert len(await add_passkey(here, security_key)) == 10
        replayed = {"name": "Again", "credential": security_key.make(read_options(page))}
        assert (await here.post("/account/factors/passkey", data=replayed)).status_code == 422
    async with half_signed_in(local, user) as browser:
        first = read_options((await browser.get("/sign-in/factor")).text)
        second = read_options((await browser.get("/sign-in/factor")).text)
        assert json.loads(first)["challenge"] != json.loads(second)["challenge"]
        stranger = SecurityKey()
        for response in (security_key.sign(first), stranger.sign(second), "{}", "[]", '{"rawId": null}'):
            refused = await browser.post("/sign-in/factor", data={"passkey": response})
            assert refused.status_code == 401, response
        options = read_options((await browser.get("/sign-in/factor")).text)
        response = security_key.sign(options)
        assert (await browser.post("/sign-in/factor", data={"passkey": response})).status_code == 303
    async with half_signed_in(local, user) as browser:
        refused = await browser.post("/sign-in/factor", data={"passkey": response})
        assert refused.status_code == 401, "a response works once"
        options = read_options((await browser.get("/sign-in/factor")).text)
        security_key.uses -= 1
        cloned = await browser.post("/sign-in/factor", data={"passkey": security_key.sign(options)})
        assert cloned.status_code == 401, "a copied key would count from where it was copied"


def test_passkeys_need_a_host_name_and_https_beyond_this_machine():
    for address in (
        "http://127.0.0.1:8080",
        "https://203.0.113.7",
        "https://[2001:db8::1]",
        "http://sightline.acme.com",
    ):
        assert find_host(build_settings(base_url=address)) is None, address
    assert find_host(build_settings(base_url="https://sightline.acme.com")) == "sightline.acme.com"
    assert find_host(build_settings(base_url="http://localhost:8080")) == "localhost"


async def test_an_installation_without_a_host_name_says_why_it_offers_no_passkeys(database_url, tmp_path):
    async with (
        Installation.open(database_url, tmp_path, base_url="http://127.0.0.1:8080") as installation,
        open_browser(installation, (await installation.tenant()).owner) as browser,
    ):
        page = (await browser.get("/account/factors/passkey")).text
    assert "Passkeys need a host name and https." in page and "data-passkey=" not in page


async def test_an_app_is_added_once_and_only_with_a_code_of_this_session(installation):
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as here, open_browser(installation, user) as there:
        page = (await here.get("/account/factors/app")).text
        form = {"sealed": read_field(page, "sealed"), "code": "000000"}
        wrong = await here.post("/account/factors/app", data=form)
        assert wrong.status_code == 422 and read_key(wrong.text) == read_key(page), "the same key is shown again"
        form["code"] = show_code(read_key(page), installation.clock())
        assert (await there.post("/account/factors/app", data=form)).status_code == 422
        for sealed in ("", "00", "no hex"):
            assert (await here.post("/account/factors/app", data=form | {"sealed": sealed})).status_code == 422
        await add_app(here, installation.clock())
        page = (await here.get("/account/factors/app")).text
        form = {"sealed": read_field(page, "sealed"), "code": show_code(read_key(page), installation.clock())}
        assert (await here.post("/account/factors/app", data=form)).status_code == 422, "one app at most"
    stored = await installation.db.fetchval("SELECT secret FROM second_factors")
    assert read_key(page).encode() not in stored


async def test_removing_the_last_factor_removes_the_codes(installation):
    user = (await installation.tenant()).owner
    async with open_browser(installation, user) as here:
        assert (await here.post("/account/factors/codes")).status_code == 409
        await add_app(here, installation.clock())
        factor = await installation.db.fetchval("SELECT id FROM second_factors")
        async with open_browser(installation, await installation.user()) as stranger:
            assert (await stranger.post(f"/account/factors/{factor}/remove")).status_code == 404
        assert (await here.post(f"/account/factors/{factor}/remove")).status_code == 303
        assert (await here.post(f"/account/factors/{factor}/remove")).status_code == 404
        assert await installation.db.fetchval("SELECT count(*) FROM recovery_codes") == 0
    async with open_browser(installation) as browser:
        assert await start_sign_in(browser, user) == "/"


async def test_a_workspace_that_requires_a_factor_stays_closed_without_one(installation):
    tenant = await installation.tenant()
    member = await installation.member(tenant, Role.ADMIN)
    path, members = f"/w/{tenant.id}/members", f"/w/{tenant.id}/members/second-factor"
    async with open_browser(installation, tenant.owner) as owner, open_browser(installation, member) as other:
        assert (await other.post(members, data={"required": "yes"})).status_code == 403
        refused = await owner.post(members, data={"required": "yes"})
        assert refused.status_code == 409 and "You have no second factor" in refused.text
        await add_app(owner, installation.clock())
        assert (await owner.post(members, data={"required": "yes"})).status_code == 303
        assert (await owner.get(path)).status_code == 200
        closed = await other.get(path)
        assert closed.status_code == 403 and 'href="/account/factors"' in closed.text
        assert (await other.get("/account")).status_code == 200
        session = (await other.get(SESSION)).json()["data"]
        assert [each["id"] for each in session["workspaces"]] == [tenant.id]
        answer = await other.get("/api/v1/console/domains", headers={"X-Workspace-Id": tenant.id})
        assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_setup_required")
        await add_app(other, installation.clock())
        assert (await other.get(path)).status_code == 200
        assert (await owner.post(members)).status_code == 303
    async with installation.client(X_API_Key=tenant.live) as client:
        assert (await client.get("/api/v1/console/domains")).status_code == 200, "keys are not asked"


async def test_an_owner_resets_the_factors_of_a_member_but_nobody_reaches_into_another_workspace(local):
    tenant, other = await local.tenant(), await local.tenant()
    member, admin = await local.member(tenant, Role.EDITOR), await local.member(tenant, Role.ADMIN)
    path = f"/w/{tenant.id}/members/{member.id}/reset-factors"
    async with open_browser(local, member) as theirs, open_browser(local, tenant.owner) as owner:
        await add_app(theirs, local.clock())
        async with open_browser(local, admin) as lower, open_browser(local, other.owner) as stranger:
            assert (await lower.post(path)).status_code == 403
            assert (await stranger.post(path)).status_code == 404
            foreign = f"/w/{other.id}/members/{member.id}/reset-factors"
            assert (await stranger.post(foreign)).status_code == 404
        own = await owner.post(f"/w/{tenant.id}/members/{tenant.owner.id}/reset-factors")
        assert own.status_code == 403
        await local.set_role(other, member, Role.VIEWER)
        shared = await owner.post(path)
        assert shared.status_code == 403 and "Only the operator can reset" in shared.text
        await local.db.execute("DELETE FROM members WHERE workspace_id = $1 AND role = 'viewer'", other.workspace.id)
        await grant(local, member)
        assert (await owner.post(path)).status_code == 403, "an operator's access is everybody's"
        await local.db.execute("DELETE FROM operators")
        await take_emails(local)
        assert (await owner.post(path)).status_code == 303
        assert (await theirs.get("/account")).status_code == 303, "signed out"
    (told,) = await take_emails(local)
    assert told.to == member.email and "were removed by an owner" in told.text
    async with open_browser(local) as browser:
        wrong = await browser.post("/sign-in", data={"email": member.email, "password": "not the password"})
        assert wrong.status_code == 401, "the password still applies"
        assert await start_sign_in(browser, member) == "/"


async def grant(installation, user):
    async with installation.db.transaction() as tx:
        await grant_operator(tx, user.id, now=installation.clock())


async def test_a_changed_secret_key_keeps_apps_and_a_lost_one_leaves_recovery_codes(local):
    user = (await local.tenant()).owner
    async with open_browser(local, user) as here:
        key, codes = await add_app(here, local.clock())
    local.clock.advance(seconds=31)
    settings = build_settings(secret_key="t" * 40, secret_key_previous="s" * 40)
    async with local.db.transaction() as tx:
        assert await reseal_apps(tx, settings) == (1, 0, 0)
        assert await reseal_apps(tx, settings) == (0, 1, 0)
        lost = build_settings(secret_key="u" * 40)
        assert await reseal_apps(tx, lost) == (0, 0, 1)
        code = show_code(key, local.clock())
        assert not await use_code(tx, lost, user.id, code, now=local.clock())
        assert await use_code(tx, settings, user.id, code, now=local.clock())
    async with half_signed_in(local, user) as browser:
        assert (await send_code(browser, codes[0])).status_code == 303


async def test_the_operator_resets_factors_once_and_the_person_is_told_of_every_change(local):
    user = (await local.tenant()).owner
    async with open_browser(local, user) as here:
        _, codes = await add_app(here, local.clock())
    async with half_signed_in(local, user) as browser:
        await send_code(browser, codes[0])
    async with local.db.transaction() as tx:
        settings = local.app_context.settings
        assert await reset_factors(tx, settings, user.id, "reset", now=local.clock())
        assert not await reset_factors(tx, settings, user.id, "reset", now=local.clock())
    told = [each.text for each in await take_emails(local) if each.subject == "Your second factor changed"]
    assert ["was added" in told[0], "a recovery code" in told[1], "were removed" in told[2]] == [True] * 3, told
    assert all(code not in text for code in codes for text in told)
