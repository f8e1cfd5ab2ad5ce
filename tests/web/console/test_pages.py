"""Every page of the Console: who may look at it, in which mode, and what it says when there is nothing yet."""

import pytest

from sightline.accounts.models import Role
from sightline.usage.console_switch import set_console_enabled
from tests.web.console.console_browser import ConsoleBrowser, create_customer, open_console_browser
from tests.web.page_browser import open_browser

OPEN = ("", "/scans", "/domains", "/credits", "/credits/checkouts", "/usage")
MANAGED = ("/keys", "/webhooks")


@pytest.mark.parametrize("livemode", [True, False])
async def test_every_page_opens_for_an_owner_shows_its_mode_and_is_not_cached(installation, livemode):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant, livemode=livemode) as console:
        for path in (*OPEN, *MANAGED, "/scans/new"):
            page = await console.get(path)
            assert page.status_code == 200, (path, page.text)
            assert ('class="test-band"' in page.text) is not livemode
            assert page.headers["cache-control"] == "no-store"
            assert len(page.content) < 150_000


async def test_keys_and_webhooks_are_for_admins_and_a_new_scan_for_editors(installation):
    tenant = await installation.tenant()
    for role, allowed in (
        (Role.VIEWER, OPEN),
        (Role.EDITOR, (*OPEN, "/scans/new")),
        (Role.ADMIN, (*OPEN, "/scans/new", *MANAGED)),
    ):
        async with open_console_browser(installation, tenant, await installation.member(tenant, role)) as console:
            for path in (*OPEN, "/scans/new", *MANAGED):
                expected = 200 if path in allowed else 403
                assert (await console.get(path)).status_code == expected, (role, path)
            rail = (await console.get()).text
            for path in MANAGED:
                assert (f'href="{console.base}{path}"' in rail) is (path in allowed)


async def test_a_viewer_sees_no_action_that_would_be_refused(installation, client):
    customer = await create_customer(installation, client)
    scan = await customer.accepted()
    viewer = await installation.member(customer.tenant, Role.VIEWER)
    async with open_console_browser(installation, customer.tenant, viewer) as console:
        for path in ("", "/scans", f"/scans/{scan}", "/domains", f"/domains/{customer.domain}", "/credits"):
            page = (await console.get(path)).text
            forms = page.partition("<main")[2].count('method="post"')
            assert forms == 0, (path, forms)
            assert "scans/new" not in page


async def test_a_foreign_workspace_mode_or_id_is_not_there(installation, client):
    customer, other = await create_customer(installation, client), await installation.tenant()
    scan = await customer.accepted()
    async with open_browser(installation, other.owner) as browser:
        assert (await ConsoleBrowser(browser, customer.tenant, livemode=True).get()).status_code == 404
        own = ConsoleBrowser(browser, other, livemode=True)
        for path in (f"/scans/{scan}", f"/scans/{scan}/events", f"/domains/{customer.domain}", "/webhooks/x"):
            answer = await own.get(path)
            assert answer.status_code == 404 and "acme.com" not in answer.text
    async with open_console_browser(installation, customer.tenant, livemode=False) as console:
        for path in (f"/scans/{scan}", f"/scans/{scan}/answers", f"/domains/{customer.domain}"):
            assert (await console.get(path)).status_code == 404
        assert scan not in (await console.get("/scans")).text


async def test_who_is_not_signed_in_is_asked_to(installation):
    tenant = await installation.tenant()
    async with open_browser(installation) as browser:
        answer = await ConsoleBrowser(browser, tenant, livemode=True).get("/credits")
        assert (answer.status_code, answer.headers["location"].split("?")[0]) == (303, "/sign-in")


async def test_a_console_that_is_switched_off_is_off_for_people_too(installation):
    tenant = await installation.tenant()
    async with installation.db.transaction() as tx:
        await set_console_enabled(tx, enabled=False)
    async with open_console_browser(installation, tenant) as console:
        assert (await console.get()).status_code == 503


async def test_what_was_done_is_said_in_our_own_words_only(installation):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        assert "Key revoked." in (await console.get("/keys", done="key_revoked")).text
        assert "You have won" not in (await console.get("/keys", done="You have won")).text


async def test_the_rail_leads_to_the_same_page_of_the_other_mode(installation):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        assert f'href="{console.base}/test/credits"' in (await console.get("/credits")).text
        assert f'href="{console.base}/credits"' in (await console.get("/test/credits")).text
