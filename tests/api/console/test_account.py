"""The account, bootstrap, and keys."""

import asyncio

import pytest

from sightline.accounts import passwords
from sightline.onboarding.bootstrap import create_token
from tests.accounts.hashers import BlockingHasher, RecordingHasher
from tests.api.assertions import CONSOLE, assert_problem
from tests.installation import PASSWORD, Installation

BOOTSTRAP = f"{CONSOLE}/account/bootstrap"
OPEN_TRANSACTIONS = """SELECT count(*) FROM pg_stat_activity
                       WHERE datname = current_database() AND state LIKE 'idle in transaction%'"""


class TestProfile:
    async def test_read_and_update(self, installation, client):
        tenant = await installation.tenant()
        headers = {"X-API-Key": tenant.live}
        changes = {
            "name": " Acme ",
            "company": "Acme Inc",
            "billing_email": "Billing@Acme.com",
            "website": "https://acme.com",
            "timezone": "Europe/Berlin",
        }
        response = await client.patch(f"{CONSOLE}/account", json=changes, headers=headers)
        data = response.json()["data"]
        assert data == {
            "id": tenant.id,
            "name": "Acme",
            "company": "Acme Inc",
            "billing_email": "billing@acme.com",
            "website": "https://acme.com",
            "timezone": "Europe/Berlin",
            "plan": "agency",
            "editor_declined": False,
            "created_at": "2026-11-15T09:30:10.000000+00:00",
        }
        assert (await client.get(f"{CONSOLE}/account", headers=headers)).json()["data"] == data
        response = await client.patch(f"{CONSOLE}/account", json={"company": None}, headers=headers)
        assert response.json()["data"] == {**data, "company": None}

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("name", ""),
            ("name", None),
            ("timezone", "Mars/Olympus"),
            ("timezone", None),
            ("website", "javascript:alert(1)"),
            ("billing_email", "nobody"),
            ("name", 7),
        ],
    )
    async def test_bad_values_are_refused_and_change_nothing(self, installation, client, field, value):
        tenant = await installation.tenant()
        headers = {"X-API-Key": tenant.live}
        before = (await client.get(f"{CONSOLE}/account", headers=headers)).json()["data"]
        response = await client.patch(f"{CONSOLE}/account", json={"company": "X", field: value}, headers=headers)
        assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == field
        assert (await client.get(f"{CONSOLE}/account", headers=headers)).json()["data"] == before

    async def test_plan_and_id_cannot_be_changed(self, installation, client):
        tenant = await installation.tenant()
        changes = {"plan": "free", "id": "x", "payer_user_id": None, "name": "New"}
        response = await client.patch(f"{CONSOLE}/account", json=changes, headers={"X-API-Key": tenant.live})
        assert (response.json()["data"]["plan"], response.json()["data"]["id"]) == ("agency", tenant.id)


