"""Authentication and authorization by keys, sessions, roles and plans."""

import asyncio
import hashlib
from collections import Counter

import pytest

from sightline.accounts.members import end_membership
from sightline.accounts.models import Role
from sightline.api.app_context import build_app_context
from sightline.api_keys.format import make_key
from sightline.plans.table import Plan
from sightline.usage.console_switch import set_console_enabled
from tests.api.assertions import CONSOLE, DATA, assert_problem
from tests.installation import PASSWORD, Installation


class TestKeys:
    async def test_no_key(self, client):
        assert_problem(await client.get(f"{CONSOLE}/account"), 401, "key_missing")
        assert_problem(await client.get(f"{DATA}/domains"), 401, "key_missing")

    @pytest.mark.parametrize("key", ["x", "sk_live_", "sk_live_" + "a" * 38, "Bearer sk_live_x", "ключ"])
    async def test_malformed_key(self, client, key):
        response = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": key.encode()})
        assert_problem(response, 401, "key_invalid")

    async def test_a_mistyped_key_is_refused_without_touching_the_database(self, installation, client):
        tenant = await installation.tenant()
        await installation.db.close()
        mistyped = tenant.live[:20] + ("x" if tenant.live[20] != "x" else "y") + tenant.live[21:]
        response = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": mistyped})
        assert_problem(response, 401, "key_invalid")

    async def test_a_well_formed_key_that_nobody_minted(self, client):
        response = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": make_key("console", livemode=True)})
        assert_problem(response, 401, "key_invalid")

    async def test_a_revoked_key_gives_401_key_revoked(self, installation, client):
        tenant = await installation.tenant()
        listed = (await client.get(f"{CONSOLE}/keys", headers={"X-API-Key": tenant.live})).json()["data"]
        data_key = next(key for key in listed if key["last_four"] == tenant.data[-4:])
        response = await client.delete(f"{CONSOLE}/keys/{data_key['id']}", headers={"X-API-Key": tenant.live})
        assert response.status_code == 200
        assert_problem(await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.data}), 401, "key_revoked")

    async def test_a_key_of_the_other_api_is_refused(self, installation, client):
        tenant = await installation.tenant()
        response = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.data})
        assert_problem(response, 403, "wrong_key_kind")
        for key in (tenant.live, tenant.test):
            response = await client.get(f"{DATA}/domains", headers={"X-API-Key": key})
            assert_problem(response, 403, "wrong_key_kind")

    async def test_a_mode_header_that_contradicts_the_key_is_refused(self, installation, client):
        tenant = await installation.tenant()
        keys = [(CONSOLE, tenant.live, "live"), (CONSOLE, tenant.test, "test"), (DATA, tenant.data, "live")]
        for front, key, mode in keys:
            for named in ("live", "TEST", "both"):
                response = await client.get(f"{front}/domains", headers={"X-API-Key": key, "X-Sightline-Mode": named})
                if named.lower() == mode:
                    assert response.status_code == 200
                else:
                    problem = assert_problem(response, 400, "mode_conflict")
                    assert f"The key acts in {mode} mode" in problem["detail"]

    async def test_only_a_sha_256_of_the_key_is_stored(self, installation):
        tenant = await installation.tenant()
        rows = await installation.db.fetch("SELECT row_to_json(k)::text, k.digest FROM api_keys k")
        assert not any(tenant.live[8:] in row[0] for row in rows)
        assert hashlib.sha256(tenant.live.encode()).digest() in [row[1] for row in rows]


