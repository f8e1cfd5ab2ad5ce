"""API keys on the pages: minted, shown once, revoked."""

import re

import pytest

from sightline.accounts.models import Role
from sightline.kit.ids import new_id
from tests.web.console.console_browser import open_console_browser

KEY = re.compile(r"(?:sk|dk)_(?:live|test)_[A-Za-z0-9]{20,}")


async def count_keys(installation) -> int:
    return await installation.db.fetchval("SELECT count(*) FROM api_keys")


async def test_a_key_is_shown_once_and_works(installation, client):
    tenant = await installation.tenant()
    admin = await installation.member(tenant, Role.ADMIN)
    before = await count_keys(installation)
    async with open_console_browser(installation, tenant, admin) as console:
        form = {"token": await console.token("/keys"), "name": "CI", "kind": "console", "mode": "live"}
        minted = await console.post("/keys", **form)
        secret = KEY.search(minted.text)[0]
        assert secret.startswith("sk_live_") and minted.headers["cache-control"] == "no-store"
        answer = await client.get("/api/v1/console/domains", headers={"X-API-Key": secret})
        assert answer.status_code == 200
        again = await console.post("/keys", **form)
        assert again.headers["location"].endswith("?done=key_minted_before")
        listed = (await console.get("/keys", done="key_minted_before")).text
        assert not KEY.search(listed) and f"sk_live_…{secret[-4:]}" in listed
    assert await count_keys(installation) == before + 1


async def test_a_revoked_key_is_refused_and_revoking_twice_changes_nothing(installation, client):
    tenant = await installation.tenant()
    headers = {"X-API-Key": tenant.live}
    key = await installation.db.fetchval("SELECT id FROM api_keys WHERE kind = 'console' AND livemode")
    async with open_console_browser(installation, tenant) as console:
        assert "This cannot be undone" in (await console.get("/keys")).text
        for _ in range(2):
            assert (await console.post(f"/keys/{key}/revoke")).headers["location"].endswith("?done=key_revoked")
        assert (await client.get("/api/v1/console/domains", headers=headers)).json()["code"] == "key_revoked"
        assert "revoked 15 Nov 2026" in (await console.get("/keys")).text


async def test_a_key_is_bounded_on_the_page(installation, client):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        form = {"token": str(new_id()), "name": "Nightly", "kind": "console", "mode": "live", "expires": "30"}
        form |= {"console_scopes": ["read", "scans"], "addresses": "203.0.113.0/24\n2001:db8::/32"}
        secret = KEY.search((await console.post("/keys", **form)).text)[0]
        listed = (await console.get("/keys")).text
        assert "read, scans" in listed and "from 203.0.113.0/24, 2001:db8::/32" in listed
        assert "expires 15 Dec 2026" in listed
        for wrong in ({"addresses": "everywhere"}, {"expires": "7"}):
            refused = await console.post("/keys", **{**form, "token": str(new_id()), **wrong})
            assert refused.status_code == 422 and 'role="alert"' in refused.text and not KEY.search(refused.text)
    headers = {"X-API-Key": secret}
    assert (await client.get("/api/v1/console/domains", headers=headers)).status_code == 200
    minting = await client.post("/api/v1/console/keys", json={"name": "Child"}, headers=headers)
    assert minting.json()["code"] == "scope_required"


async def test_a_key_is_rotated_once_and_all_are_revoked_on_the_page(installation, client):
    tenant = await installation.tenant()
    key = await installation.db.fetchval("SELECT id FROM api_keys WHERE kind = 'console' AND livemode")
    async with open_console_browser(installation, tenant) as console:
        form = {"token": await console.token("/keys")}
        page = await console.post(f"/keys/{key}/rotate", **form)
        new = KEY.search(page.text)[0]
        assert "works until 16 Nov 2026" in page.text and page.headers["cache-control"] == "no-store"
        again = await console.post(f"/keys/{key}/rotate", **form)
        assert again.headers["location"].endswith("?done=key_rotated_before")
        for secret in (tenant.live, new):
            answer = await client.get("/api/v1/console/domains", headers={"X-API-Key": secret})
            assert answer.status_code == 200
        assert (await console.post("/keys/revoke-all")).headers["location"].endswith("?done=keys_revoked")
        for secret in (tenant.live, new, tenant.test):
            answer = await client.get("/api/v1/console/domains", headers={"X-API-Key": secret})
            assert answer.json()["code"] == "key_revoked"