class TestBootstrap:
    async def token(self, installation):
        async with installation.db.transaction() as tx:
            return await create_token(tx, now=installation.clock())

    def body(self, token, email="first@acme.com", **more):
        return {"token": token, "email": email, "password": PASSWORD, "workspace_name": "Acme", **more}

    async def test_creates_user_workspace_and_first_keys_that_work(self, installation, client):
        response = await client.post(BOOTSTRAP, json=self.body(await self.token(installation)))
        assert response.status_code == 201
        data = response.json()["data"]
        assert data["user"]["email"] == "first@acme.com"
        assert [key["key"][:8] for key in data["keys"]] == ["sk_live_", "sk_test_", "dk_live_"]
        for path, key in (("console/account", 0), ("console/account", 1), ("ext/domains", 2)):
            response = await client.get(f"/api/v1/{path}", headers={"X-API-Key": data["keys"][key]["key"]})
            assert response.status_code == 200
        response = await client.post(f"{CONSOLE}/session", json={"email": "first@acme.com", "password": PASSWORD})
        assert response.json()["data"]["workspaces"][0]["role"] == "owner"

    async def test_a_second_call_for_the_same_email_returns_user_and_workspace_never_keys(self, installation, client):
        token = await self.token(installation)
        first = (await client.post(BOOTSTRAP, json=self.body(token))).json()["data"]
        for again in (token, await self.token(installation)):
            response = await client.post(BOOTSTRAP, json=self.body(again, password="another password"))
            assert response.status_code == 200
            assert response.json()["data"] == {**first, "keys": []}
        response = await client.post(f"{CONSOLE}/session", json={"email": "first@acme.com", "password": PASSWORD})
        assert response.status_code == 201, "the password is unchanged"

    async def test_the_token_works_once(self, installation, client):
        token = await self.token(installation)
        assert (await client.post(BOOTSTRAP, json=self.body(token))).status_code == 201
        response = await client.post(BOOTSTRAP, json=self.body(token, "second@acme.com"))
        assert_problem(response, 401, "bootstrap_token_invalid")

    async def test_wrong_expired_and_replaced_tokens_are_refused(self, installation, client):
        old = await self.token(installation)
        new = await self.token(installation)
        for wrong in ("x", old):
            response = await client.post(BOOTSTRAP, json=self.body(wrong))
            assert_problem(response, 401, "bootstrap_token_invalid")
        installation.clock.advance(days=7)
        assert_problem(await client.post(BOOTSTRAP, json=self.body(new)), 401, "bootstrap_token_invalid")
        assert await installation.db.fetchval("SELECT count(*) FROM users") == 0

    async def test_wrong_tokens_are_hashed_never_and_counted_like_failed_sign_ins(
        self, installation, client, monkeypatch
    ):
        token, hasher = await self.token(installation), RecordingHasher()
        # Whether and when a password is hashed cannot be seen from outside.
        monkeypatch.setattr(passwords, "hasher", hasher)
        # A weak password is not even judged without the token.
        weak = self.body("x", password="x" * 40)
        racing = await asyncio.gather(*(client.post(BOOTSTRAP, json=weak) for _ in range(20)))
        assert {response.status_code for response in racing} == {401}
        response = await client.post(BOOTSTRAP, json=self.body(token))
        assert_problem(response, 429, "rate_limited")
        assert int(response.headers["retry-after"]) > 0
        # The same window as for signing in, by the API or the page; another address is not concerned.
        sign_in = {"email": "a@acme.com", "password": "x"}
        assert_problem(await client.post(f"{CONSOLE}/session", json=sign_in), 429, "rate_limited")
        assert hasher.hashed == []
        installation.clock.advance(minutes=1)
        assert (await client.post(BOOTSTRAP, json=self.body(token))).status_code == 201
        assert (await client.post(BOOTSTRAP, json=self.body(token))).status_code == 200
        assert_problem(
            await client.post(BOOTSTRAP, json=self.body(token, "b@acme.com")), 401, "bootstrap_token_invalid"
        )
        assert hasher.hashed == [PASSWORD], "only the owner's password was hashed, once"

    async def test_no_transaction_is_open_while_the_password_is_hashed(self, installation, client, monkeypatch):
        token, hasher = await self.token(installation), BlockingHasher()
        # Whether and when a password is hashed cannot be seen from outside.
        monkeypatch.setattr(passwords, "hasher", hasher)
        request = asyncio.create_task(client.post(BOOTSTRAP, json=self.body(token)))
        await hasher.wait_until_running(1)
        assert await installation.db.fetchval(OPEN_TRANSACTIONS) == 0
        hasher.finish.set()
        assert (await request).status_code == 201

    async def test_a_full_password_queue_is_refused_with_429(self, installation, client, monkeypatch):
        token, hasher = await self.token(installation), BlockingHasher()
        # Whether and when a password is hashed cannot be seen from outside.
        monkeypatch.setattr(passwords, "hasher", hasher)
        others = [asyncio.create_task(passwords.hash_password("x")) for _ in range(34)]
        await hasher.wait_until_running(2)
        response = await client.post(BOOTSTRAP, json=self.body(token))
        assert_problem(response, 429, "rate_limited")
        assert response.headers["retry-after"] == "5"
        sign_in = {"email": "a@acme.com", "password": "x"}
        assert_problem(await client.post(f"{CONSOLE}/session", json=sign_in), 429, "rate_limited")
        hasher.finish.set()
        await asyncio.gather(*others)

    async def test_without_a_token_an_existing_email_is_not_revealed(self, installation, client):
        tenant = await installation.tenant()
        response = await client.post(BOOTSTRAP, json=self.body("x", tenant.owner.email))
        assert_problem(response, 401, "bootstrap_token_invalid")

    @pytest.mark.parametrize(
        ("field", "value"),
        [("email", "nobody"), ("password", "short"), ("workspace_name", " "), ("token", 5), ("name", "x" * 201)],
    )
    async def test_bad_input_does_not_use_up_the_token(self, installation, client, field, value):
        token = await self.token(installation)
        response = await client.post(BOOTSTRAP, json={**self.body(token), field: value})
        assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == field
        assert (await client.post(BOOTSTRAP, json=self.body(token))).status_code == 201

    async def test_a_replay_shows_no_key(self, installation, client):
        headers = {"Idempotency-Key": "once"}
        body = self.body(await self.token(installation))
        first = await client.post(BOOTSTRAP, json=body, headers=headers)
        again = await client.post(BOOTSTRAP, json=body, headers=headers)
        assert again.headers["x-idempotent-replay"] == "true"
        assert [key["key"] for key in again.json()["data"]["keys"]] == [None] * 3
        assert again.json()["data"]["user"] == first.json()["data"]["user"]

    async def test_twenty_concurrent_requests_create_one_owner(self, installation, client):
        token = await self.token(installation)
        responses = await asyncio.gather(*(client.post(BOOTSTRAP, json=self.body(token)) for _ in range(20)))
        assert sorted(response.status_code for response in responses) == [200] * 19 + [201]
        assert await installation.db.fetchval("SELECT count(*) FROM workspaces") == 1


