"""The idempotency rules and the lifecycle of a key, as the specification states them."""

import asyncio
from collections import Counter

import pytest

from sightline.accounts.models import Role
from sightline.db.engine import Database, DatabaseUnavailable
from sightline.errors import Problem
from sightline.idempotency.claims import claim_or_replay, settle
from sightline.idempotency.models import KeyScope, StoredResponse
from sightline.idempotency.running_claims import RunningClaims
from sightline.worker.housekeeping import run_housekeeping
from tests.api.assertions import CONSOLE, assert_problem
from tests.installation import Installation

URL = f"{CONSOLE}/domains"


async def register(client, key, idempotency, domain="acme.com", **headers):
    return await client.post(
        URL, json={"domain": domain}, headers={"X-API-Key": key, "Idempotency-Key": idempotency, **headers}
    )


async def test_required_for_post_domains_and_delete_domains_with_an_api_key(installation, client):
    tenant = await installation.tenant()
    headers = {"X-API-Key": tenant.live}
    for empty in ({}, {"Idempotency-Key": ""}):
        response = await client.post(URL, json={"domain": "acme.com"}, headers={**headers, **empty})
        assert_problem(response, 400, "idempotency_required")
        assert_problem(await client.delete(f"{URL}/x", headers={**headers, **empty}), 400, "idempotency_required")


async def test_optional_on_other_console_writes(installation, client):
    tenant = await installation.tenant()
    response = await client.post(f"{CONSOLE}/keys", json={"name": "x"}, headers={"X-API-Key": tenant.live})
    assert response.status_code == 201


async def test_get_ignores_the_header(installation, client):
    tenant = await installation.tenant()
    headers = {"X-API-Key": tenant.live, "Idempotency-Key": "k"}
    for _ in range(2):
        response = await client.get(URL, headers=headers)
        assert response.status_code == 200 and "x-idempotent-replay" not in response.headers


@pytest.mark.parametrize("key", ["x" * 256, "a b", "ä"])
async def test_a_key_is_1_to_255_visible_ascii_characters(installation, client, key):
    tenant = await installation.tenant()
    response = await register(client, tenant.live, key.encode())
    assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == "Idempotency-Key"


async def test_a_repeat_after_success_returns_the_stored_status_body_and_headers(installation, client):
    tenant = await installation.tenant()
    first = await register(client, tenant.live, "k", **{"X-Request-Id": "first"})
    installation.clock.advance(minutes=5)
    again = await register(client, tenant.live, "k", **{"X-Request-Id": "second"})
    assert (again.status_code, again.content) == (first.status_code, first.content) == (201, first.content)
    assert "x-idempotent-replay" not in first.headers
    assert again.headers["x-idempotent-replay"] == "true"
    assert again.headers["content-type"] == first.headers["content-type"]
    # "A replayed response carries the stored one, so header and body agree."
    assert again.headers["x-request-id"] == again.json()["meta"]["request_id"] == "first"
    # "except Date and X-RateLimit-*, which are current"
    assert again.headers["x-ratelimit-remaining-month"] == "99998"
    assert await installation.db.fetchval("SELECT count(*) FROM domains") == 1


async def test_a_repeated_delete_is_replayed_and_does_not_become_a_404(installation, client):
    tenant = await installation.tenant()
    domain_id = await installation.console_domain(tenant.live)
    headers = {"X-API-Key": tenant.live, "Idempotency-Key": "d"}
    first = await client.delete(f"{URL}/{domain_id}", headers=headers)
    again = await client.delete(f"{URL}/{domain_id}", headers=headers)
    assert first.json()["data"] == again.json()["data"] == {"id": domain_id, "deleted": True}
    assert again.headers["x-idempotent-replay"] == "true"
    fresh = await client.delete(f"{URL}/{domain_id}", headers={**headers, "Idempotency-Key": "e"})
    assert_problem(fresh, 404, "domain_not_found")


async def test_the_exact_body_bytes_are_compared(installation, client):
    tenant = await installation.tenant()
    headers = {"X-API-Key": tenant.live, "Idempotency-Key": "k", "Content-Type": "application/json"}
    assert (await client.post(URL, content=b'{"domain": "acme.com"}', headers=headers)).status_code == 201
    response = await client.post(URL, content=b'{"domain":"acme.com"}', headers=headers)
    assert_problem(response, 409, "idempotency_conflict")


async def test_scope_is_the_api_key_the_path_and_the_method(installation, client):
    """Different keys, paths or methods never conflict."""
    tenant = await installation.tenant()
    second = await installation.mint(tenant, tenant.owner, "console")
    assert (await register(client, tenant.live, "k", "a.com")).status_code == 201
    assert (await register(client, second, "k", "b.com")).status_code == 201
    assert (await register(client, tenant.test, "k", "c.com")).status_code == 201
    response = await client.post(
        f"{CONSOLE}/keys", json={"name": "x"}, headers={"X-API-Key": tenant.live, "Idempotency-Key": "k"}
    )
    assert response.status_code == 201
    domain_id = await installation.console_domain(tenant.live, "d.com")
    response = await client.delete(f"{URL}/{domain_id}", headers={"X-API-Key": tenant.live, "Idempotency-Key": "k"})
    assert response.status_code == 200


