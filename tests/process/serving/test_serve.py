"""`sightline serve` as a new user runs it: first start, setup link, restart, kill, Ctrl-C, a second service."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import asyncpg
import httpx
import pytest

from sightline.db import embedded
from tests.process.serving.processes import SIGHTLINE, Running, run, run_json, running

PASSWORD = "correct horse battery"


@pytest.fixture
def data_dir():
    home = Path(tempfile.mkdtemp(prefix="sightline-serve-"))
    home.chmod(0o711)
    yield home / "data"
    embedded.attach(home / "data").release()  # stop a server that the test has left running
    shutil.rmtree(home, ignore_errors=True)


def test_an_installation_survives_a_kill_and_refuses_a_second_service(data_dir):
    with running("serve", command=SIGHTLINE, data_dir=data_dir) as first:
        welcome = first.wait_for_line("Ctrl-C")
        assert f"Dashboard      {first.url}/\n" in welcome
        link = re.search(rf"{first.url}/welcome\?token=(\S+)", welcome)
        assert link, welcome
        body = {"token": link[1], "email": "me@acme.com", "password": PASSWORD, "workspace_name": "Acme"}
        made = httpx.post(f"{first.url}/api/v1/console/account/bootstrap", json=body, timeout=20).json()["data"]
        key = made["keys"][0]["key"]
        headers = {"X-API-Key": key, "Idempotency-Key": "k"}
        domains = "/api/v1/console/domains"
        assert httpx.post(first.url + domains, json={"domain": "acme.com"}, headers=headers).status_code == 201
        assert httpx.get(f"{first.url}/readyz").json() == {"status": "ready"}

        # Two services on the same data directory get a clear message.
        second = run("serve", data_dir=data_dir, port=0)
        assert second.returncode == 1
        assert f"process {first.process.pid}" in second.stderr and str(data_dir) in second.stderr

        # Operator commands work while the service runs.
        assert run_json("plan", "show", data_dir=data_dir)[0]["name"] == "Acme"

        # kill -9: PostgreSQL survives, the next start attaches to it, and nothing is lost.
        first.kill()
    assert embedded.describe(data_dir).running
    with running("serve", data_dir=data_dir) as again:
        assert "welcome?token" not in again.wait_for_line("Ctrl-C")
        listed = httpx.get(again.url + domains, headers=headers).json()["data"]
        assert [row["domain"] for row in listed] == ["acme.com"]
        again.process.send_signal(signal.SIGINT)  # Ctrl-C
        assert again.process.wait(30) == 0
    assert not embedded.describe(data_dir).running


def test_an_added_owner_ends_the_printed_link_and_no_restart_makes_them_an_operator(data_dir):
    with running("serve", data_dir=data_dir) as first:
        token = re.search(r"welcome\?token=(\S+)", first.wait_for_line("Ctrl-C"))[1]
        for email in ("customer@acme.com", "operator@acme.com"):
            run_json("user", "add", email, "--password", PASSWORD, data_dir=data_dir)
        granted = run("user", "operator", "operator@acme.com", data_dir=data_dir)
        events = [json.loads(line) for line in granted.stderr.splitlines() if "operator_granted" in line]
        assert [each["by"] for each in events] == ["operator"]
        body = {"token": token, "email": "me@acme.com", "password": PASSWORD, "workspace_name": "Acme"}
        refused = httpx.post(f"{first.url}/api/v1/console/account/bootstrap", json=body, timeout=20)
        assert refused.json()["code"] == "bootstrap_token_invalid"
        first.stop(signal.SIGTERM)
    with running("serve", data_dir=data_dir) as again:
        assert "welcome?token" not in again.wait_for_line("Ctrl-C")
        users = run_json("user", "list", data_dir=data_dir)
    assert [user["email"] for user in users if user["operator"]] == ["operator@acme.com"]


@pytest.mark.slow
def test_sigterm_stops_the_service_and_postgresql_cleanly(data_dir):
    with running("serve", command=SIGHTLINE, data_dir=data_dir) as process:
        output = process.stop(signal.SIGTERM)
        assert process.process.returncode == 0
        assert "Traceback" not in output
    assert not embedded.describe(data_dir).running


@pytest.mark.slow
def test_a_crashed_postgresql_is_restarted(data_dir):
    with running("serve", data_dir=data_dir) as process:
        # The service listens before it prints this line, but gives up if PostgreSQL crashes before it.
        process.wait_for_line("is running on")
        os.kill(embedded.describe(data_dir).pid, signal.SIGKILL)
        deadline = time.monotonic() + 120  # recovery is slow on a busy machine
        while time.monotonic() < deadline:
            time.sleep(0.2)
            if (
                httpx.get(f"{process.url}/readyz", timeout=30).status_code == 200
                and embedded.describe(data_dir).running
            ):
                break
        else:
            pytest.fail("PostgreSQL was not restarted in time")
        process.stop()


@pytest.mark.slow
def test_a_port_in_use_is_reported_in_plain_words(data_dir):
    with running("serve", data_dir=data_dir) as process:
        other = data_dir.parent / "other"
        done = run("serve", data_dir=other, port=process.port)
        assert done.returncode == 1
        assert "SIGHTLINE_PORT" in done.stderr and "Traceback" not in done.stderr
        assert not embedded.describe(other).running
        process.stop()


@pytest.mark.slow
def test_logs_are_structured_and_never_contain_a_key_password_cookie_or_body(data_dir):
    with running("serve", data_dir=data_dir) as process:
        demo = run_json("demo", "--weeks", "0", data_dir=data_dir, port=process.port)
        key = demo["keys"]["console_live"]
        login = demo["users"]["owner"]
        with httpx.Client(base_url=f"{process.url}/api/v1/console", timeout=20) as client:
            client.get("/domains", headers={"X-API-Key": key, "X-Request-Id": "find-me"})
            client.get("/domains?secret=in-query", headers={"X-API-Key": key[:-1] + "x"})
            signed_in = client.post("/session", json=login)
            cookie = client.cookies["sightline_session"]
            client.post("/session", json={**login, "password": "a wrong password"})
            client.post(
                "/domains", json={"domain": "body-text.com"}, headers={"X-API-Key": key, "Idempotency-Key": "idem"}
            )
            client.post("/keys", json={"name": "x"}, headers={"X-API-Key": key})
            csrf = signed_in.json()["data"]["csrf_token"]
        output = process.stop()
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    (found,) = [line for line in lines if line.get("request_id") == "find-me"]
    assert found["event"] == "request"
    assert (found["method"], found["status"], found["route"]) == ("GET", 200, "/api/v1/console/domains")
    assert found["workspace_id"] == demo["workspaces"]["agency"]["id"]
    assert found["key_id"] and found["duration_ms"] > 0
    requests = "\n".join(line for line in output.splitlines() if line.startswith("{"))
    for secret in (key, key[8:], login["password"], "a wrong password", cookie, "body-text", csrf, "in-query"):
        assert secret not in requests


@pytest.mark.slow
def test_the_service_runs_without_a_worker(data_dir):
    with running("serve", "--no-worker", data_dir=data_dir) as process:
        assert httpx.get(f"{process.url}/healthz").json() == {"status": "ok"}
        process.stop()


async def list_application_names(data_dir):
    server = embedded.attach(data_dir)
    connection = await asyncpg.connect(server.url)
    names = [row[0] for row in await connection.fetch("SELECT application_name FROM pg_stat_activity")]
    await connection.close()
    server.release()
    return names


def test_the_worker_runs_alone_and_stops_on_sigterm(data_dir):
    run("migrate", data_dir=data_dir)
    worker = Running("worker", data_dir=data_dir, worker_port=0)
    try:
        printed = worker.wait_for_line("worker_started")
        port = next(json.loads(line)["port"] for line in printed.splitlines() if "worker_port_opened" in line)
        url = f"http://127.0.0.1:{port}"
        assert [httpx.get(f"{url}/{path}").status_code for path in ("healthz", "readyz")] == [200, 200]
        assert "sightline_workers " in httpx.get(f"{url}/metrics").text
        assert "sightline worker" in asyncio.run(list_application_names(data_dir))
        assert "worker_stopped" in worker.stop()
        assert worker.process.returncode == 0
    finally:
        worker.kill()


WITHOUT_ACCOUNT = """
cp -a /etc "$0/etc"
for file in passwd shadow group gshadow; do sed -i '/^sightline:/d' "$0/etc/$file"; done
mount --bind "$0/etc" /etc
exec "$@"
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="is about the account that root needs")
def test_root_is_told_once_that_an_account_was_created_for_postgresql(data_dir, tmp_path):
    """The account is created in a copy of /etc, which only the namespace of this process sees."""
    isolated = ["unshare", "--mount", "sh", "-euc", WITHOUT_ACCOUNT, str(tmp_path)]
    if subprocess.run([*isolated, "true"], check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    shutil.rmtree(tmp_path / "etc")
    with running("serve", "--no-worker", command=[*isolated, *SIGHTLINE], data_dir=data_dir) as process:
        welcome = process.wait_for_line("Ctrl-C")
        assert "runs as the system account sightline." in welcome
        assert "system_account_created" in welcome
        process.stop()
    with running("serve", "--no-worker", data_dir=data_dir) as process:
        welcome = process.wait_for_line("Ctrl-C")
        assert "runs as the system account sightline." in welcome and "system_account_created" not in welcome
        process.stop()
