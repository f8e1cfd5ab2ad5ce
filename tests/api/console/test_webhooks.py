"""Webhooks in the Console API. Deliveries are tested in tests/webhooks."""

import asyncio
import base64

import pytest

from sightline.accounts.models import Actor, Role
from sightline.events import EVENT_TYPES
from sightline.http.egress import EgressGuard
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.webhooks import endpoints
from sightline.webhooks.endpoints import MAX_ENDPOINTS
from sightline.webhooks.schemas import WebhookInput
from sightline.webhooks.secrets import SecretBox
from tests.api.assertions import CONSOLE, assert_problem
from tests.installation import Installation

URL = f"{CONSOLE}/webhooks"
HOOK = "https://hooks.acme.com/sightline"


async def call(client, key, method, path="", headers=None, **body):
    sent = {"X-API-Key": key, **(headers or {})}
    return await client.request(method, URL + path, headers=sent, **({"json": body} if body else {}))


async def register(client, key, **body):
    response = await call(client, key, "POST", **{"url": HOOK, **body})
    assert response.status_code == 201, response.text
    return response.json()["data"]


async def test_a_registered_webhook_has_every_field_and_its_secret_once(installation, client):
    tenant = await installation.tenant()
    made = await register(client, tenant.live, description=" Builder ", events=["scan.failed", "scan.failed"])
    shown = {
        "id": made["id"],
        "livemode": True,
        "url": HOOK,
        "description": "Builder",
        "events": ["scan.failed"],
        "status": "enabled",
        "disabled_reason": None,
        "created_at": "2026-11-15T09:30:10.000000+00:00",
        "updated_at": "2026-11-15T09:30:10.000000+00:00",
    }
    assert made == {**shown, "secret": made["secret"]}
    assert made["secret"].startswith("whsec_")
    assert 24 <= len(base64.b64decode(made["secret"].removeprefix("whsec_"))) <= 64
    assert (await call(client, tenant.live, "GET", f"/{made['id']}")).json()["data"] == shown
    assert (await call(client, tenant.live, "GET")).json()["data"] == [shown]


async def test_the_secret_is_not_stored_in_clear(installation, client):
    tenant = await installation.tenant()
    made = await register(client, tenant.live)
    raw = base64.b64decode(made["secret"].removeprefix("whsec_"))
    stored = await installation.db.fetchval("SELECT secret FROM webhook_endpoints")
    assert raw not in stored and made["secret"].encode() not in stored
    assert made["secret"] not in str(await installation.db.fetchrow("SELECT t::text FROM webhook_endpoints t"))


@pytest.mark.parametrize("rotating", [False, True])
async def test_a_replay_has_null_in_place_of_the_secret(installation, client, rotating):
    tenant = await installation.tenant()
    path, body = "", {"url": HOOK}
    if rotating:
        path, body = f"/{(await register(client, tenant.live))['id']}/rotate-secret", {}
    first, again = [
        await call(client, tenant.live, "POST", path, {"Idempotency-Key": "once"}, **body) for _ in range(2)
    ]
    assert first.json()["data"]["secret"].startswith("whsec_")
    assert again.headers["x-idempotent-replay"] == "true"
    assert again.json()["data"] == {**first.json()["data"], "secret": None}
    assert await installation.db.fetchval("SELECT count(*) FROM webhook_endpoints") == 1
    assert not await installation.db.fetchval(
        "SELECT bool_or(position($1::bytea IN body) > 0) FROM idempotency_keys",
        first.json()["data"]["secret"].encode(),
    )


async def test_rotation_keeps_the_old_secret_for_24_h(installation, client):
    tenant = await installation.tenant()
    made = await register(client, tenant.live)
    installation.clock.advance(minutes=1)
    rotated = (await call(client, tenant.live, "POST", f"/{made['id']}/rotate-secret")).json()["data"]
    assert rotated["secret"] != made["secret"]
    assert rotated["updated_at"] > made["updated_at"]
    until = await installation.db.fetchval("SELECT old_secret_until FROM webhook_endpoints")
    assert (until - installation.clock()).total_seconds() == 86_400


async def test_live_and_test_webhooks_are_separate(installation, client):
    tenant = await installation.tenant()
    live, test = await register(client, tenant.live), await register(client, tenant.test)
    assert (live["livemode"], test["livemode"]) == (True, False)
    for key, own, other in ((tenant.live, live, test), (tenant.test, test, live)):
        assert [row["id"] for row in (await call(client, key, "GET")).json()["data"]] == [own["id"]]
        for method, path in (
            ("GET", ""),
            ("DELETE", ""),
            ("POST", "/rotate-secret"),
            ("POST", "/test"),
            ("GET", "/deliveries"),
            ("POST", f"/deliveries/{new_id()}/redeliver"),
        ):
            assert_problem(await call(client, key, method, f"/{other['id']}{path}"), 404, "not_found")
        assert_problem(await call(client, key, "PATCH", f"/{other['id']}", description="x"), 404, "not_found")


@pytest.mark.parametrize("webhook_id", ["01990f70-3d1c-7a52-9b0e-c4f8a6d27e13", "nonsense", "0"])
async def test_unknown_and_malformed_ids_are_not_found(installation, client, webhook_id):
    tenant = await installation.tenant()
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/test"), ("GET", "/deliveries")):
        assert_problem(await call(client, tenant.live, method, f"/{webhook_id}{path}"), 404, "not_found")
    # 404 comes before 422
    assert_problem(await call(client, tenant.live, "PATCH", f"/{webhook_id}", url=5), 404, "not_found")


