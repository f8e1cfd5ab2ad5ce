"""PgBouncer in transaction mode: the whole service works through three connections to PostgreSQL."""

import asyncio
from collections import Counter

import httpx
import pytest

from sightline.db.connect import connect
from sightline.kit.clock import utc_now
from tests.installation import Installation
from tests.process.failover.clusters import POOL_SIZE, USER, run_pgbouncer, run_primary
from tests.process.serving.processes import run_json, running
from tests.running_worker import until

pytestmark = pytest.mark.slow
CONSOLE = "/api/v1/console"


async def list_sessions(url):
    connection = await connect(url)
    rows = await connection.fetch(
        "SELECT application_name, query FROM pg_stat_activity WHERE backend_type = $1", "client backend"
    )
    connection.terminate()
    return rows


async def test_the_service_runs_through_pgbouncer_in_transaction_mode(home, tmp_path):
    with run_primary(home) as primary, run_pgbouncer(primary) as port:
        direct = f"postgresql://{USER}@127.0.0.1:{primary.port}/{USER}"
        settings = {
            "database_url": f"postgresql://{USER}@127.0.0.1:{port}/{USER}",
            "database_direct_url": direct,
            "secret_key": "s" * 40,
            "data_dir": tmp_path / "served",
            "backup_passphrase": "correct horse battery",
        }
        with running("serve", **settings, console_rate_per_minute=100_000, sandbox_latency_ms=10) as service:
            async with Installation.open(direct, tmp_path) as installation:
                installation.clock.now = utc_now()
                tenant = await installation.tenant()
                domain_id = await installation.console_domain(tenant.test, "scanned.com")
            async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
                client.headers["X-API-Key"] = tenant.test

                async def register(number):
                    name = f"acme{number}.com"
                    made = await client.post(
                        f"{CONSOLE}/domains", json={"domain": name}, headers={"Idempotency-Key": name}
                    )
                    read = await client.get(f"{CONSOLE}/domains/{made.json()['data']['id']}")
                    return made.status_code, read.status_code, read.json()["data"]["domain"] == name

                # More requests at a time than PgBouncer has connections, so each gets another one than before.
                outcomes = await asyncio.gather(*(register(number) for number in range(60)))
                assert Counter(outcomes) == {(201, 200, True): 60}
                body = {"domain_id": domain_id, "keywords": ["crm"], "platforms": ["chatgpt", "gemini"]}
                submitted = await client.post(f"{CONSOLE}/scans", json=body, headers={"Idempotency-Key": "scan"})
                scan_id = submitted.json()["data"]["id"]

                async def completed():
                    return (await client.get(f"{CONSOLE}/scans/{scan_id}")).json()["data"]["status"] == "completed"

                await until(completed)
            sessions = await list_sessions(direct)
            # The worker listens for jobs and holds its lock in its own session, in addition to those of PgBouncer.
            assert any("LISTEN" in query or query == "SELECT 1" for name, query in sessions if "serve" in name)
            assert sum("serve" in name for name, _ in sessions) > POOL_SIZE
            backup = await asyncio.to_thread(run_json, "backup", str(tmp_path / "acme.backup"), **settings)
            assert backup["tables"]["public.domains"] == 61
            assert await asyncio.to_thread(run_json, "credits", "verify", **settings) == {"faults": []}
            printed = service.stop()
    assert "prepared statement" not in printed
    assert "Traceback" not in printed
