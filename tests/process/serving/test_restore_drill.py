"""The drill: an installation is backed up while it serves, lost, and restored into an empty place."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import httpx
import pytest

from sightline.backups import queries
from sightline.backups.connection import open_connection
from sightline.db import embedded
from tests.fakes.receiver import Receiver
from tests.process.serving.processes import SIGHTLINE, environment, run_json, running
from tests.running_worker import until

pytestmark = pytest.mark.slow
CONSOLE = "/api/v1/console"


@pytest.fixture
def home():
    home = Path(tempfile.mkdtemp(prefix="sightline-drill-"))
    home.chmod(0o711)
    yield home
    for name in ("lost", "restored"):
        embedded.attach(home / name).release()
    shutil.rmtree(home, ignore_errors=True)


async def send_test_event(client, receiver, webhook_id, key):
    """Let the service send an event, and return what arrives."""
    seen = len(receiver.received)
    sent = await client.post(f"{CONSOLE}/webhooks/{webhook_id}/test", headers={"Idempotency-Key": key})
    assert sent.status_code in {200, 201, 202}, sent.text

    async def arrived():
        return receiver.received[seen:]

    return (await until(arrived))[0]


async def test_a_lost_installation_is_restored(home):
    (home / "passphrase").write_text("correct horse battery\n")
    shared = {"backup_passphrase_file": home / "passphrase", "webhook_allow_loopback": 1, "sandbox_latency_ms": 10}
    lost, restored = {"data_dir": home / "lost", **shared}, {"data_dir": home / "restored", **shared}
    async with Receiver() as receiver:
        with running("serve", **lost, backup_folder=home / "daily") as service:
            demo = run_json("demo", "--weeks", "0", **lost)
            async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
                client.headers["X-API-Key"] = demo["keys"]["console_test"]
                hook = await client.post(
                    f"{CONSOLE}/webhooks", json={"url": receiver.url(), "events": ["webhook.test"]}
                )
                webhook = hook.json()["data"]
                assert (await send_test_event(client, receiver, webhook["id"], "a")).signed_by(webhook["secret"])
                scan = {"domain_id": demo["console_test_domain_id"], "keywords": ["crm"], "platforms": ["chatgpt"]}
                submitted = await client.post(f"{CONSOLE}/scans", json=scan, headers={"Idempotency-Key": "scan"})
                scan_id = submitted.json()["data"]["id"]

                async def completed():
                    return (await client.get(f"{CONSOLE}/scans/{scan_id}")).json()["data"]["status"] == "completed"

                await until(completed)
                answers = (await client.get(f"{CONSOLE}/scans/{scan_id}/answers")).json()["data"]
                assert answers
            backup = run_json("backup", str(home / "acme.backup"), **lost)

            async def written():
                return list((home / "daily").glob("*.backup"))

            assert len(await until(written)) == 1, "the worker writes the first one when it starts"
            service.stop()
        cluster = home / "lost" / "postgres"  # a link to the folder with the cluster
        shutil.rmtree(cluster.resolve())
        cluster.unlink()
        assert backup["key_verified"]

        killed = environment(**restored, test_crash_at="before_restore_commit")
        assert subprocess.run([*SIGHTLINE, "restore", backup["file"]], env=killed, check=False).returncode == 137
        done = run_json("restore", backup["file"], **restored)
        assert done["tables"] == backup["tables"]
        server = embedded.attach(home / "restored")
        try:
            async with open_connection(server.url) as connection:
                assert await queries.count_rows(connection) == backup["tables"]
        finally:
            server.release()
        assert run_json("credits", "verify", **restored) == {"faults": []}

        with running("serve", **restored) as service:
            async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
                assert (await client.post(f"{CONSOLE}/session", json=demo["users"]["owner"])).status_code == 201
            async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
                client.headers["X-API-Key"] = demo["keys"]["console_test"]
                assert (await client.get(f"{CONSOLE}/scans/{scan_id}/answers")).json()["data"] == answers
                assert (await send_test_event(client, receiver, webhook["id"], "b")).signed_by(webhook["secret"])
            service.stop()