class TestRolesAndPlans:
    async def test_a_key_acts_with_the_current_role_of_the_member_who_made_it(self, installation, client):
        tenant = await installation.tenant()
        editor = await installation.member(tenant, Role.EDITOR)
        key = await installation.mint(tenant, editor, "console")
        headers = {"X-API-Key": key, "Idempotency-Key": "a"}
        assert (await client.post(f"{CONSOLE}/domains", json={"domain": "a.com"}, headers=headers)).status_code == 201
        await installation.set_role(tenant, editor, Role.VIEWER)
        headers["Idempotency-Key"] = "b"
        response = await client.post(f"{CONSOLE}/domains", json={"domain": "b.com"}, headers=headers)
        document = assert_problem(response, 403, "workspace_access_required")
        assert (document["reason"], document["required_role"]) == ("role", "editor")
        assert (await client.get(f"{CONSOLE}/domains", headers=headers)).status_code == 200

    async def test_a_member_who_left_gives_403(self, installation, client):
        tenant = await installation.tenant()
        member = await installation.member(tenant, Role.ADMIN)
        keys = {
            CONSOLE: await installation.mint(tenant, member, "console"),
            DATA: await installation.mint(tenant, member, "data"),
        }
        async with installation.db.transaction() as tx:
            await end_membership(tx, tenant.workspace.id, member.id)
        for front, key in keys.items():
            response = await client.get(f"{front}/domains", headers={"X-API-Key": key})
            assert_problem(response, 403, "workspace_access_required")

    @pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
    async def test_admin_and_above_manage_keys(self, installation, client, role):
        tenant = await installation.tenant()
        key = await installation.mint(tenant, await installation.member(tenant, role), "console")
        for method, path in (("GET", "/keys"), ("POST", "/keys"), ("DELETE", "/keys/x"), ("PATCH", "/account")):
            response = await client.request(method, CONSOLE + path, json={"name": "x"}, headers={"X-API-Key": key})
            assert_problem(response, 403, "workspace_access_required")

    @pytest.mark.parametrize("plan", [Plan.FREE, Plan.TRIAL])
    async def test_free_and_trial_have_no_data_api(self, installation, client, plan):
        tenant = await installation.tenant(plan)
        response = await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.data})
        document = assert_problem(response, 403, "plan_required")
        assert document["required_plans"] == ["starter", "professional", "agency"]

    @pytest.mark.parametrize("plan", [Plan.STARTER, Plan.PROFESSIONAL, Plan.AGENCY])
    async def test_paid_plans_read_domains(self, installation, client, plan):
        tenant = await installation.tenant(plan)
        response = await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.data})
        assert response.status_code == 200


