"""The pages for beginners work as written, on a fresh installation."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.docs.code_blocks import as_script, read_blocks
from tests.process.serving.processes import environment, free_port, running

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("curl") is None, reason="the pages need curl"),
]


@pytest.fixture(scope="module")
def service():
    """Run the server on an empty data directory, and return a function that runs a command against it."""
    home = Path(tempfile.mkdtemp(prefix="sightline-start-"))
    home.chmod(0o711)
    settings = {"data_dir": home / "data", "sandbox_latency_ms": 20, "webhook_allow_loopback": 1}
    try:
        with running("serve", **settings) as process:

            def run(command, *, cwd=home, **variables):
                values = {**environment(data_dir=home / "data", port=process.port), **variables}
                return subprocess.run(
                    command, env=values, capture_output=True, text=True, timeout=200, check=False, cwd=cwd
                )

            yield run
            process.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def test_a_check_from_the_command_line(service):
    done = service(["sh", "-c", as_script(read_blocks("docs/guides/check.md", "sh"))])
    assert done.returncode == 0, done.stderr
    assert "SANDBOX" in done.stdout and "Visibility Score" in done.stdout


def test_a_developer_gets_to_a_verified_webhook(service, tmp_path):
    """Run the receiver of the page, and then every shell block."""
    (receiver,) = read_blocks("docs/start/developer.md", "python")
    port = str(free_port())
    command = [sys.executable, "-c", receiver]
    with subprocess.Popen(
        command, env={**os.environ, "PORT": port}, cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as received:
        done = service(["sh", "-c", as_script(read_blocks("docs/start/developer.md", "sh"))], cwd=tmp_path, PORT=port)
        try:
            output, _ = received.communicate(timeout=60)
        finally:
            received.kill()
    assert done.returncode == 0, done.stderr
    assert output.split("\n")[:2] == ["verified: webhook.test", "verified: scan.completed"]
    assert "event: end" in done.stdout and "brand_coverage_pct" in done.stdout


def test_an_operator_gets_to_a_restored_backup(service, tmp_path):
    """Run every shell block: the check of the installation, the backup, its verification and its restoration."""
    done = service(["sh", "-c", as_script(read_blocks("docs/start/operator.md", "sh"))], HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "sightline-backups").glob("*.backup"))) == 1
    assert (tmp_path / "sightline-restored").is_dir()
