"""A full disk is 503 with Retry-After on every write, and /readyz says so. Reads go on."""

import pytest

from sightline.api.app import create_app
from sightline.web.app import ROUTES, handle_not_found
from tests.api.assertions import CONSOLE, assert_problem
from tests.installation import PASSWORD

FULL = """
CREATE FUNCTION run_out_of_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file "base/1": No space left on device' USING ERRCODE = 'disk_full';
END $$;
"""


async def fill_disk(installation, *tables):
    """Let writes to these tables fail as they do on a full disk: with SQLSTATE 53100."""
    await installation.db.execute(
        FULL
        + ";".join(
            f"CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON {table} EXECUTE FUNCTION run_out_of_space()"
            for table in tables
        )
    )


async def read_readiness(client):
    response = await client.get("/readyz")
    return response.status_code, response.json().get("reason")


async def test_a_write_is_503_with_retry_after_and_readyz_says_why(installation, client):
    tenant = await installation.tenant()
    await fill_disk(installation, "domains")
    assert await read_readiness(client) == (200, None)
    headers = {"X-API-Key": tenant.live, "Idempotency-Key": "k"}
    response = await client.post(f"{CONSOLE}/domains", json={"domain": "acme.com"}, headers=headers)
    assert_problem(response, 503, "service_unavailable")
    assert response.headers["retry-after"] == "5"
    assert await read_readiness(client) == (503, "the disk of the database is full")
    assert (await client.get(f"{CONSOLE}/domains", headers=headers)).status_code == 200
    assert await installation.db.fetchval("SELECT count(*) FROM idempotency_keys") == 0, "the key is free"


async def test_a_claim_or_a_count_that_cannot_be_written_is_503(installation, client):
    tenant = await installation.tenant()
    await fill_disk(installation, "idempotency_keys", "rate_minutes")
    for _ in range(2):
        headers = {"X-API-Key": tenant.live, "Idempotency-Key": "k"}
        response = await client.post(f"{CONSOLE}/domains", json={"domain": "acme.com"}, headers=headers)
        assert_problem(response, 503, "service_unavailable")
        await installation.db.execute("DROP TRIGGER IF EXISTS full_disk ON rate_minutes")


@pytest.mark.parametrize("table", ["sessions", "failed_attempts"])
async def test_nobody_can_sign_in_while_the_disk_is_full(installation, table):
    tenant = await installation.tenant()
    await fill_disk(installation, table)
    installation.app = create_app(installation.app_context, ROUTES, handle_not_found)
    credentials = {"email": tenant.owner.email, "password": PASSWORD}
    async with installation.client(Sec_Fetch_Site="same-origin") as client:
        for response in (
            await client.post(f"{CONSOLE}/session", json=credentials),
            await client.post("/sign-in", data=credentials),
        ):
            assert (response.status_code, response.headers.get("retry-after")) == (503, "5"), response.text
        assert (await read_readiness(client))[0] == 503