class TestSessions:
    async def test_sign_in_returns_user_and_workspaces_and_sets_a_protected_cookie(self, installation, client):
        tenant = await installation.tenant()
        response = await client.post(
            f"{CONSOLE}/session", json={"email": tenant.owner.email.upper(), "password": PASSWORD}
        )
        assert response.status_code == 201
        cookie = response.headers["set-cookie"]
        assert cookie.startswith("sightline_session=")
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and "Max-Age=1209600" in cookie
        data = response.json()["data"]
        assert data["user"]["email"] == tenant.owner.email
        (workspace,) = data["workspaces"]
        assert (workspace["id"], workspace["role"], workspace["is_payer"]) == (tenant.id, "owner", True)
        assert data["csrf_token"] and data["expires_at"] == "2026-11-22T09:30:10.000000+00:00", "after seven idle days"

    async def test_over_https_the_cookies_are_host_bound_and_secure(self, database_url, tmp_path):
        async with Installation.open(database_url, tmp_path) as installation:
            tenant = await installation.tenant()
            settings = installation.app_context.settings.model_copy(update={"base_url": "https://test"})
            secure = Installation(build_app_context(settings, installation.db, installation.clock), installation.clock)
            async with secure.client() as client:
                credentials = {"email": tenant.owner.email, "password": PASSWORD}
                response = await client.post(f"{CONSOLE}/session", json=credentials)
                cookies = sorted(response.headers.get_list("set-cookie"))
                names = [cookie.partition("=")[0] for cookie in cookies]
                assert names == ["__Host-sightline_device", "__Host-sightline_session"]
                for cookie in cookies:
                    assert "; Secure" in cookie and "Path=/" in cookie and "Domain" not in cookie

    async def test_unknown_email_and_wrong_password_are_indistinguishable(self, installation, client):
        tenant = await installation.tenant()
        responses = [
            await client.post(f"{CONSOLE}/session", json={"email": email, "password": "wrong password"})
            for email in (tenant.owner.email, "nobody@acme.com")
        ]
        first, second = (assert_problem(response, 401, "sign_in_failed") for response in responses)
        del first["request_id"], second["request_id"]
        assert first == second

    async def test_the_session_token_is_stored_hashed(self, installation):
        tenant = await installation.tenant()
        browser = await installation.sign_in(tenant.owner)
        token = browser.cookies["sightline_session"]
        rows = await installation.db.fetch("SELECT encode(digest, 'escape') || row_to_json(s)::text FROM sessions s")
        assert len(rows) == 1 and token not in rows[0][0]
        await browser.aclose()

    async def test_the_session_is_replaced_at_sign_in_and_ended_at_sign_out(self, installation):
        tenant = await installation.tenant()
        browser = await installation.sign_in(tenant.owner)
        first = browser.cookies["sightline_session"]
        await browser.post(f"{CONSOLE}/session", json={"email": tenant.owner.email, "password": PASSWORD})
        assert browser.cookies["sightline_session"] != first
        async with installation.client(Cookie=f"sightline_session={first}") as old:
            assert_problem(await old.get(f"{CONSOLE}/session"), 401, "session_expired")
        token = browser.cookies["sightline_session"]
        assert (await browser.delete(f"{CONSOLE}/session")).status_code == 200
        async with installation.client(Cookie=f"sightline_session={token}") as old:
            assert_problem(await old.get(f"{CONSOLE}/session"), 401, "session_expired")
        await browser.aclose()

    async def test_a_session_ends_after_14_days(self, installation):
        tenant = await installation.tenant()
        browser = await installation.sign_in(tenant.owner)
        token = browser.cookies["sightline_session"]
        async with installation.client(Cookie=f"sightline_session={token}") as later:
            for step in ({"days": 6}, {"days": 6}, {"days": 2, "seconds": -1}):  # a week without use would end it
                installation.clock.advance(**step)
                assert (await later.get(f"{CONSOLE}/session")).status_code == 200
            installation.clock.advance(seconds=1)
            assert_problem(await later.get(f"{CONSOLE}/session"), 401, "session_expired")
        await browser.aclose()

    async def test_every_console_operation_accepts_a_session_with_x_workspace_id(self, installation):
        tenant = await installation.tenant()
        browser = await installation.sign_in(tenant.owner)
        response = await browser.get(f"{CONSOLE}/domains")
        assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == "X-Workspace-Id"
        browser.headers["X-Workspace-Id"] = tenant.id
        for path in ("/domains", "/account", "/keys", "/usage", "/platforms"):
            assert (await browser.get(CONSOLE + path)).status_code == 200
        # A session needs no Idempotency-Key.
        assert (await browser.post(f"{CONSOLE}/domains", json={"domain": "acme.com"})).status_code == 201
        await browser.aclose()

    @pytest.mark.parametrize("workspace_id", ["foreign", "nonsense", "00000000-0000-7000-8000-000000000000"])
    async def test_a_workspace_of_which_the_user_is_not_a_member_is_not_found(self, installation, workspace_id):
        tenant, other = await installation.tenant(), await installation.tenant()
        browser = await installation.sign_in(tenant.owner)
        browser.headers["X-Workspace-Id"] = other.id if workspace_id == "foreign" else workspace_id
        assert_problem(await browser.get(f"{CONSOLE}/domains"), 404, "workspace_not_found")
        await browser.aclose()

    async def test_if_a_request_has_a_key_and_a_session_the_key_counts(self, installation):
        tenant, other = await installation.tenant(), await installation.tenant()
        browser = await installation.sign_in(tenant.owner)
        headers = {"X-Workspace-Id": tenant.id, "X-API-Key": other.live}
        assert (await browser.get(f"{CONSOLE}/account", headers=headers)).json()["data"]["id"] == other.id
        assert_problem(await browser.get(f"{CONSOLE}/session", headers=headers), 403, "session_only")
        await browser.aclose()

    async def test_a_session_acts_on_live_data_unless_test_mode_is_requested(self, installation):
        tenant = await installation.tenant()
        await installation.console_domain(tenant.live, "live.com")
        await installation.console_domain(tenant.test, "try.example")
        browser = await installation.sign_in(tenant.owner)
        browser.headers["X-Workspace-Id"] = tenant.id

        async def names(**headers):
            rows = (await browser.get(f"{CONSOLE}/domains", headers=headers)).json()["data"]
            return [row["domain"] for row in rows]

        assert await names() == ["live.com"]
        assert await names(**{"X-Sightline-Mode": "test"}) == ["try.example"]
        response = await browser.get(f"{CONSOLE}/domains", headers={"X-Sightline-Mode": "both"})
        assert_problem(response, 422, "validation_failed")
        await browser.aclose()

    async def test_an_unknown_path_is_404_with_or_without_a_workspace(self, installation):
        browser = await installation.sign_in((await installation.tenant()).owner)
        assert_problem(await browser.get(f"{CONSOLE}/nothing"), 404, "not_found")
        await browser.aclose()

    async def test_the_data_api_accepts_keys_only(self, installation):
        tenant = await installation.tenant()
        browser = await installation.sign_in(tenant.owner)
        response = await browser.get(f"{DATA}/domains", headers={"X-Workspace-Id": tenant.id})
        assert_problem(response, 401, "key_missing")
        await browser.aclose()

    async def test_a_session_operation_without_session_and_key_is_401(self, client):
        assert_problem(await client.get(f"{CONSOLE}/session"), 401, "session_required")

    async def test_successful_sign_ins_are_not_throttled(self, installation, client):
        tenant = await installation.tenant()
        for _ in range(12):
            response = await client.post(f"{CONSOLE}/session", json={"email": tenant.owner.email, "password": PASSWORD})
            assert response.status_code == 201

    async def test_concurrent_sign_in_attempts_are_counted(self, installation):
        tenant = await installation.tenant()
        async with installation.client() as client:
            wrong = {"email": tenant.owner.email, "password": "x" * 12}
            responses = await asyncio.gather(*(client.post(f"{CONSOLE}/session", json=wrong) for _ in range(20)))
        assert Counter(response.status_code for response in responses) == {401: 5, 429: 15}