class TestKeys:
    async def mint(self, client, key, **body):
        return await client.post(f"{CONSOLE}/keys", json={"name": "CI", **body}, headers={"X-API-Key": key})

    async def test_the_full_key_is_shown_once(self, installation, client):
        tenant = await installation.tenant()
        minted = (await self.mint(client, tenant.live)).json()["data"]
        assert minted["key"].startswith("sk_live_")
        listing = await client.get(f"{CONSOLE}/keys", headers={"X-API-Key": tenant.live})
        assert minted["key"] not in listing.text
        listed = listing.json()["data"][0]
        assert listed == {name: value for name, value in minted.items() if name != "key"}
        assert listed["last_four"] == minted["key"][-4:]
        shown = {"name", "kind", "mode", "scopes", "created_by", "created_at", "last_used_at", "revoked_at"}
        assert shown <= set(listed)

    async def test_data_keys_always_have_scope_read_and_write_on_request(self, installation, client):
        tenant = await installation.tenant()
        assert (await self.mint(client, tenant.live, kind="data")).json()["data"]["scopes"] == ["read"]
        minted = (await self.mint(client, tenant.live, kind="data", scopes=["write"])).json()["data"]
        assert minted["scopes"] == ["read", "write"]
        assert minted["key"].startswith("dk_live_")

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"name": ""}, "name"),
            ({"name": "  "}, "name"),
            ({"kind": "admin"}, "kind"),
            ({"mode": "both"}, "mode"),
            ({"kind": "data", "mode": "test"}, "mode"),
            ({"scopes": ["write"]}, "scopes[0]"),
            ({"kind": "data", "scopes": ["root"]}, "scopes[0]"),
        ],
    )
    async def test_bad_input(self, installation, client, body, field):
        tenant = await installation.tenant()
        response = await self.mint(client, tenant.live, **body)
        assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == field

    async def test_a_test_key_creates_lists_and_revokes_test_keys_only(self, installation, client):
        tenant = await installation.tenant()
        for body in ({"mode": "live"}, {"kind": "data"}):
            response = await self.mint(client, tenant.test, **body)
            assert_problem(response, 422, "validation_failed")
        minted = (await self.mint(client, tenant.test)).json()["data"]
        assert minted["mode"] == "test"
        listed = (await client.get(f"{CONSOLE}/keys", headers={"X-API-Key": tenant.test})).json()["data"]
        assert {key["mode"] for key in listed} == {"test"}
        live_id = (await self.mint(client, tenant.live)).json()["data"]["id"]
        response = await client.delete(f"{CONSOLE}/keys/{live_id}", headers={"X-API-Key": tenant.test})
        assert_problem(response, 404, "not_found")

    async def test_last_used_at(self, installation, client):
        tenant = await installation.tenant()
        await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.test})
        await installation.app_context.usage.flush()
        listed = (await client.get(f"{CONSOLE}/keys", headers={"X-API-Key": tenant.live})).json()["data"]
        used = {key["last_four"]: key["last_used_at"] for key in listed}
        assert used[tenant.test[-4:]] == "2026-11-15T09:30:10.000000+00:00"
        assert used[tenant.data[-4:]] is None

    async def test_revoking_twice_keeps_the_first_time(self, installation, client):
        tenant = await installation.tenant()
        minted = (await self.mint(client, tenant.live)).json()["data"]
        url = f"{CONSOLE}/keys/{minted['id']}"
        first = (await client.delete(url, headers={"X-API-Key": tenant.live})).json()["data"]
        installation.clock.advance(hours=1)
        again = (await client.delete(url, headers={"X-API-Key": tenant.live})).json()["data"]
        assert first["revoked_at"] == again["revoked_at"] is not None

    async def test_a_key_of_another_workspace_is_not_found(self, installation, client):
        tenant, other = await installation.tenant(), await installation.tenant()
        minted = (await self.mint(client, other.live)).json()["data"]
        for key_id in (minted["id"], "x"):
            response = await client.delete(f"{CONSOLE}/keys/{key_id}", headers={"X-API-Key": tenant.live})
            assert_problem(response, 404, "not_found")
        response = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": minted["key"]})
        assert response.status_code == 200


