"""The endpoints for monitoring: health, readiness, version and metrics."""

from sightline import __version__
from sightline.api_keys.format import make_key
from tests.api.assertions import CONSOLE, assert_problem
from tests.installation import Installation
from tests.web.page_browser import open_browser


async def test_healthz_responds_without_the_database(installation, client):
    await installation.db.close()
    response = await client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


async def test_readyz_needs_the_database_and_its_schema(installation, client):
    assert (await client.get("/readyz")).json() == {"status": "ready"}
    await installation.db.execute("UPDATE alembic_version SET version_num = '9999'")
    assert (await client.get("/readyz")).status_code == 200, "a newer schema: the next version is being rolled out"
    await installation.db.execute("UPDATE alembic_version SET version_num = '0000'")
    response = await client.get("/readyz")
    assert (response.status_code, response.json()["status"]) == (503, "not_ready")
    for emptied in ("DELETE FROM alembic_version", "DROP SCHEMA public CASCADE"):
        await installation.db.execute(emptied)
        response = await client.get("/readyz")
        assert response.status_code == 503
        assert response.json() == {"status": "not_ready", "reason": "run: sightline migrate"}
    refused = await client.post("/api/v1/console/session", json={"email": "a@acme.com", "password": "x"})
    keyed = await client.get("/api/v1/console/account", headers={"X-API-Key": make_key("console", livemode=True)})
    for response in (refused, keyed):
        assert "run: sightline migrate" in assert_problem(response, 503, "service_unavailable")["detail"]
        assert int(response.headers["retry-after"]) > 0
    async with open_browser(installation) as browser:
        for path in ("/", "/welcome"):
            page = await browser.get(path)
            assert page.status_code == 503 and "sightline migrate" in page.text
    await installation.db.close()
    response = await client.get("/readyz")
    assert (response.status_code, response.json()["status"]) == (503, "degraded")


async def test_version(client):
    assert (await client.get("/version")).json() == {"name": "sightline", "version": __version__, "api": "v1"}


async def test_metrics_count_operations_and_contain_no_identifiers(database_url, tmp_path):
    async with (
        Installation.open(database_url, tmp_path, metrics_token="let me in") as installation,
        installation.client() as client,
    ):
        tenant = await installation.tenant()
        await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.live})
        response = await client.get("/metrics", headers={"Authorization": "Bearer let me in"})
    assert response.headers["content-type"].startswith("text/plain")
    assert 'sightline_requests_total{operation="read_account",status="200"}' in response.text
    assert 'sightline_request_seconds_bucket{le="0.005",operation="read_account"}' in response.text
    assert tenant.id not in response.text and tenant.live not in response.text


async def test_metrics_require_the_token_if_one_is_set(database_url, tmp_path):
    async with (
        Installation.open(database_url, tmp_path, metrics_token="let me in") as installation,
        installation.client() as client,
    ):
        for header in ("", "Bearer wrong", "let me out"):
            response = await client.get("/metrics", headers={"Authorization": header})
            assert (response.status_code, response.content) == (401, b"")
        response = await client.get("/metrics", headers={"Authorization": "Bearer let me in"})
        assert response.status_code == 200
