"""What all responses of both APIs have in common."""

import gc

import pytest

from sightline.accounts.models import Role
from sightline.api.edge.exchange import Exchange
from sightline.errors import Problem
from tests.api.assertions import CONSOLE, DATA, assert_problem
from tests.installation import Installation


async def test_a_single_resource_is_data_plus_meta_request_id(installation, client):
    tenant = await installation.tenant()
    response = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.live})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert set(response.json()) == {"data", "meta"}
    assert response.json()["meta"] == {"request_id": response.headers["x-request-id"]}


async def test_a_list_adds_has_more_and_next_cursor(installation, client):
    tenant = await installation.tenant()
    for front, key in ((CONSOLE, tenant.live), (DATA, tenant.data)):
        response = await client.get(f"{front}/domains", headers={"X-API-Key": key})
        request_id = response.headers["x-request-id"]
        assert response.json()["meta"] == {"has_more": False, "next_cursor": None, "request_id": request_id}


async def test_timestamps_are_iso_8601_in_utc_with_an_explicit_offset(installation, client):
    tenant = await installation.tenant()
    response = await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.live})
    assert response.json()["data"]["created_at"] == "2026-11-15T09:30:10.000000+00:00"


async def test_unknown_query_parameters_are_ignored(installation, client):
    tenant = await installation.tenant()
    for path in ("/domains?nonsense=1&sort=name", "/account?x=%00", "/usage?page_size=abc"):
        response = await client.get(CONSOLE + path, headers={"X-API-Key": tenant.live})
        assert response.status_code == 200, response.text
    # The Data API reads only `cursor`.
    response = await client.get(f"{DATA}/domains?page_size=abc", headers={"X-API-Key": tenant.data})
    assert response.status_code == 200


class TestRequestId:
    async def test_a_client_sent_id_on_an_authenticated_request_is_used(self, installation, client):
        tenant = await installation.tenant()
        headers = {"X-API-Key": tenant.live, "X-Request-Id": "my-id.1:2_3"}
        response = await client.get(f"{CONSOLE}/account", headers=headers)
        assert response.headers["x-request-id"] == response.json()["meta"]["request_id"] == "my-id.1:2_3"
        response = await client.get(f"{CONSOLE}/nothing", headers=headers)
        assert assert_problem(response, 404, "not_found")["request_id"] == "my-id.1:2_3"

    @pytest.mark.parametrize("request_id", ["", "a b", "a/b", "ä", "x" * 129, "a\tb", '"', "<script>"])
    async def test_a_malformed_request_id_is_replaced(self, installation, client, request_id):
        tenant = await installation.tenant()
        headers = {"X-API-Key": tenant.live, "X-Request-Id": request_id.encode()}
        response = await client.get(f"{CONSOLE}/account", headers=headers)
        assert response.status_code == 200
        assert response.headers["x-request-id"] not in {request_id, ""}

    async def test_128_characters_are_allowed(self, installation, client):
        tenant = await installation.tenant()
        headers = {"X-API-Key": tenant.live, "X-Request-Id": "x" * 128}
        assert (await client.get(f"{CONSOLE}/account", headers=headers)).headers["x-request-id"] == "x" * 128

    async def test_without_authentication_one_is_generated(self, installation, client):
        response = await client.get(f"{CONSOLE}/account", headers={"X-Request-Id": "mine"})
        assert assert_problem(response, 401, "key_missing")["request_id"] != "mine"


