"""What bounds a key: scopes, its parent, the number of keys, rotation, its end and its addresses."""

import asyncio
from datetime import timedelta

import pytest

from sightline.accounts.models import Role
from sightline.api_keys.issue import MAX_ACTIVE_KEYS, revoke_oldest_keys
from tests.api.assertions import CONSOLE, DATA, assert_problem

KEYS = f"{CONSOLE}/keys"


class Keys:
    """Keys of one tenant, minted, used and ended over the API."""

    def __init__(self, installation, client, tenant) -> None:
        self.installation = installation
        self.client = client
        self.tenant = tenant

    async def send(self, method, path, key=None, **options):
        return await self.client.request(method, path, headers={"X-API-Key": key or self.tenant.live}, **options)

    async def try_mint(self, key=None, **body):
        return await self.send("POST", KEYS, key, json={"name": "A key", **body})

    async def mint(self, key=None, **body):
        response = await self.try_mint(key, **body)
        assert response.status_code == 201, response.text
        return response.json()["data"]

    async def read_code(self, key, path=f"{CONSOLE}/account"):
        """Return the code of the refusal, or None when the key works."""
        response = await self.send("GET", path, key)
        return None if response.status_code == 200 else response.json()["code"]

    async def revoke(self, key_id, key=None, query=""):
        return await self.send("DELETE", f"{KEYS}/{key_id}{query}", key)

    async def rotate(self, key_id, key=None):
        return await self.send("POST", f"{KEYS}/{key_id}/rotate", key)


@pytest.fixture
async def keys(installation, client):
    return Keys(installation, client, await installation.tenant())


async def test_a_key_has_only_scopes_of_its_parent_key(keys):
    parent = await keys.mint(scopes=["keys", "read", "scans"])
    assert parent["scopes"] == ["keys", "read", "scans"]
    child = await keys.mint(parent["key"], scopes=["read"])
    assert (child["scopes"], child["parent_id"]) == (["read"], parent["id"])
    heir = await keys.mint(parent["key"])
    assert heir["scopes"] == parent["scopes"], "what is left out is as with the parent"
    for body, lacking in (
        ({"scopes": ["read", "billing"]}, "billing"),
        ({"kind": "data", "scopes": ["write"]}, "write"),
    ):
        refused = assert_problem(await keys.try_mint(parent["key"], **body), 403, "scope_required")
        assert refused["required_scope"] == lacking
    assert (await keys.mint(parent["key"], kind="data"))["scopes"] == ["read"]
    for kind in ("console", "data"):
        assert_problem(await keys.try_mint(child["key"], kind=kind), 403, "scope_required")
    assert (await keys.mint(kind="data", scopes=["write"]))["scopes"] == ["read", "write"], "a key with all scopes may"
    assert_problem(await keys.try_mint(scopes=["write"]), 422, "validation_failed")
    assert_problem(await keys.try_mint(kind="data", scopes=["billing"]), 422, "validation_failed")


async def test_revoking_a_key_revokes_its_children_and_theirs_unless_asked_otherwise(keys):
    for query, codes in (
        ("", ["key_revoked"] * 4),
        ("?keep_children=false", ["key_revoked"] * 4),
        ("?keep_children=true", ["key_revoked", None, None, None]),
    ):
        parent = await keys.mint()
        child = await keys.mint(parent["key"])
        grandchild = await keys.mint(child["key"])
        data = await keys.mint(child["key"], kind="data")
        assert (await keys.revoke(parent["id"], query=query)).status_code == 200
        found = [await keys.read_code(each["key"]) for each in (parent, child, grandchild)]
        assert [*found, await keys.read_code(data["key"], f"{DATA}/domains")] == codes, query
        assert await keys.read_code(keys.tenant.live) is None
    assert_problem(await keys.revoke(parent["id"], query="?keep_children=perhaps"), 422, "validation_failed")
    assert (await keys.revoke(parent["id"])).status_code == 200
    assert await keys.read_code(grandchild["key"]) == "key_revoked", "the second request did not ask to keep them"


