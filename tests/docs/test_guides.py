"""The guides work as written: every shell block and program in them is run.

All of them share one server and one demo, because replaying two weeks takes a while.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import duckdb
import pytest

from sightline.kit.rounding import round_half_away
from tests.docs.code_blocks import as_script, read_blocks
from tests.process.serving.processes import environment, running

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),  # on a busy machine the demonstration data alone can take four minutes
    pytest.mark.skipif(shutil.which("curl") is None, reason="the guides need curl"),
]


@pytest.fixture(scope="module")
def service():
    """Run the server on its own data directory, and return a function that runs a command against it."""
    home = Path(tempfile.mkdtemp(prefix="sightline-tour-"))
    home.chmod(0o711)
    try:
        with running("serve", data_dir=home / "data", sandbox_latency_ms=20) as process:

            def run(command, **variables):
                settings = {**environment(data_dir=home / "data", port=process.port), **variables}
                return subprocess.run(
                    command, env=settings, capture_output=True, text=True, timeout=500, check=False, cwd=ROOT
                )

            run.url = process.url  # type: ignore[attr-defined]  # the guides name the address
            # Every guide relies on the two weeks of demo data, in whichever order they run.
            built = run([sys.executable, "-m", "sightline", "demo", "--weeks", "2", "--json"])
            assert built.returncode == 0, built.stderr
            yield run
            process.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def create_key(service, name: str) -> str:
    done = service([sys.executable, "-m", "sightline", "demo", "--weeks", "0", "--json"])
    return json.loads(done.stdout)["keys"][name]


def test_the_guide_to_the_console(service):
    done = service(["sh", "-c", as_script(read_blocks("docs/guides/console-api.md", "sh"))])
    assert done.returncode == 0, done.stderr
    assert '"credits_required":3' in done.stdout and "event: end" in done.stdout
    assert re.search(r"^visibility_score +[0-9.]+ ", done.stdout, re.MULTILINE)
    assert '"status":"cancelled"' in done.stdout


def test_the_guide_to_the_data_api(service):
    done = service(["sh", "-c", as_script(read_blocks("docs/guides/data-api.md", "sh"))])
    assert done.returncode == 0, done.stderr
    output = done.stdout
    assert '"code":"plan_required"' in output and '"reason":"scope"' in output
    assert len(re.findall(r"^\S+  Daily Check +completed", output, re.MULTILINE)) == 12
    assert len(re.findall(r"^\S+  Full Check +completed", output, re.MULTILINE)) == 3
    assert re.search(r"^scoreboard 20", output, re.MULTILINE) and re.search(r"^scan$", output, re.MULTILINE)
    assert re.search(r"^visibility_score +[0-9.]+  \([0-9.]+ to [0-9.]+, n = \d+\): [-+]", output, re.MULTILINE)
    assert re.search(r"^  \w+ +at \d+: (neutral|contrast|discouraged)$", output, re.MULTILINE)
    assert re.findall(r"HTTP/1.1 (\d+)", output) == ["201", "201", "201"]
    assert output.count("x-idempotent-replay: true") == 1
    first, replayed, twin = re.findall(r'"id":"([^"]+)"(?=[^}]*"prompt":"Which coffee keeps longest\?")', output)
    assert first == replayed == twin
    assert f'{{"id":"{first}","deleted":true}}' in output
    assert re.search(r"^Too early: 0 of 2 Full Checks since ", output, re.MULTILINE) and '"done":false' in output
    for what in ("themes", "recommendations", "opportunities"):
        assert re.search(rf"^{what} .*\[\d+ answers\]$", output, re.MULTILINE), what
    assert "<!doctype html>" in output and "%PDF-1." in output


def test_the_page_on_tables(service, tmp_path, monkeypatch):
    """Run its shell block and its program; then DuckDB computes what the Data API says of every check."""
    done = service(["sh", "-c", as_script(read_blocks("docs/guides/tables.md", "sh"))])
    assert done.returncode == 0, done.stderr
    assert re.search(r"^row_id,domain_id,scan_id,", done.stdout, re.MULTILINE) and "x-next-cursor: " in done.stdout
    key, url = create_key(service, "data_agency_read"), f"{service.url}/api/v1/ext"

    def read(path: str):
        request = urllib.request.Request(f"{url}{path}", headers={"X-API-Key": key})
        with urllib.request.urlopen(request) as response:
            return json.load(response)["data"]

    domain = read("/domains")[-1]["id"]
    program = read_blocks("docs/guides/tables.md", "python")[0] + "\nprint(len(copy), len(changes))"
    done = service([sys.executable, "-c", program], URL=url, DOMAIN=domain, KEY=key)
    assert re.fullmatch(r"[1-9]\d+ 0\n", done.stdout), done.stderr
    done = service([sys.executable, "-m", "sightline", "export", domain, "--to", str(tmp_path), "--json"])
    assert done.returncode == 0 and json.loads(done.stdout), done.stderr
    monkeypatch.chdir(tmp_path)
    (query,) = read_blocks("docs/guides/tables.md", "sql")
    computed = {str(row[0]): row[1:4] for row in duckdb.sql(query).fetchall()}
    checks = [each for each in read(f"/domains/{domain}/scans") if each["status"] == "completed"]
    assert len(checks) == 15
    for check in checks:
        shown = (check["visibility_score"], check["brand_coverage_pct"], check["ai_mentions"])
        assert tuple(round_half_away(round(value, 9), 1) for value in computed[check["id"]]) == shown


def test_setting_up_a_domain_as_the_page_on_tracking_says(service):
    done = service(["sh", "-c", as_script(read_blocks("docs/guides/tracking.md", "sh"))])
    assert done.returncode == 0, done.stderr
    assert re.search(r"The first check \S+ is queued: 22 answers\.", done.stdout)
    assert "initech.com is confirmed." in done.stdout
    assert re.search(r"umbrella\.com +Umbrella +active +2 +\d+ \w+ \d+, \S+ UTC daily_check", done.stdout)
    assert re.search(r"suggested +[a-z]+\.\w+ .*detected", done.stdout)