class TestPathsAndMethods:
    @pytest.mark.parametrize("path", ["/nothing", "/domains/", "/domains/x/y", "//domains", "/Domains", ""])
    async def test_unknown_path_is_404(self, installation, client, path):
        tenant = await installation.tenant()
        response = await client.get(CONSOLE + path, headers={"X-API-Key": tenant.live})
        assert_problem(response, 404, "not_found")
        assert response.headers["x-ratelimit-limit"] == "120"

    async def test_a_path_of_neither_api_is_404_too(self, client):
        for path in ("/api/v1/", "/api/v1/other", "/api/v1/consolex"):
            response = await client.get(path)
            assert_problem(response, 404, "not_found")
            assert response.headers["x-ratelimit-limit"] == "60"

    @pytest.mark.parametrize("path", ["/api", "/api/", "/api/v1", "/api/v2/x", "/api/nothing", "/api//v1/console/keys"])
    async def test_every_404_under_api_is_a_problem_document(self, installation, client, path):
        tenant = await installation.tenant()
        for key in ("", "nonsense", tenant.live, tenant.data):
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
                response = await client.request(method, path, headers={"X-API-Key": key, "Accept": "text/html"})
                assert_problem(response, 404, "not_found")
        head = await client.head(path)
        assert (head.status_code, head.content) == (404, b"")
        assert head.headers["content-type"] == "application/problem+json" and head.headers["x-request-id"]

    async def test_known_path_other_method_is_405_with_allow(self, installation, client):
        tenant = await installation.tenant()
        response = await client.put(f"{CONSOLE}/domains", headers={"X-API-Key": tenant.live})
        assert_problem(response, 405, "method_not_allowed")
        assert response.headers["allow"] == "GET, HEAD, POST"
        response = await client.request("OPTIONS", f"{CONSOLE}/keys/x", headers={"X-API-Key": tenant.live})
        assert response.headers["allow"] == "DELETE"

    async def test_head_responds_as_get_without_a_body(self, installation, client):
        tenant = await installation.tenant()
        headers = {"X-API-Key": tenant.live, "X-Request-Id": "same", "Accept-Encoding": "identity"}
        get = await client.get(f"{CONSOLE}/platforms", headers=headers)
        head = await client.head(f"{CONSOLE}/platforms", headers=headers)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == get.headers["content-length"] == str(len(get.content))
        compressed = await client.get(f"{CONSOLE}/platforms", headers=headers | {"Accept-Encoding": "gzip"})
        assert compressed.headers["content-encoding"] == "gzip" and compressed.content == get.content
        assert int(compressed.headers["content-length"]) < len(get.content)

    async def test_an_unknown_path_needs_a_key_first(self, client):
        assert_problem(await client.get(f"{CONSOLE}/nothing"), 401, "key_missing")


class TestBodies:
    async def post(self, client, tenant, content, content_type="application/json", path="/domains"):
        headers = {"X-API-Key": tenant.live, "Idempotency-Key": "k", "Content-Type": content_type}
        return await client.post(CONSOLE + path, content=content, headers=headers)

    async def test_64_kib_is_the_limit(self, installation, client):
        tenant = await installation.tenant()
        fitting = b'{"domain": "acme.com"' + b" " * (64 * 1024 - 22) + b"}"
        assert len(fitting) == 64 * 1024
        assert (await self.post(client, tenant, fitting)).status_code == 201
        response = await self.post(client, tenant, fitting + b" ")
        assert assert_problem(response, 413, "payload_too_large")["limit"] == 64 * 1024

    async def test_a_streamed_body_is_limited_while_it_arrives(self, installation, client):
        async def endless():
            while True:
                yield b" " * 10_000

        response = await self.post(client, await installation.tenant(), endless())
        assert_problem(response, 413, "payload_too_large")

    @pytest.mark.parametrize(
        "content_type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "", "application/xml"]
    )
    async def test_wrong_content_type_is_415(self, installation, client, content_type):
        response = await self.post(client, await installation.tenant(), b'{"domain": "acme.com"}', content_type)
        assert_problem(response, 415, "unsupported_media_type")

    @pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "APPLICATION/JSON"])
    async def test_json_media_types_are_accepted_in_any_spelling(self, installation, client, content_type):
        response = await self.post(client, await installation.tenant(), b'{"domain": "acme.com"}', content_type)
        assert response.status_code == 201

    async def test_broken_json_is_400(self, installation, client):
        tenant = await installation.tenant()
        for content in (b"{", b"", b'{"domain": "acme.com"} x', b"[" * 60_000, b'{"domain": "\xff"}'):
            assert_problem(await self.post(client, tenant, content), 400, "invalid_json")

    @pytest.mark.parametrize("value", ['"a\\u0000b"', '"\\ud800"', "NaN", "-Infinity"])
    async def test_nan_lone_surrogates_and_nul_are_422_with_the_field_named(self, installation, client, value):
        content = f'{{"domain": "acme.com", "competitors": [{{"domain": "x.com", "name": {value}}}]}}'.encode()
        response = await self.post(client, await installation.tenant(), content)
        assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == "competitors[0].name"

    async def test_validation_names_the_field(self, installation, client):
        response = await self.post(client, await installation.tenant(), b'{"domain": "acme.com", "aliases": ["a", 5]}')
        (error,) = assert_problem(response, 422, "validation_failed")["errors"]
        assert error["field"] == "aliases[1]"
        assert set(error) == {"field", "message", "code"}


class TestCrash:
    async def test_an_unexpected_error_shows_no_details_and_is_logged_with_the_request_id(
        self, installation, client, capsys
    ):
        tenant = await installation.tenant()
        await installation.db.execute("DROP TABLE usage_minutes")
        response = await client.get(f"{CONSOLE}/usage", headers={"X-API-Key": tenant.live})
        document = assert_problem(response, 500, "internal_error")
        assert "usage_minutes" not in response.text
        assert response.headers["x-ratelimit-limit"] == "120"
        logged = capsys.readouterr().out
        assert document["request_id"] in logged and "UndefinedTable" in logged