async def test_concurrent_requests_do_not_exceed_the_limit_of_active_keys(keys):
    workspace = keys.tenant.workspace.id
    await keys.installation.db.execute(
        """INSERT INTO api_keys (workspace_id, id, kind, livemode, scopes, name, digest, last_four, created_by,
                                 created_at)
           SELECT $1, gen_random_uuid(), 'console', true, '{}', 'Many', sha256(n::text::bytea), 'xxxx', $2, now()
           FROM generate_series(1, $3) n""",
        workspace,
        keys.tenant.owner.id,
        MAX_ACTIVE_KEYS - 2 - 3,  # two of the tenant; three places are left
    )
    answers = await asyncio.gather(*(keys.try_mint() for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 5
    refused = next(answer for answer in answers if answer.status_code == 409)
    problem = assert_problem(refused, 409, "key_limit_reached")
    assert (problem["current"], problem["limit"]) == (50, 50)
    assert (await keys.mint(kind="data"))["kind"] == "data", "each kind has its own limit"
    minted = next(answer.json()["data"] for answer in answers if answer.status_code == 201)
    await keys.revoke(minted["id"])
    ending = keys.installation.clock() + timedelta(hours=1)
    await keys.mint(expires_at=ending.isoformat())
    assert_problem(await keys.try_mint(), 409, "key_limit_reached")
    keys.installation.clock.advance(hours=1)
    await keys.mint()  # a key that has expired is not active


async def test_the_oldest_keys_can_make_room(keys):
    """The demonstration mints keys at every call, and must not reach the limit."""
    newest = [await keys.mint() for _ in range(3)]
    async with keys.installation.db.transaction() as tx:
        now = keys.installation.clock() + timedelta(seconds=1)
        await revoke_oldest_keys(tx, keys.tenant.workspace.id, "console", spare=2, now=now)
    assert [await keys.read_code(each["key"]) for each in newest] == ["key_revoked", None, None]
    assert await keys.read_code(keys.tenant.live) == "key_revoked"
    assert await keys.read_code(keys.tenant.data, f"{DATA}/domains") is None


async def test_after_a_rotation_the_previous_secret_works_for_24_hours(keys):
    first = await keys.mint()
    second = (await keys.rotate(first["id"])).json()["data"]
    assert second["id"] == first["id"] and second["last_four"] == second["key"][-4:] != first["last_four"]
    assert second["previous_key_expires_at"] == "2026-11-16T09:30:10.000000+00:00"
    assert [await keys.read_code(each["key"]) for each in (first, second)] == [None, None]
    keys.installation.clock.advance(hours=23, minutes=59)
    assert await keys.read_code(first["key"]) is None
    keys.installation.clock.advance(minutes=1)
    assert [await keys.read_code(each["key"]) for each in (first, second)] == ["key_revoked", None]
    third = (await keys.rotate(first["id"])).json()["data"]
    fourth = (await keys.rotate(first["id"])).json()["data"]
    assert [await keys.read_code(each["key"]) for each in (second, third, fourth)] == ["key_invalid", None, None]
    await keys.revoke(first["id"])
    assert [await keys.read_code(each["key"]) for each in (third, fourth)] == ["key_revoked"] * 2, "both end at once"
    assert_problem(await keys.rotate(first["id"]), 404, "not_found")


async def test_nobody_gets_more_rights_by_rotating(keys):
    """Whoever holds a secret acts as its maker, so a key rotates only itself and its children."""
    limited = await keys.mint(scopes=["keys"])
    child = await keys.mint(limited["key"])
    stranger = await keys.mint()
    assert_problem(await keys.rotate(stranger["id"], limited["key"]), 403, "session_only")
    for own in (limited, child):
        assert (await keys.rotate(own["id"], limited["key"])).status_code == 200
    assert_problem(await keys.rotate(child["id"], keys.tenant.test), 404, "not_found")
    admin = await keys.installation.member(keys.tenant, Role.ADMIN)
    async with await keys.installation.sign_in(admin) as browser:
        headers = {"X-Workspace-Id": keys.tenant.id}
        refused = await browser.post(f"{KEYS}/{stranger['id']}/rotate", headers=headers)
        assert assert_problem(refused, 403, "workspace_access_required")["required_role"] == "owner"
        minted = (await browser.post(KEYS, json={"name": "Mine"}, headers=headers)).json()["data"]
        assert minted["parent_id"] is None
        assert (await browser.post(f"{KEYS}/{minted['id']}/rotate", headers=headers)).status_code == 200


async def test_an_owner_revokes_all_keys_by_session(keys):
    tenant, other = keys.tenant, await keys.installation.tenant()
    assert_problem(await keys.send("POST", f"{KEYS}/revoke-all"), 403, "session_only")
    headers = {"X-Workspace-Id": tenant.id}
    async with await keys.installation.sign_in(await keys.installation.member(tenant, Role.ADMIN)) as admin:
        assert_problem(await admin.post(f"{KEYS}/revoke-all", headers=headers), 403, "workspace_access_required")
    async with await keys.installation.sign_in(tenant.owner) as owner:
        in_test = await owner.post(f"{KEYS}/revoke-all", headers={**headers, "X-Sightline-Mode": "test"})
        assert in_test.json()["data"] == {"revoked": 1}
        assert [await keys.read_code(key) for key in (tenant.test, tenant.live)] == ["key_revoked", None]
        assert (await owner.post(f"{KEYS}/revoke-all", headers=headers)).json()["data"] == {"revoked": 3}
        assert (await owner.post(f"{KEYS}/revoke-all", headers=headers)).json()["data"] == {"revoked": 0}
    assert await keys.read_code(tenant.live) == "key_revoked"
    assert await keys.read_code(tenant.data, f"{DATA}/domains") == "key_revoked"
    assert await keys.read_code(other.live) is None


async def test_a_key_ends_when_it_expires_and_its_children_no_later(keys):
    clock = keys.installation.clock
    end = (clock() + timedelta(days=1)).isoformat()
    parent = await keys.mint(expires_at=end)
    assert parent["expires_at"] == "2026-11-16T09:30:10.000000+00:00"
    assert (await keys.mint(parent["key"]))["expires_at"] == parent["expires_at"]
    later = (clock() + timedelta(days=2)).isoformat()
    for body in ({"expires_at": later}, {"expires_at": clock().isoformat()}, {"expires_at": "2030-01-01T00:00:00"}):
        refused = assert_problem(await keys.try_mint(parent["key"], **body), 422, "validation_failed")
        assert refused["errors"][0]["field"] == "expires_at"
    clock.advance(days=1, seconds=-1)
    assert await keys.read_code(parent["key"]) is None
    clock.advance(seconds=1)
    assert_problem(await keys.send("GET", f"{CONSOLE}/account", parent["key"]), 401, "key_expired")


async def test_a_key_works_only_from_its_addresses(keys):
    here = await keys.mint(allowed_addresses=["203.0.113.0/24", "2001:db8::/32"])  # tests call from 203.0.113.7
    elsewhere = await keys.mint(allowed_addresses=["198.51.100.1"])
    assert await keys.read_code(here["key"]) is None
    refused = await keys.send("GET", f"{CONSOLE}/account", elsewhere["key"])
    assert_problem(refused, 403, "address_not_allowed")
    counted = await keys.installation.db.fetchval("SELECT count(*) FROM rate_months WHERE key_id = $1", elsewhere["id"])
    assert counted == 0, "whoever stole the key uses up nothing"
    for address, works in (("2001:db8::9", True), ("2001:db9::9", False), ("::ffff:203.0.113.9", True)):
        async with keys.installation.client(address=address, X_API_Key=here["key"]) as client:
            assert (await client.get(f"{CONSOLE}/account")).is_success is works, address
    child = await keys.mint(here["key"])
    assert child["allowed_addresses"] == ["203.0.113.0/24", "2001:db8::/32"]
    brief = await keys.mint(here["key"], expires_at=(keys.installation.clock() + timedelta(days=1)).isoformat())
    wider = {"allowed_addresses": ["203.0.0.0/16"], "expires_at": "2030-01-01T00:00:00Z"}
    refused = assert_problem(await keys.try_mint(brief["key"], **wider), 422, "validation_failed")
    assert {error["field"] for error in refused["errors"]} == wider.keys()


async def test_a_test_key_cannot_change_the_live_profile(keys):
    response = await keys.send("PATCH", f"{CONSOLE}/account", keys.tenant.test, json={"company": "Test Inc"})
    assert assert_problem(response, 403, "workspace_access_required")["reason"] == "mode"
    read = await keys.send("GET", f"{CONSOLE}/account", keys.tenant.test)
    assert read.json()["data"]["company"] is None