async def test_by_session_the_scope_is_user_and_workspace(installation):
    tenant, other = await installation.tenant(), await installation.tenant()

    await installation.set_role(other, tenant.owner, Role.EDITOR)
    browser = await installation.sign_in(tenant.owner)
    for workspace, domain, mode, status in (
        (tenant, "a.com", "live", 201),
        (other, "b.com", "live", 201),
        (tenant, "b.com", "live", 409),
        (tenant, "b.com", "test", 201),  # test mode is separate
    ):
        headers = {"X-Workspace-Id": workspace.id, "Idempotency-Key": "k", "X-Sightline-Mode": mode}
        assert (await browser.post(URL, json={"domain": domain}, headers=headers)).status_code == status
    await browser.aclose()


async def test_only_successful_responses_are_stored_a_failed_request_releases_its_key(installation, client):
    tenant = await installation.tenant()
    assert_problem(await register(client, tenant.live, "k", "nonsense"), 422, "invalid_domain")
    response = await register(client, tenant.live, "k", "acme.com")
    assert response.status_code == 201 and "x-idempotent-replay" not in response.headers


async def test_a_server_error_stores_nothing_and_releases_the_idempotency_key(installation, client):
    tenant = await installation.tenant()
    await installation.db.execute("ALTER TABLE domains RENAME TO hidden")
    assert_problem(await register(client, tenant.live, "k"), 500, "internal_error")
    assert await installation.db.fetchval("SELECT count(*) FROM idempotency_keys") == 0
    await installation.db.execute("ALTER TABLE hidden RENAME TO domains")
    assert (await register(client, tenant.live, "k")).status_code == 201


async def claim(installation, tenant, key="k", body=b'{"domain": "acme.com"}'):
    """Leave the claim of a process that died between claim and commit."""
    key_id = await installation.db.fetchval("SELECT id FROM api_keys WHERE last_four = $1", tenant.live[-4:])
    scope = KeyScope(tenant.workspace.id, key_id, "POST", URL, key)
    return await claim_or_replay(installation.db, scope, body, lease=3600, retention=86_400, now=installation.clock())


async def post_raw(client, tenant, key="k", body=b'{"domain": "acme.com"}'):
    headers = {"X-API-Key": tenant.live, "Idempotency-Key": key, "Content-Type": "application/json"}
    return await client.post(URL, content=body, headers=headers)


async def test_a_repeat_while_the_original_runs_is_409_with_retry_after_5(installation, client):
    tenant = await installation.tenant()
    await claim(installation, tenant)
    response = await post_raw(client, tenant)
    assert assert_problem(response, 409, "idempotency_in_progress")["retry_after"] == 5
    assert response.headers["retry-after"] == "5"


async def test_another_body_while_running_is_a_conflict(installation, client):
    tenant = await installation.tenant()
    await claim(installation, tenant)
    assert_problem(await post_raw(client, tenant, body=b'{"domain": "b.com"}'), 409, "idempotency_conflict")


async def test_a_key_whose_original_never_finishes_is_released_after_about_an_hour(installation, client):
    tenant = await installation.tenant()
    await claim(installation, tenant)
    installation.clock.advance(minutes=59)
    assert_problem(await post_raw(client, tenant), 409, "idempotency_in_progress")
    installation.clock.advance(minutes=1)
    assert (await post_raw(client, tenant)).status_code == 201


async def test_a_response_is_stored_for_24_hours_then_the_key_is_reusable(installation, client):
    tenant = await installation.tenant()
    assert (await register(client, tenant.live, "k", "a.com")).status_code == 201
    installation.clock.advance(hours=24, seconds=-1)
    assert (await register(client, tenant.live, "k", "a.com")).headers["x-idempotent-replay"] == "true"
    installation.clock.advance(seconds=1)
    response = await register(client, tenant.live, "k", "b.com")
    assert response.status_code == 201 and "x-idempotent-replay" not in response.headers


async def test_an_original_that_outlives_its_lease_leaves_no_effect(installation):
    """By then its key belongs to another request, and the effect must not happen twice."""
    tenant = await installation.tenant()
    slow = await claim(installation, tenant)
    installation.clock.advance(hours=1)
    await claim(installation, tenant)
    async with installation.db.transaction() as tx:
        with pytest.raises(Problem, match="idempotency_in_progress"):
            await settle(tx, slow, StoredResponse(201, [], b"{}"), now=installation.clock())


async def pretend_silence(installation, seconds):
    """Let all claims look as if they had last been renewed so long ago."""
    await installation.db.execute(
        "UPDATE idempotency_keys SET renewed_at = renewed_at - make_interval(secs => $1)", float(seconds)
    )