class TestCors:
    ORIGIN = "https://app.acme.com"

    async def test_cors_is_off_by_default(self, installation, client):
        tenant = await installation.tenant()
        headers = {"X-API-Key": tenant.live, "Origin": self.ORIGIN}
        response = await client.get(f"{CONSOLE}/account", headers=headers)
        assert "access-control-allow-origin" not in response.headers

    async def test_an_allow_list_enables_cors(self, database_url, tmp_path):
        allowed = f"{self.ORIGIN}, https://other.com"
        async with (
            Installation.open(database_url, tmp_path, cors_origins=allowed) as installation,
            installation.client() as client,
        ):
            headers = {"Origin": self.ORIGIN, "Access-Control-Request-Method": "POST"}
            preflight = await client.options(f"{CONSOLE}/domains", headers=headers)
            assert preflight.status_code == 204
            assert preflight.headers["access-control-allow-origin"] == self.ORIGIN
            refused = await client.get(f"{CONSOLE}/account", headers={"Origin": self.ORIGIN})
            assert refused.headers["access-control-allow-origin"] == self.ORIGIN
            assert "access-control-allow-credentials" not in refused.headers
            foreign = await client.options(f"{CONSOLE}/domains", headers={**headers, "Origin": "https://evil.com"})
            assert "access-control-allow-origin" not in foreign.headers


async def test_the_order_of_refusals(installation, client):
    """Each refusal appears once the causes of the ones before it are fixed.

    401 → wrong key kind (403) → 429 → 413/415 → idempotency_required → plan, scope, role (403) → replay or conflict →
    404 → 400/422 → 409.
    """
    tenant = await installation.tenant()
    viewer_user = await installation.member(tenant, Role.VIEWER)
    viewer = await installation.mint(tenant, viewer_user, "console")
    url = f"{CONSOLE}/domains"

    async def post(key, content=b"x" * 70_000, content_type="text/plain", idempotency=""):
        headers = {"Content-Type": content_type, **({"X-API-Key": key} if key else {})}
        if idempotency:
            headers["Idempotency-Key"] = idempotency
        return await client.post(url, content=content, headers=headers)

    assert_problem(await post(""), 401, "key_missing")
    assert_problem(await post(tenant.data), 403, "wrong_key_kind")
    assert_problem(await post(viewer), 413, "payload_too_large")
    assert_problem(await post(viewer, b"{"), 415, "unsupported_media_type")
    assert_problem(await post(viewer, b"{", "application/json"), 400, "idempotency_required")
    assert_problem(await post(viewer, b"{", "application/json", "k"), 403, "workspace_access_required")
    assert_problem(await post(tenant.live, b"{", "application/json", "k"), 400, "invalid_json")
    response = await post(tenant.live, b'{"domain": "x"}', "application/json", "k")
    assert_problem(response, 422, "invalid_domain")
    assert (await post(tenant.live, b'{"domain": "acme.com"}', "application/json", "k")).status_code == 201
    assert_problem(await post(tenant.live, b"{", "application/json", "k"), 409, "idempotency_conflict")
    response = await post(tenant.live, b'{"domain": "acme.com"}', "application/json", "k2")
    assert_problem(response, 409, "domain_exists")


async def test_an_exhausted_rate_limit_is_refused_before_the_body_is_read(database_url, tmp_path):
    async with Installation.open(database_url, tmp_path, console_rate_per_minute=1) as installation:
        tenant = await installation.tenant()
        async with installation.client(X_API_Key=tenant.live) as client:
            assert (await client.get(f"{CONSOLE}/account")).status_code == 200
            response = await client.post(f"{CONSOLE}/domains", content=b"x" * 70_000)
            assert_problem(response, 429, "rate_limited")


async def test_a_refused_request_is_freed_at_once_and_not_by_the_garbage_collector(installation, client):
    """Thousands of refused requests would otherwise be freed in one pause, in which everybody waits."""
    tenant = await installation.tenant()
    requests = (("GET", "/account", ""), ("GET", "/nothing", tenant.live), ("PUT", "/domains", tenant.live))
    gc.collect()
    gc.disable()
    try:
        statuses = [
            (await client.request(method, CONSOLE + path, headers={"X-API-Key": key} if key else {})).status_code
            for method, path, key in requests
        ]
        left = [each for each in gc.get_objects() if isinstance(each, Exchange | Problem)]
    finally:
        gc.enable()
    assert (statuses, left) == ([401, 404, 405], [])
