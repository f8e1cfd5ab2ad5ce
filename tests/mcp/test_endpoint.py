"""`/mcp` over HTTP: who is let in, what is refused, what counts, and what it says about itself."""

import asyncio

import pytest

from sightline.api.app import create_app
from sightline.mcp import availability
from sightline.mcp.http import mount
from tests.mcp.conftest import World

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture
async def tenant(installation):
    return await installation.tenant()


async def post(world, *, key=None, body=INITIALIZE, **headers):
    if key:
        headers["Authorization"] = f"Bearer {key}"
    async with world.installation.client(**ACCEPT, **headers) as client:
        return await client.post("/mcp", json=body)


async def test_callers_without_a_usable_key_are_told_where_to_get_one(world, installation, tenant):
    metadata = "http://test/.well-known/oauth-protected-resource/mcp"
    async with world.running(), installation.client() as client:
        described = (await client.get(metadata)).json()
        for key in (None, "dk_live_made_up", tenant.data[:-1] + ("a" if tenant.data[-1] != "a" else "b")):
            refused = await post(world, key=key)
            assert refused.status_code == 401
            assert f'resource_metadata="{metadata}"' in refused.headers["WWW-Authenticate"]
            assert refused.headers["X-Content-Type-Options"] == "nosniff"
    assert described["resource"] == "http://test/mcp" and described["bearer_methods_supported"] == ["header"]


async def test_bounds_of_a_key_hold(world, installation, tenant):
    bound = await installation.mint(tenant, tenant.owner, "data", allowed_addresses=["198.51.100.0/24"])
    async with world.running():
        refused = await post(world, key=bound)
        assert (refused.status_code, refused.json()["code"]) == (403, "address_not_allowed")
        allowed = await post(world, key=tenant.data)
        assert allowed.status_code == 200 and allowed.json()["result"]["protocolVersion"] == "2025-06-18"
        revoke = "UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1"
        await installation.db.execute(revoke, tenant.workspace.id)
        assert (await post(world, key=tenant.data)).json()["code"] == "key_revoked"


async def test_refused_callers_and_eager_keys_are_limited(installation, tenant):
    settings = installation.app_context.settings
    world = World(installation)
    async with world.running():
        for _ in range(settings.anonymous_rate_per_minute):
            assert (await post(world)).status_code == 401
        assert (await post(world)).status_code == 429
        installation.clock.advance(minutes=1)
        for _ in range(settings.data_rate_per_minute):
            assert (await post(world, key=tenant.data)).status_code == 200
        limited = await post(world, key=tenant.data)
    assert limited.status_code == 429 and int(limited.headers["Retry-After"]) > 0


async def test_a_foreign_host_a_foreign_origin_and_a_large_body_are_refused(world, tenant):
    async with world.running():
        assert (await post(world, key=tenant.data, Host="evil.example")).status_code == 421
        assert (await post(world, key=tenant.data, Origin="https://evil.example")).status_code == 403
        assert (await post(world, key=tenant.data, body={**INITIALIZE, "x": "y" * 70_000})).status_code == 413


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT", "PATCH", "OPTIONS"])
async def test_there_is_no_stream_and_no_session_to_end(world, installation, tenant, method):
    """Without a session, a stream would carry nothing, and would outlive the key that opened it."""
    async with world.running(), installation.client(**ACCEPT) as client:
        for headers in ({}, {"Authorization": f"Bearer {tenant.data}"}, {"Mcp-Protocol-Version": "2026-07-28"}):
            refused = await client.request(method, "/mcp", headers=headers)
            assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
            assert refused.content == b"" if method == "HEAD" else refused.json()["code"] == "method_not_allowed"
        metadata = await client.request(method, "/.well-known/oauth-protected-resource/mcp")
        expected = (200, None) if method in {"GET", "HEAD"} else (405, "GET, HEAD")
        assert (metadata.status_code, metadata.headers.get("allow")) == expected


async def test_no_request_opens_a_stream_of_events(world, tenant):
    modern = {"protocolVersion": "2026-07-28", "clientInfo": {"name": "t", "version": "1"}, "clientCapabilities": {}}
    meta = {f"io.modelcontextprotocol/{name}": value for name, value in modern.items()}
    body = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {"_meta": meta}}
    headers = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"}
    async with world.running():
        refused = await post(world, key=tenant.data, body=body, **headers)
    assert refused.headers["content-type"].startswith("application/json") and "error" in refused.json()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client_needs_no_other_method(world, tenant, mode):
    async with world.running(), world.connect(tenant.data, mode=mode) as client:
        assert (await client.list_tools()).tools
        assert not (await client.call_tool("list_domains", {})).is_error


async def test_each_operation_of_a_tool_counts_as_one_request_of_the_key(world, installation, tenant):
    count = "SELECT coalesce(sum(n), 0) FROM rate_months WHERE workspace_id = $1"
    async with world.running(), world.connect(tenant.data) as client:
        await client.list_tools()
        assert await installation.db.fetchval(count, tenant.workspace.id) == 0
        await client.call_tool("list_domains", {})
        assert await installation.db.fetchval(count, tenant.workspace.id) == 1
        missing = await client.call_tool("get_visibility", {"domain_id": "../competitors"})
    assert missing.is_error and "domain_not_found" in missing.content[0].text
    await installation.app_context.usage.flush()
    used = await installation.db.fetchrow("SELECT sum(requests), sum(errors) FROM usage_minutes")
    assert tuple(used) == (2, 1)


async def test_without_the_extra_there_is_no_such_path(installation, monkeypatch):
    # As where the extra is not installed.
    monkeypatch.setattr(availability, "is_available", lambda: False)
    installation.app = create_app(installation.app_context, mounts=availability.find_mounts())
    async with installation.client() as client:
        assert (await client.post("/mcp", json=INITIALIZE)).status_code == 404


async def test_it_is_built_once_for_all_waiting_requests_and_again_after_a_failure(world, tenant, monkeypatch):
    build, attempts = mount.build_endpoint, []

    def fail_once(api):
        attempts.append(api)
        if len(attempts) == 1:
            raise OSError("Too many open files")
        return build(api)

    # The first attempt has to fail as on a machine without free file handles.
    monkeypatch.setattr(mount, "build_endpoint", fail_once)
    async with world.running():
        with pytest.raises(OSError, match="Too many"):
            await post(world, key=tenant.data)
        responses = await asyncio.gather(*(post(world, key=tenant.data) for _ in range(3)))
    assert [response.status_code for response in responses] == [200, 200, 200] and len(attempts) == 2


async def test_resources_and_prompts_are_the_texts_of_the_docs(world, tenant):
    async with world.running(), world.connect(tenant.data) as client:
        texts = {}
        for resource in (await client.list_resources()).resources:
            texts[str(resource.uri)] = (await client.read_resource(resource.uri)).contents[0].text
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        review = await client.get_prompt("weekly_review", {"domain": "acme.com"})
    assert texts.keys() == {"sightline://methodology", "sightline://metrics", "sightline://glossary"}
    assert all(text.startswith("# ") for text in texts.values())
    assert prompts.keys() == {"weekly_review", "competitor_briefing"}
    assert "acme.com" in review.messages[0].content.text
