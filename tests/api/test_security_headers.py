"""Every response has the security headers, each of them once: successes, refusals, 405, monitors, assets, streams."""

import httpx
import pytest

from sightline.api.app import OPERATIONS, create_app
from sightline.api.app_context import build_app_context
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.settings import Settings
from sightline.web.app import ROUTES, handle_not_found
from tests.api.assertions import CONSOLE

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
HSTS = {"strict-transport-security": "max-age=31536000"}
API_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
MONITORS = ("/healthz", "/readyz", "/version", "/metrics")


def assert_secure(response: httpx.Response, expected: dict[str, str]) -> None:
    found = {name: response.headers.get_list(name) for name in {**SECURITY_HEADERS, **HSTS}}
    assert found == {name: [expected[name]] if name in expected else [] for name in found}, response.request.url
    (policy,) = response.headers.get_list("content-security-policy")  # pages allow more than other responses
    assert {"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= set(policy.split("; "))
    if response.headers.get("content-type", "").split(";")[0] in {"application/json", "application/problem+json"}:
        assert policy == API_POLICY


def open_client(folder, public_url: str) -> httpx.AsyncClient:
    """Return a client of the whole application without a database, so that failures are among the responses."""
    settings = Settings(data_dir=folder, secret_key="s" * 40, base_url=public_url, cors_origins="https://other.example")
    app_context = build_app_context(settings, Database("postgresql://unused", pool_size=1), utc_now)
    transport = httpx.ASGITransport(app=create_app(app_context, ROUTES, handle_not_found))
    return httpx.AsyncClient(transport=transport, base_url=public_url)


async def test_every_path_answers_every_method_with_the_security_headers(tmp_path):
    expected, statuses = SECURITY_HEADERS | HSTS, set()
    requests = [(operation.method, operation.full_path) for operation in OPERATIONS]
    # Building the bundle of Vega takes seconds; it is served like the other assets.
    paths = {path for page in ROUTES for path in page.paths if "vega" not in path}
    requests += [(method, path) for path in [*paths, *MONITORS] for method in ("GET", "HEAD", "POST", "PATCH")]
    requests += [("GET", "/nowhere"), ("GET", "/static/nothing.css"), ("GET", f"{CONSOLE}/nowhere"), ("PUT", CONSOLE)]
    async with open_client(tmp_path, "https://sightline.example") as client:
        for method, path in requests:
            response = await client.request(method, path)
            assert_secure(response, expected)
            statuses.add(response.status_code)
        asset = await client.get("/static/app.css")
        same = await client.get("/static/app.css", headers={"If-None-Match": asset.headers["etag"]})
        preflight = {"Origin": "https://other.example", "Access-Control-Request-Method": "GET"}
        allowed = await client.options(f"{CONSOLE}/account", headers=preflight)
        for response in (asset, same, allowed):
            assert_secure(response, expected)
    assert (asset.status_code, same.status_code, allowed.status_code) == (200, 304, 204)
    assert {200, 303, 401, 403, 404, 405, 503} <= statuses


async def test_hsts_is_not_sent_if_the_public_address_is_http(tmp_path):
    async with open_client(tmp_path, "http://sightline.example") as client:
        assert_secure(await client.get("/healthz"), SECURITY_HEADERS)


@pytest.mark.parametrize("path", ["/credits/ledger.csv", "/account", "/domains/x"])
async def test_streams_successes_and_problems_have_them_too(installation, path):
    tenant = await installation.tenant()
    async with installation.client(X_API_Key=tenant.live) as client:
        assert_secure(await client.get(f"{CONSOLE}{path}"), SECURITY_HEADERS)