class TestCsrf:
    """Unsafe methods by session need a same-origin Origin/Sec-Fetch-Site or the X-CSRF-Token."""

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"Sec-Fetch-Site": "same-origin"}, 201),
            ({"Sec-Fetch-Site": "none"}, 201),
            ({"Sec-Fetch-Site": "same-site"}, 403),
            ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Sec-Fetch-Site": "cross-site", "Origin": "http://test"}, 403),
            ({"Origin": "http://test"}, 201),
            ({"Origin": "http://evil.com"}, 403),
            ({"Origin": "null"}, 403),
            ({"Origin": "http://test.evil.com"}, 403),
            ({}, 403),
            ({"X-CSRF-Token": "wrong"}, 403),
        ],
    )
    async def test_writes_by_session(self, installation, headers, status):
        tenant = await installation.tenant()
        browser = await installation.sign_in(tenant.owner)
        async with installation.client(Cookie=f"sightline_session={browser.cookies['sightline_session']}") as client:
            client.headers["X-Workspace-Id"] = tenant.id
            response = await client.post(f"{CONSOLE}/domains", json={"domain": "acme.com"}, headers=headers)
            assert response.status_code == status, response.text
            if status == 403:
                assert_problem(response, 403, "csrf_failed")
            assert (await client.get(f"{CONSOLE}/domains", headers=headers)).status_code == 200
        await browser.aclose()

    async def test_the_token_of_the_session_passes_and_that_of_another_does_not(self, installation):
        tenant = await installation.tenant()
        tokens = {}
        for name in ("mine", "other"):
            browser = await installation.sign_in(tenant.owner)
            csrf = (await browser.get(f"{CONSOLE}/session")).json()["data"]["csrf_token"]
            tokens[name] = (browser.cookies["sightline_session"], csrf)
            await browser.aclose()
        cookie = f"sightline_session={tokens['mine'][0]}"
        async with installation.client(Cookie=cookie, X_Workspace_Id=tenant.id, Sec_Fetch_Site="cross-site") as client:
            for name, status in (("other", 403), ("mine", 201)):
                response = await client.post(
                    f"{CONSOLE}/domains", json={"domain": "acme.com"}, headers={"X-CSRF-Token": tokens[name][1]}
                )
                assert response.status_code == status

    async def test_a_sign_in_from_another_site_is_refused(self, installation, client):
        tenant = await installation.tenant()
        for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://evil.com"}):
            response = await client.post(
                f"{CONSOLE}/session", json={"email": tenant.owner.email, "password": PASSWORD}, headers=headers
            )
            assert_problem(response, 403, "csrf_failed")

    async def test_a_key_needs_no_proof_of_origin(self, installation, client):
        tenant = await installation.tenant()
        headers = {"X-API-Key": tenant.live, "Idempotency-Key": "k", "Sec-Fetch-Site": "cross-site"}
        response = await client.post(f"{CONSOLE}/domains", json={"domain": "acme.com"}, headers=headers)
        assert response.status_code == 201