async def test_revoking_on_the_page_can_keep_the_keys_that_were_minted(installation, client):
    tenant = await installation.tenant()
    for keep, status in (("yes", 200), ("", 401)):
        parent = await installation.mint(tenant, tenant.owner, "console")
        child = await client.post("/api/v1/console/keys", json={"name": "Child"}, headers={"X-API-Key": parent})
        parent_id = child.json()["data"]["parent_id"]
        async with open_console_browser(installation, tenant) as console:
            await console.post(f"/keys/{parent_id}/revoke", keep_children=keep)
        answer = await client.get("/api/v1/console/domains", headers={"X-API-Key": child.json()["data"]["key"]})
        assert answer.status_code == status


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"kind": "data", "scopes": "write"}, ("data", True, ["read", "write"])),
        ({"kind": "data"}, ("data", True, ["read"])),
        ({"kind": "data", "mode": "test"}, ("data", True, ["read"])),
        ({"kind": "console", "mode": "test", "scopes": "write"}, ("console", False, [])),
    ],
)
async def test_kind_mode_and_scopes_are_as_chosen(installation, fields, key):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        assert (await console.post("/keys", token=str(new_id()), name="New one", **fields)).status_code == 200
    query = "SELECT kind, livemode, scopes FROM api_keys WHERE name = 'New one'"
    assert tuple(await installation.db.fetchrow(query)) == key


async def test_test_mode_mints_and_sees_test_keys_only(installation):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant, livemode=False) as console:
        made = await console.post("/keys", token=str(new_id()), name="T", kind="console", mode="live")
        assert KEY.search(made.text)[0].startswith("sk_test_")
        assert (await console.post("/keys", token=str(new_id()), name="T", kind="data")).status_code == 422
        page = (await console.get("/keys")).text
        assert "sk_test_…" in page and "sk_live_…" not in page and "dk_live_…" not in page
        live = await installation.db.fetchval("SELECT id FROM api_keys WHERE kind = 'console' AND livemode")
        assert (await console.post(f"/keys/{live}/revoke")).status_code == 404


@pytest.mark.parametrize("fields", [{"name": " "}, {"name": "x", "kind": "root"}, {"name": "x" * 201}])
async def test_what_is_wrong_is_said_on_the_page(installation, fields):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        page = await console.post("/keys", **{"token": str(new_id()), "kind": "console", **fields})
        assert page.status_code == 422 and 'role="alert"' in page.text and not KEY.search(page.text)


async def test_editors_foreigners_and_other_sites_mint_and_revoke_nothing(installation):
    tenant, other = await installation.tenant(), await installation.tenant()
    key = await installation.db.fetchval("SELECT id FROM api_keys WHERE workspace_id = $1 LIMIT 1", tenant.workspace.id)
    form = {"token": str(new_id()), "name": "Mine", "kind": "console"}
    before = await count_keys(installation)
    for role in (Role.VIEWER, Role.EDITOR):
        async with open_console_browser(installation, tenant, await installation.member(tenant, role)) as console:
            assert (await console.post("/keys", **form)).status_code == 403
            assert (await console.post(f"/keys/{key}/revoke")).status_code == 403
    async with open_console_browser(installation, other) as console:
        assert (await console.post(f"/keys/{key}/revoke")).status_code == 404
    async with open_console_browser(installation, tenant) as console:
        crossed = {"Sec-Fetch-Site": "cross-site"}
        assert (await console.post("/keys", headers=crossed, **form)).status_code == 403
        assert (await console.post(f"/keys/{key}/revoke", headers=crossed)).status_code == 403
    assert await count_keys(installation) == before
    assert await installation.db.fetchval("SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL") == 0


async def test_a_name_with_a_script_is_inert(installation):
    tenant = await installation.tenant()
    async with open_console_browser(installation, tenant) as console:
        made = await console.post("/keys", token=str(new_id()), name="<script>alert(1)</script>", kind="console")
        for page in (made.text, (await console.get("/keys")).text):
            assert "<script>alert" not in page and "&lt;script&gt;" in page