async def test_removing_returns_id_and_deleted_and_erases_the_secrets(installation, client):
    tenant = await installation.tenant()
    made = await register(client, tenant.live)
    await call(client, tenant.live, "POST", f"/{made['id']}/rotate-secret")
    response = await call(client, tenant.live, "DELETE", f"/{made['id']}")
    assert response.json()["data"] == {"id": made["id"], "deleted": True}
    assert_problem(await call(client, tenant.live, "GET", f"/{made['id']}"), 404, "not_found")
    assert_problem(await call(client, tenant.live, "DELETE", f"/{made['id']}"), 404, "not_found")
    assert (await call(client, tenant.live, "GET")).json()["data"] == []
    assert tuple(await installation.db.fetchrow("SELECT secret, old_secret FROM webhook_endpoints")) == (b"", None)


async def test_only_the_fields_that_are_sent_change(installation, client):
    tenant = await installation.tenant()
    made = await register(client, tenant.live, description="old", events=["scan.failed"])
    del made["secret"]
    installation.clock.advance(seconds=1)
    now = "2026-11-15T09:30:11.000000+00:00"
    for changes in (
        {"description": "new"},
        {"events": []},
        {"url": "https://other.acme.com/"},
        {"status": "disabled"},
        {"description": ""},
        {"status": "enabled"},
    ):
        expected = {**made, **changes, "updated_at": now}
        expected["disabled_reason"] = "manual" if expected["status"] == "disabled" else None
        response = await call(client, tenant.live, "PATCH", f"/{made['id']}", **changes)
        assert response.json()["data"] == expected
        made = expected
    assert (await call(client, tenant.live, "GET", f"/{made['id']}")).json()["data"] == made


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"url": 5}, "url"),
        ({"url": ""}, "url"),
        ({"url": HOOK, "events": ["scan.exploded"]}, "events[0]"),
        ({"url": HOOK, "events": "scan.failed"}, "events"),
        ({"url": HOOK, "description": "x" * 501}, "description"),
        ({"description": "x"}, "url"),
    ],
)
async def test_bad_input_names_the_field_and_registers_nothing(installation, client, body, field):
    tenant = await installation.tenant()
    response = await call(client, tenant.live, "POST", **body)
    assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == field
    assert await installation.db.fetchval("SELECT count(*) FROM webhook_endpoints") == 0


async def test_every_type_of_event_may_be_listed(installation, client):
    tenant = await installation.tenant()
    assert (await register(client, tenant.live, events=list(EVENT_TYPES)))["events"] == list(EVENT_TYPES)


@pytest.mark.parametrize("url", ["http://hooks.acme.com/", "https://127.0.0.1/", "https://user@acme.com/", "nonsense"])
async def test_an_address_that_may_not_be_contacted_is_refused(installation, client, url):
    tenant = await installation.tenant()
    made = await register(client, tenant.live)
    for response in (
        await call(client, tenant.live, "POST", url=url),
        await call(client, tenant.live, "PATCH", f"/{made['id']}", url=url),
    ):
        problem = assert_problem(response, 422, "invalid_webhook_url")
        assert (problem["errors"][0]["field"], problem["errors"][0]["code"]) == ("url", "invalid_webhook_url")
    assert (await call(client, tenant.live, "GET", f"/{made['id']}")).json()["data"]["url"] == HOOK


async def test_loopback_is_registered_only_where_the_operator_allows_it(database_url, tmp_path):
    url = "http://127.0.0.1:9000/hook"
    async with Installation.open(database_url, tmp_path) as installation, installation.client() as client:
        tenant = await installation.tenant()
        assert_problem(await call(client, tenant.live, "POST", url=url), 422, "invalid_webhook_url")
    async with (
        Installation.open(database_url, tmp_path, webhook_allow_loopback=True) as installation,
        installation.client() as client,
    ):
        assert (await register(client, tenant.live, url=url))["url"] == url


async def test_the_limit_per_workspace_and_mode_holds_for_concurrent_requests(installation, client):
    tenant = await installation.tenant()
    removed = await register(client, tenant.live)
    for _ in range(MAX_ENDPOINTS - 2):
        await register(client, tenant.live)
    actor = Actor("console", tenant.workspace.id, tenant.owner.id, Role.OWNER, Plan.AGENCY, livemode=True)
    async with installation.db.transaction() as tx:
        await endpoints.register_endpoint(
            tx, actor, WebhookInput(HOOK), guard=EgressGuard(), box=SecretBox(b"k"), now=installation.clock()
        )
        second = asyncio.create_task(call(client, tenant.live, "POST", url=HOOK))
        await asyncio.wait([second], timeout=0.3)  # it waits for the first request, which has not committed
    refused = await second
    assert assert_problem(refused, 422, "validation_failed")["errors"][0]["code"] == "limit"
    await register(client, tenant.test)
    await call(client, tenant.live, "DELETE", f"/{removed['id']}")
    await register(client, tenant.live)


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
async def test_reading_needs_the_role_admin_too(installation, client, role):
    tenant = await installation.tenant()
    key = await installation.mint(tenant, await installation.member(tenant, role), "console")
    assert_problem(await call(client, key, "GET"), 403, "workspace_access_required")


async def test_a_session_can_manage_webhooks(installation):
    tenant = await installation.tenant()
    browser = await installation.sign_in(tenant.owner)
    response = await browser.post(URL, json={"url": HOOK}, headers={"X-Workspace-Id": tenant.id})
    assert response.status_code == 201
    assert (await browser.get(URL, headers={"X-Workspace-Id": tenant.id})).json()["data"][0]["url"] == HOOK
    await browser.aclose()
