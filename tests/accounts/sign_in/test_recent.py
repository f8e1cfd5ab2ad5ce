"""Recent sign-in: what asks for it, what proves it, and that a form goes on where it was."""

import re

from sightline.accounts.models import Role
from tests.accounts.second_factor.authenticators import SecurityKey, add_app, add_passkey, read_options, show_code
from tests.installation import PASSWORD, Installation
from tests.web.page_browser import open_browser

SESSION = "/api/v1/console/session"
KEYS = "/api/v1/console/keys"


def read_hidden(page: str) -> dict[str, str]:
    """Return the fields that the page sends again with the proof."""
    return dict(re.findall(r'<input type="hidden" name="(?!confirm_)(\w+)" value="([^"]*)">', page))


async def test_a_form_is_asked_for_a_proof_after_15_minutes_and_goes_on(installation):
    tenant = await installation.tenant()
    member = await installation.member(tenant, Role.VIEWER)
    path = f"/w/{tenant.id}/members/{member.id}/change"

    async def read_role():
        return await installation.db.fetchval("SELECT role FROM members WHERE user_id = $1", member.id)

    async with open_browser(installation, tenant.owner) as browser:
        installation.clock.advance(minutes=14, seconds=59)
        assert (await browser.post(path, data={"role": "editor"})).status_code == 303
        installation.clock.advance(seconds=1)
        asked = await browser.post(path, data={"role": "admin"})
        assert asked.status_code == 403 and "Confirm that it is you" in asked.text and await read_role() == "editor"
        assert f'action="{path}"' in asked.text and read_hidden(asked.text) == {"role": "admin"}
        wrong = await browser.post(path, data={"role": "admin", "confirm_password": "not this one"})
        assert wrong.status_code == 403 and "That was not right" in wrong.text and await read_role() == "editor"
        assert read_hidden(wrong.text) == {"role": "admin"} and "not this one" not in wrong.text
        done = await browser.post(path, data={"role": "admin", "confirm_password": PASSWORD})
        assert (done.status_code, await read_role()) == (303, "admin")
        assert (await browser.post(path, data={"role": "viewer"})).status_code == 303, "for another 15 minutes"


async def test_a_page_asks_and_leads_back_to_itself_and_to_no_other_site(installation):
    async with open_browser(installation, (await installation.tenant()).owner) as browser:
        installation.clock.advance(minutes=15)
        asked = await browser.get("/account/factors/app")
        assert asked.status_code == 403 and read_hidden(asked.text) == {"next": "/account/factors/app"}
        sent = {"next": "/account/factors/app", "confirm_password": PASSWORD}
        done = await browser.post("/account/confirm", data=sent)
        assert (done.status_code, done.headers["location"]) == (303, "/account/factors/app")
        away = await browser.post("/account/confirm", data=sent | {"next": "//evil.test"})
        assert away.headers["location"] == "/account"


async def test_everything_that_changes_access_asks(installation):
    tenant = await installation.tenant()
    factor = "01990f70-5b20-7c31-9e42-a1b3c4d5e6f7"
    members, keys = f"/w/{tenant.id}/members", f"/w/{tenant.id}/console/keys"
    paths = [
        *(f"{members}/{each}" for each in ("invitations", "second-factor")),
        *(f"{members}/{factor}/{each}" for each in ("change", "remove", "remove-guest", "reset-factors", "payer")),
        *(keys + each for each in ("", f"/{factor}/rotate", f"/{factor}/revoke", "/revoke-all")),
        *(f"/account/factors/{each}" for each in ("app", "passkey", "codes", f"{factor}/remove")),
        *(f"/w/{tenant.id}/data/{each}" for each in ("export", "delete")),
        *(f"/account/sessions/{each}" for each in ("end-others", "end-all", f"{factor}/end")),
    ]
    async with open_browser(installation, tenant.owner) as browser:
        installation.clock.advance(minutes=15)
        for path in paths:
            asked = await browser.post(path, data={"token": factor})
            assert asked.status_code == 403 and "Confirm that it is you" in asked.text, path


async def test_a_code_and_a_passkey_are_proofs_but_a_recovery_code_and_an_earlier_challenge_are_not(
    database_url, tmp_path
):
    async with Installation.open(database_url, tmp_path, base_url="http://localhost:8080") as installation:
        user, security_key = (await installation.tenant()).owner, SecurityKey()
        async with open_browser(installation, user) as browser:
            key, codes = await add_app(browser, installation.clock())
            await add_passkey(browser, security_key)
            installation.clock.advance(minutes=15)
            path = "/account/sessions/end-others"
            options = read_options((await browser.post(path)).text)
            later = read_options((await browser.post(path)).text)
            for wrong in ({"code": codes[0]}, {"code": "000000"}, {"passkey": security_key.sign(options)}):
                sent = {f"confirm_{name}": value for name, value in wrong.items()}
                assert (await browser.post(path, data=sent)).status_code == 403, wrong
            assert later != options
            options = read_options((await browser.post(path)).text)
            used = security_key.sign(options)
            assert (await browser.post(path, data={"confirm_passkey": used})).status_code == 303
            installation.clock.advance(minutes=15)
            assert (await browser.post(path, data={"confirm_passkey": used})).status_code == 403
            code = show_code(key, installation.clock())
            assert (await browser.post(path, data={"confirm_code": code})).status_code == 303
            installation.clock.advance(minutes=15)
            assert (await browser.post(path, data={"confirm_code": code})).status_code == 403


async def test_wrong_proofs_have_to_wait(installation):
    async with open_browser(installation, (await installation.tenant()).owner) as browser:
        installation.clock.advance(minutes=15)
        sent = {"confirm_password": "not this one"}
        answers = [(await browser.post("/account/sessions/end-others", data=sent)).status_code for _ in range(6)]
    assert answers == [403] * 5 + [429]


async def test_the_api_asks_sessions_and_not_keys(installation):
    tenant = await installation.tenant()
    body, named = {"name": "CI"}, {"X-Workspace-Id": tenant.id}
    async with await installation.sign_in(tenant.owner) as browser:
        assert (await browser.post(KEYS, json=body, headers=named)).status_code == 201
        installation.clock.advance(minutes=15)
        asked = await browser.post(KEYS, json=body, headers=named)
        assert (asked.status_code, asked.json()["code"]) == (403, "reauthentication_required")
        assert (await browser.get(KEYS, headers=named)).status_code == 200, "reading is no change"
        for wrong in ({}, {"password": "not this one"}, {"code": "000000"}):
            refused = await browser.post(f"{SESSION}/confirm", json=wrong)
            assert (refused.status_code, refused.json()["code"]) == (403, "confirmation_failed"), wrong
        confirmed = await browser.post(f"{SESSION}/confirm", json={"password": PASSWORD})
        assert confirmed.status_code == 200
        assert confirmed.json()["data"]["confirmed_until"] == "2026-11-15T10:00:10.000000+00:00"
        assert (await browser.post(KEYS, json=body, headers=named)).status_code == 201
    async with installation.client(X_API_Key=tenant.live) as client:
        assert (await client.post(KEYS, json=body)).status_code == 201


async def test_a_proof_counts_for_its_own_session_alone(installation):
    tenant = await installation.tenant()
    path = "/account/sessions/end-others"
    async with open_browser(installation, tenant.owner) as here, open_browser(installation, tenant.owner) as there:
        installation.clock.advance(minutes=15)
        sent = {"next": "/account", "confirm_password": PASSWORD}
        assert (await here.post("/account/confirm", data=sent)).status_code == 303
        assert (await there.post(path)).status_code == 403
        assert (await here.post(path)).status_code == 303
