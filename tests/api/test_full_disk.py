"""A full disk is 503 with Retry-After on every write, and /readyz says so. Reads go on."""

import pytest

from sightline.api.app import create_app
from sightline.web.app import ROUTES, handle_not_found
from tests.api.assertions import CONSOLE, assert_problem
from tests.databases import run_sql
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


async def test_a_key_that_was_not_used_lately_still_reads(installation, client):
    tenant = await installation.tenant()
    await fill_disk(installation, "rate_minutes", "rate_months")
    headers = {"X-API-Key": tenant.live}
    response = await client.get(f"{CONSOLE}/domains", headers=headers)
    assert response.status_code == 200 and "x-data-degraded" not in response.headers
    limit = int(response.headers["x-ratelimit-limit"])
    assert int(response.headers["x-ratelimit-remaining"]) == limit - 1
    assert (await client.get(f"{CONSOLE}/credits/balance", headers=headers)).status_code == 200, "never from a copy"
    response = await client.post(f"{CONSOLE}/domains", json={"domain": "acme.com"}, headers=headers)
    assert_problem(response, 503, "service_unavailable")


async def test_a_full_disk_lifts_no_limit_and_opens_no_revoked_key(installation, client):
    tenant = await installation.tenant()
    await fill_disk(installation, "rate_minutes", "rate_months")
    headers = {"X-API-Key": tenant.live}
    codes = {(await client.get(f"{CONSOLE}/domains", headers=headers)).status_code for _ in range(121)}
    assert codes == {200, 429}
    await installation.db.execute("UPDATE api_keys SET revoked_at = now()")
    installation.clock.advance(minutes=1)
    assert_problem(await client.get(f"{CONSOLE}/domains", headers=headers), 401, "key_revoked")


async def test_a_session_that_was_not_used_lately_still_reads(installation):
    tenant = await installation.tenant()
    installation.app = create_app(installation.app_context, ROUTES, handle_not_found)
    async with await installation.sign_in(tenant.owner) as client:
        await fill_disk(installation, "sessions")
        installation.clock.advance(hours=1)
        workspace = {"X-Workspace-Id": str(tenant.workspace.id)}
        assert (await client.get(f"{CONSOLE}/domains", headers=workspace)).status_code == 200
        assert (await client.get("/account")).status_code == 200


async def reconnect(db):
    """Open new connections, which have the current settings of the database."""
    await db.close()
    await db.open()


async def test_a_key_reads_on_a_read_only_database(installation, client, server_url):
    """Many hosts make a database read-only when its disk is nearly full."""
    tenant = await installation.tenant()
    name = await installation.db.fetchval("SELECT current_database()")
    change = f'ALTER DATABASE "{name}" %s default_transaction_read_only'
    await run_sql(server_url, change % "SET" + " = on")
    try:
        await reconnect(installation.db)
        response = await client.get(f"{CONSOLE}/domains", headers={"X-API-Key": tenant.live})
        assert response.status_code == 200 and "x-data-degraded" not in response.headers
    finally:
        await run_sql(server_url, change % "RESET")
        await reconnect(installation.db)
