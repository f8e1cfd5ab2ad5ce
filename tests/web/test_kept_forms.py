"""A form that is sent after the session ended: sign in again, and it is as it was. Nothing acts by itself."""

import re
from pathlib import Path

import pytest

import sightline.web
from sightline.accounts.kept_forms.keep import SECRET_FIELDS
from sightline.worker.housekeeping import run_housekeeping
from tests.installation import PASSWORD
from tests.web.console.console_browser import create_customer
from tests.web.operator.test_operator_area import make_operator
from tests.web.page_browser import open_browser
from tests.web.test_every_form import digest_tables

TEXT = 'which anvil is "quiet" & <light>'
ESCAPED = 'which anvil is "quiet" &amp; &lt;light&gt;'


async def sign_in(browser, user, page: str = "", kept: str = "", password: str = PASSWORD):
    return await browser.post("/sign-in", data={"email": user.email, "password": password, "next": page, "kept": kept})


def find_kept(page) -> list[str]:
    """Return the page that the sign-in form leads to, and the form that it carries."""
    return [re.search(rf'name="{name}" value="([^"]*)"', page.text)[1] for name in ("next", "kept")]


async def send_after_the_session(installation, browser, path: str, **fields):
    await installation.db.execute("DELETE FROM sessions")
    return await browser.post(path, data=fields)


async def restore(browser, user, asked):
    assert asked.status_code == 401 and "get your form back as you left it" in asked.text
    return await browser.get(
        (await sign_in(browser, user, *find_kept(asked))).headers["location"], follow_redirects=True
    )


async def test_forms_are_as_they_were_after_signing_in_again(installation, client):
    customer = await create_customer(installation, client)
    tenant = customer.tenant
    domain = await installation.tracked_domain(tenant)
    base, console = f"/w/{tenant.id}/d/{domain}", f"/w/{tenant.id}/console"
    async with open_browser(installation) as browser:
        await sign_in(browser, tenant.owner)
        before = await digest_tables(installation)
        # A form of the Dashboard, from a page that the browser names.
        browser.headers["Referer"] = f"http://test{base}/prompts?sort=text"
        asked = await send_after_the_session(installation, browser, f"{base}/prompts/add", prompt=TEXT, country="DE")
        wrong = await sign_in(browser, tenant.owner, *find_kept(asked), password="wrong")
        assert wrong.status_code == 401 and find_kept(wrong) == find_kept(asked), "kept through a wrong password"
        shown = await restore(browser, tenant.owner, asked)
        assert (
            str(shown.url).endswith(f"{base}/prompts?sort=text&restore=1")
            and ESCAPED.replace("&quot;", '"') in shown.text
        )
        assert "You were signed out, and nothing was saved." in shown.text
        assert "You were signed out" not in (await browser.get(f"{base}/prompts")).text
        del browser.headers["Referer"]
        # A form of the Console whose fields are wrong, and whose page is not that of its address.
        asked = await send_after_the_session(
            installation, browser, f"{console}/scans", token="x", domain_id="nonsense", keywords=TEXT, platforms="grok"
        )
        shown = await restore(browser, tenant.owner, asked)
        assert shown.url.path == f"{console}/scans/new" and "&lt;light&gt;</textarea>" in shown.text
        assert re.search(r'value="grok"[^>]* checked', shown.text) and not re.search(
            r'"claude"[^>]* checked', shown.text
        )
        refused = await browser.post(f"{console}/scans", data={"token": "x", "keywords": TEXT, "domain_id": "nonsense"})
        assert refused.status_code == 422 and "&lt;light&gt;" in refused.text
        after = await digest_tables(installation)
        changed = {table for table in before if before[table] != after[table]}
        assert changed <= {"sessions", "ended_access", "kept_forms"}, "nothing acted by itself"
        stored = await installation.db.fetchval("SELECT sealed FROM kept_forms")
        assert b"anvil" not in stored
        installation.clock.advance(hours=2)
        assert "You were signed out" not in (await browser.get(f"{console}/scans/new?restore=1")).text
        await run_housekeeping(installation.db, installation.app_context.settings, now=installation.clock())
        assert not await installation.db.fetchval("SELECT count(*) FROM kept_forms")


async def test_a_kept_form_is_for_the_same_person_and_holds_no_secret(installation):
    tenant, operator = await installation.tenant(), await make_operator(installation)
    path = "/operator/platforms/chatgpt/connect"
    fields = {"key": "sk-secret-of-the-operator", "model": "gpt-mine"}
    async with open_browser(installation) as browser:
        await sign_in(browser, operator)
        asked = await send_after_the_session(installation, browser, path, **fields)
        other = await sign_in(browser, tenant.owner, *find_kept(asked))
        assert "restore" not in other.headers["location"], "somebody else signed in"
        assert not await installation.db.fetchval("SELECT count(*) FROM kept_forms")
        await sign_in(browser, operator)
        asked = await send_after_the_session(installation, browser, path, **fields)
        shown = await restore(browser, operator, asked)
        assert 'value="gpt-mine"' in shown.text and "sk-secret" not in asked.text + shown.text
        crossed = await browser.post("/account/name", data={"name": "Eve"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert crossed.status_code == 403
        await installation.db.execute("DELETE FROM sessions")
        large = await browser.post("/account/name", data={"name": "x" * 60_000, "other": "ü" * 30_000})
        only_secrets = await browser.post("/account/password", data={"current_password": "x", "new_password": "y"})
        for not_kept in (large, only_secrets):
            assert not_kept.status_code in {303, 413} and "kept" not in not_kept.text
    async with open_browser(installation) as stranger:
        asked = await stranger.post("/account/name", data={"name": "Eve"})
        assert asked.status_code == 303, "a browser that nobody has signed in with"


def test_what_is_typed_into_password_fields_is_never_kept():
    templates = "".join(path.read_text() for path in Path(sightline.web.__file__).parent.rglob("*.html"))
    typed = re.findall(r'<input[^>]*type="password"[^>]*>', templates)
    names = {re.search(r'name="([^"]*)"', field)[1] for field in typed} - {"{{ name }}"}
    assert names and names <= SECRET_FIELDS
    assert set(re.findall(r'new_password_field\("(\w+)"', templates)) <= SECRET_FIELDS


@pytest.mark.parametrize("kept", ["nonsense", "é", "A" * 300_000])
async def test_a_form_that_was_tampered_with_does_not_hinder_signing_in(installation, kept):
    tenant = await installation.tenant()
    async with open_browser(installation) as browser:
        await sign_in(browser, tenant.owner)
        answer = await sign_in(browser, tenant.owner, "/account", kept)
        assert answer.status_code in {303, 413} and "restore" not in answer.headers.get("location", "")