async def test_a_key_whose_process_is_gone_is_free_within_15_seconds(installation, client):
    """A process that is gone is a failed request, so even another body is accepted."""
    tenant = await installation.tenant()
    await claim(installation, tenant)
    await pretend_silence(installation, 5)
    assert_problem(await post_raw(client, tenant), 409, "idempotency_in_progress")
    await pretend_silence(installation, 10)
    assert (await post_raw(client, tenant, body=b'{"domain": "b.com"}')).status_code == 201


async def test_a_claim_stays_while_its_request_runs(installation, client):
    tenant = await installation.tenant()
    running = installation.app_context.running_claims
    async with running.hold(await claim(installation, tenant)), running.hold(await claim(installation, tenant, "l")):
        await pretend_silence(installation, 15)
        await running.renew()
        for key in ("k", "l"):
            assert_problem(await post_raw(client, tenant, key), 409, "idempotency_in_progress")


async def test_a_request_that_failed_in_an_outage_frees_its_key(installation, client):
    """It cannot release its key then, so it must not renew the claim when the database is back."""
    tenant = await installation.tenant()
    db, unreachable = installation.db, Database(installation.db.url, pool_size=1)  # until it is opened
    running = RunningClaims(unreachable)
    with pytest.raises(DatabaseUnavailable):
        async with running.hold(await claim(installation, tenant)):
            await unreachable.fetchval("SELECT 1")
    assert await db.fetchval("SELECT count(*) FROM idempotency_keys") == 1
    await unreachable.open()
    await pretend_silence(installation, 15)
    await running.renew()
    await unreachable.close()
    assert (await post_raw(client, tenant)).status_code == 201


async def test_a_claim_renewed_in_the_future_is_free(installation, client):
    """The clock of the database was ahead and was set back."""
    tenant = await installation.tenant()
    await claim(installation, tenant)
    await pretend_silence(installation, -3600)
    assert (await post_raw(client, tenant)).status_code == 201


async def test_an_original_that_was_silent_for_too_long_leaves_no_effect(installation):
    tenant = await installation.tenant()
    stopped = await claim(installation, tenant)
    await pretend_silence(installation, 15)
    second = await claim(installation, tenant)
    async with installation.app_context.running_claims.hold(stopped):
        await installation.app_context.running_claims.renew()  # renews nothing: the key belongs to another request
    async with installation.db.transaction() as tx:
        with pytest.raises(Problem, match="idempotency_in_progress"):
            await settle(tx, stopped, StoredResponse(201, [], b"{}"), now=installation.clock())
        await settle(tx, second, StoredResponse(201, [], b"{}"), now=installation.clock())


async def test_200_concurrent_identical_writes_have_one_effect_and_one_stored_response(installation):
    tenant = await installation.tenant()
    folder = installation.app_context.settings.data_dir
    async with (
        Installation.open(installation.db.url, folder, console_rate_per_minute=1000) as generous,
        generous.client() as client,
    ):
        responses = await asyncio.gather(*(register(client, tenant.live, "same") for _ in range(200)))
    outcomes = Counter(
        "replay" if "x-idempotent-replay" in response.headers else response.json().get("code", response.status_code)
        for response in responses
    )
    assert outcomes[201] == 1
    assert set(outcomes) <= {201, "replay", "idempotency_in_progress"}
    bodies = {response.content for response in responses if response.status_code == 201}
    assert len(bodies) == 1
    assert await installation.db.fetchval("SELECT count(*) FROM domains") == 1
    assert await installation.db.fetchval("SELECT count(*) FROM idempotency_keys WHERE stored_at IS NOT NULL") == 1


async def test_secrets_are_null_in_stored_responses(installation, client):
    tenant = await installation.tenant()
    headers = {"X-API-Key": tenant.live, "Idempotency-Key": "k"}
    first = (await client.post(f"{CONSOLE}/keys", json={"name": "x"}, headers=headers)).json()["data"]
    again = (await client.post(f"{CONSOLE}/keys", json={"name": "x"}, headers=headers)).json()["data"]
    assert first["key"].startswith("sk_live_")
    assert again == {**first, "key": None}
    stored = await installation.db.fetch("SELECT body FROM idempotency_keys")
    assert first["key"].encode() not in stored[0][0]


async def test_housekeeping_removes_only_expired_keys(installation, client):
    tenant = await installation.tenant()
    await claim(installation, tenant, "dead")
    await register(client, tenant.live, "old", "a.com")
    installation.clock.advance(hours=23, minutes=30)
    await register(client, tenant.live, "young", "b.com")
    await claim(installation, tenant, "running")
    installation.clock.advance(minutes=30)
    await run_housekeeping(installation.db, installation.app_context.settings, now=installation.clock())
    left = {row[0] for row in await installation.db.fetch("SELECT key FROM idempotency_keys")}
    assert left == {"young", "running"}
