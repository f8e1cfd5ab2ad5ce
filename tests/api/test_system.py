"""The addresses for machines that watch the service."""

from sightline import __version__
from tests.api.assertions import CONSOLE
from tests.installation import Installation


async def test_healthz_says_that_the_process_answers_whatever_the_database_does(installation, client):
    await installation.db.close()
    answer = await client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_readyz_needs_the_database_and_its_schema(installation, client):
    assert (await client.get("/readyz")).json() == {"status": "ready"}
    await installation.db.execute("UPDATE alembic_version SET version_num = '9999'")
    assert (await client.get("/readyz")).status_code == 200, "a newer schema: the next version is being rolled out"
    await installation.db.execute("UPDATE alembic_version SET version_num = '0000'")
    answer = await client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "not_ready")
    await installation.db.close()
    answer = await client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "degraded")


async def test_version(client):
    assert (await client.get("/version")).json() == {"name": "sightline", "version": __version__, "api": "v1"}


async def test_metrics_count_operations_and_name_nobody(installation, client):
    tenant = await installation.tenant()
    await client.get(f"{CONSOLE}/account", headers={"X-API-Key": tenant.live})
    answer = await client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    assert 'sightline_requests_total{operation="read_account",status="200"}' in answer.text
    assert 'sightline_request_seconds_bucket{le="0.005",operation="read_account"}' in answer.text
    assert tenant.id not in answer.text and tenant.live not in answer.text


async def test_metrics_ask_for_the_token_when_one_is_set(database_url, tmp_path):
    async with (
        Installation.open(database_url, tmp_path, metrics_token="let me in") as installation,
        installation.client() as client,
    ):
        for given in ("", "Bearer wrong", "let me out"):
            answer = await client.get("/metrics", headers={"Authorization": given})
            assert (answer.status_code, answer.content) == (401, b"")
        answer = await client.get("/metrics", headers={"Authorization": "Bearer let me in"})
        assert answer.status_code == 200
