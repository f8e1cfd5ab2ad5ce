"""An admin who tries everything that only an owner may do, on pages and over the API: refused, and nothing changes."""

import pytest

from sightline.accounts.members import remove_member
from sightline.accounts.models import Role
from sightline.kit.ids import new_id
from tests.accounts.test_invitations import build_actor
from tests.api.assertions import CONSOLE, assert_problem
from tests.web.page_browser import open_browser
from tests.web.test_every_form import digest_tables


async def find_key(installation, tenant, user) -> str:
    query = "SELECT id FROM api_keys WHERE workspace_id = $1 AND created_by = $2 AND livemode AND kind = 'console'"
    return str(await installation.db.fetchval(query, tenant.workspace.id, user.id))


@pytest.mark.parametrize("billing", [False, True])
async def test_an_admin_gains_no_right_of_an_owner_on_pages(installation, billing):
    tenant = await installation.tenant()
    admin, editor = [await installation.member(tenant, role, billing=billing) for role in (Role.ADMIN, Role.EDITOR)]
    workspace, owner = f"/w/{tenant.id}", tenant.owner
    members, console = f"{workspace}/members", f"{workspace}/console"
    key, token = await find_key(installation, tenant, owner), {"token": str(new_id())}
    pack = str(await installation.db.fetchval("SELECT min(pricing_id) FROM credit_packs"))
    attempts = [
        (f"{members}/{admin.id}/change", {"role": "owner"}),
        (f"{members}/{admin.id}/change", {"role": ["admin", "owner"]}),
        (f"{members}/{editor.id}/change", {"role": "owner"}),
        (f"{members}/{owner.id}/change", {"role": "viewer"}),
        (f"{members}/{owner.id}/change", {"role": "owner", "billing_asked": "yes"}),
        (f"{members}/{owner.id}/remove", {}),
        (f"{members}/{admin.id}/payer", {}),
        (f"{members}/{editor.id}/payer", {}),
        (f"{members}/invitations", {**token, "role": "owner"}),
        (f"{members}/invitations", {**token, "role": "Owner"}),
        (f"{console}/keys/{key}/rotate", token),
        (f"{console}/keys/revoke-all", {}),
        (f"{console}/credits/checkout", {**token, "pricing_id": pack}),
        (f"{workspace}/demo", {}),
    ]
    if not billing:
        attempts += [
            (f"{members}/{admin.id}/change", {"role": "admin", "billing_asked": "yes", "billing": "yes"}),
            (f"{members}/{editor.id}/change", {"role": "editor", "billing_asked": "yes", "billing": "yes"}),
            (f"{members}/invitations", {**token, "role": "viewer", "billing": "yes"}),
        ]
    async with open_browser(installation, admin) as browser:
        await browser.get(members)
        before = await digest_tables(installation)
        for path, fields in attempts:
            refused = await browser.post(path, data=fields)
            assert refused.status_code in {403, 422}, (path, fields, refused.status_code)
        assert await digest_tables(installation) == before


@pytest.mark.parametrize("by_key", [False, True])
async def test_an_admin_gains_no_right_of_an_owner_over_the_api(installation, by_key):
    tenant = await installation.tenant()
    admin = await installation.member(tenant, Role.ADMIN)
    owner_key = await find_key(installation, tenant, tenant.owner)
    pack = await installation.db.fetchval("SELECT min(pricing_id) FROM credit_packs")
    attempts = [
        ("POST", f"/keys/{owner_key}/rotate", None, 403),
        ("POST", "/keys/revoke-all", None, 403),
        ("POST", "/credits/checkout", {"pricing_id": pack}, 403),
        ("PATCH", "/account", {"payer_user_id": str(admin.id), "plan": "free"}, 200),  # no members of an account
        ("POST", "/keys", {"name": "x", "scopes": ["owner"]}, 422),
    ]
    key = await installation.mint(tenant, admin, "console") if by_key else None
    client = installation.client(X_API_Key=key) if by_key else await installation.sign_in(admin)
    async with client:
        before = await digest_tables(installation)
        for method, path, body, status in attempts:
            headers = {"X-Workspace-Id": tenant.id, "Idempotency-Key": str(new_id())}
            refused = await client.request(method, f"{CONSOLE}{path}", json=body, headers=headers)
            assert refused.status_code == status, (method, path, refused.text)
        assert await digest_tables(installation) == before


async def test_an_admin_cannot_take_over_the_key_of_an_owner_who_left(installation):
    """The key is refused until its maker returns, and would then act as an owner."""
    tenant = await installation.tenant()
    other, admin = [await installation.member(tenant, role) for role in (Role.OWNER, Role.ADMIN)]
    async with installation.db.transaction() as tx:
        await tx.execute("UPDATE api_keys SET created_by = $1", other.id)
    key = await find_key(installation, tenant, other)
    async with installation.db.transaction() as tx:
        await remove_member(tx, build_actor(tenant, tenant.owner, Role.OWNER), other.id)
    headers = {"X-Workspace-Id": tenant.id, "Idempotency-Key": str(new_id())}
    async with await installation.sign_in(admin) as client:
        refused = await client.post(f"{CONSOLE}/keys/{key}/rotate", headers=headers)
    assert_problem(refused, 403, "workspace_access_required")
    async with await installation.sign_in(tenant.owner) as client:
        assert (await client.post(f"{CONSOLE}/keys/{key}/rotate", headers=headers)).status_code == 200