def assert_switched_off(response, *, limit, remaining, remaining_month):
    """The rate headers are the caller's own, and `Retry-After` says when to try again."""
    problem = assert_problem(response, 503, "service_disabled")
    assert response.headers["retry-after"] == str(problem["retry_after"]) == "60"
    headers = response.headers
    assert (headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]) == (limit, remaining)
    assert headers.get("x-ratelimit-remaining-month") == remaining_month


async def test_a_switched_off_console_limits_its_callers(database_url, tmp_path):
    async with Installation.open(database_url, tmp_path, console_rate_per_minute=2) as installation:
        tenant = await installation.tenant()
        async with installation.db.transaction() as tx:
            await set_console_enabled(tx, enabled=False)
        async with installation.client(X_API_Key=tenant.live) as client:
            codes = [(await client.get(f"{CONSOLE}/account")).json()["code"] for _ in range(3)]
    assert codes == ["service_disabled", "service_disabled", "rate_limited"]


async def test_a_key_on_an_operation_for_sessions_sees_its_own_limit(installation, client):
    tenant = await installation.tenant()
    response = await client.post(f"{CONSOLE}/credits/checkout", headers={"X-API-Key": tenant.live})
    assert_problem(response, 403, "session_only")
    assert response.headers["x-ratelimit-limit"] == "120"


async def test_service_disabled_switches_the_console_off_and_leaves_the_data_api(installation, client):
    tenant = await installation.tenant()
    browser = await installation.sign_in(tenant.owner)
    async with installation.db.transaction() as tx:
        await set_console_enabled(tx, enabled=False)
    response = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.live})
    assert_switched_off(response, limit="120", remaining="119", remaining_month="99999")
    response = await client.get(f"{CONSOLE}/nothing", headers={"X-API-Key": tenant.live})
    assert_switched_off(response, limit="120", remaining="118", remaining_month="99998")
    response = await client.post(f"{CONSOLE}/credits/checkout", headers={"X-API-Key": tenant.live})  # for sessions only
    assert_switched_off(response, limit="120", remaining="117", remaining_month="99997")
    response = await browser.get(f"{CONSOLE}/account", headers={"X-Workspace-Id": tenant.id})
    assert_switched_off(response, limit="600", remaining="599", remaining_month=None)
    assert (await browser.get(f"{CONSOLE}/session")).status_code == 200
    assert (await client.get(f"{DATA}/domains", headers={"X-API-Key": tenant.data})).status_code == 200
    async with installation.db.transaction() as tx:
        await set_console_enabled(tx, enabled=True)
    assert (await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.live})).status_code == 200
    await browser.aclose()