async def test_platforms_are_those_of_the_catalog(installation, client):
    tenant = await installation.tenant()
    data = (await client.get(f"{CONSOLE}/platforms", headers={"X-API-Key": tenant.live})).json()["data"]
    by_tier = {}
    for platform in data:
        assert set(platform) == {"key", "name", "company", "enabled", "min_tier", "available_as_addon"}
        assert platform["enabled"] is True
        assert platform["available_as_addon"] is (platform["min_tier"] in {"professional", "agency"})
        by_tier.setdefault(platform["min_tier"], set()).add(platform["key"])
    assert by_tier == {
        "trial": {"chatgpt", "gemini", "perplexity"},
        "starter": {"google_ai_overviews"},
        "professional": {"claude", "copilot"},
        "agency": {"grok", "mistral", "deepseek", "google_ai_mode", "local"},
    }


async def test_enabled_are_the_platforms_that_are_connected_and_not_paused(database_url, tmp_path):
    """In test mode the sandbox answers for all platforms that are not paused."""
    settings = {"openai_api_key": "k", "xai_api_key": "k", "paused_platforms": "grok,copilot"}
    async with Installation.open(database_url, tmp_path, **settings) as installation, installation.client() as client:
        tenant = await installation.tenant()
        enabled = {}
        for key in (tenant.live, tenant.test):
            listed = (await client.get(f"{CONSOLE}/platforms", headers={"X-API-Key": key})).json()["data"]
            enabled[key] = {platform["key"] for platform in listed if platform["enabled"]}
    assert enabled[tenant.live] == {"chatgpt"}
    assert len(enabled[tenant.test]) == 9
    assert not enabled[tenant.test] & {"grok", "copilot"}
