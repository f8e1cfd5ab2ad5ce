"""Console domains on the pages."""

import pytest

from sightline.accounts.models import Role
from tests.web.console.console_browser import create_customer, open_console_browser

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
async def customer(installation, client):
    return await create_customer(installation, client)


async def test_a_domain_is_registered_changed_and_removed(installation):
    tenant = await installation.tenant()
    editor = await installation.member(tenant, Role.EDITOR)
    async with open_console_browser(installation, tenant, editor) as console:
        made = await console.post(
            "/domains",
            domain="https://www.acme.com/x",
            aliases="Acme Inc\nACME",
            competitors="globex.com, Globex\ninitrode.com = Initrode, Inc.\nother.com",
        )
        assert made.status_code == 303
        path = made.headers["location"].split("?")[0]
        page = (await console.browser.get(path)).text
        assert "globex.com = Globex\ninitrode.com = Initrode, Inc.\nother.com" in page and "Acme Inc" in page
        changed = await console.browser.post(path, data={"brand_name": "Acme", "competitors": "third.com"})
        assert changed.headers["location"] == f"{path}?done=domain_changed"
        page = (await console.browser.get(path)).text
        assert "third.com" in page and "globex.com" not in page
        assert "Acme Inc" not in page  # a list that comes empty replaces the old one
        assert (await console.browser.post(f"{path}/remove")).status_code == 303
        assert (await console.browser.get(path)).status_code == 404
        back = await console.post("/domains", domain="acme.com")
        assert back.headers["location"].split("?")[0] == path
        assert "third.com" in (await console.browser.get(path)).text  # it comes back with what was known


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"domain": "localhost"}, 422, "Enter a public domain, such as acme.com."),
        ({"domain": ""}, 422, "domain"),
        ({"domain": "new.com", "competitors": "new.com"}, 422, "own domain"),
        ({"domain": "new.com", "aliases": "\n".join(f"a{n}" for n in range(51))}, 422, "aliases"),
        ({"domain": "acme.com"}, 409, "View the domain"),
    ],
)
async def test_what_is_wrong_is_said_and_what_was_typed_stays(installation, customer, fields, status, said):
    async with open_console_browser(installation, customer.tenant) as console:
        page = await console.post("/domains", **fields)
        assert (page.status_code, said in page.text) == (status, True), page.text
        assert f'value="{fields["domain"]}"' in page.text


async def test_a_domain_with_an_active_scan_stays(installation, customer):
    scan = await customer.accepted()
    async with open_console_browser(installation, customer.tenant) as console:
        page = await console.post(f"/domains/{customer.domain}/remove")
        assert page.status_code == 409 and f"{console.base}/scans/{scan}" in page.text


async def test_viewers_foreigners_and_other_sites_change_nothing(installation, customer):
    viewer, other = await installation.member(customer.tenant, Role.VIEWER), await installation.tenant()
    paths = ("/domains", f"/domains/{customer.domain}", f"/domains/{customer.domain}/remove")
    fields = {"domain": "new.com", "brand_name": "Taken"}
    async with open_console_browser(installation, customer.tenant, viewer) as console:
        for path in paths:
            assert (await console.post(path, **fields)).status_code == 403
    async with open_console_browser(installation, other) as console:
        for path in paths[1:]:
            assert (await console.post(path, **fields)).status_code == 404
    async with open_console_browser(installation, customer.tenant) as console:
        for path in paths:
            assert (await console.post(path, headers={"Sec-Fetch-Site": "cross-site"}, **fields)).status_code == 403
    assert await installation.db.fetch("SELECT brand_name, status FROM domains") == [("acme", "active")]


async def test_a_stored_script_is_inert(installation, customer):
    async with open_console_browser(installation, customer.tenant) as console:
        path = f"/domains/{customer.domain}"
        given = {"brand_name": SCRIPT, "aliases": f"</textarea>{SCRIPT}", "competitors": f"rival.com, {SCRIPT}"}
        assert (await console.post(path, **given)).status_code == 303
        for shown in (path, "/domains", "/scans/new"):
            page = (await console.get(shown)).text
            assert SCRIPT not in page and "&lt;script&gt;" in page
