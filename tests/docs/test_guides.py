"""What the guides tell a reader to do works: every shell block and every program in them is run as it stands.

One service and one demonstration world serve all of them, for living through two weeks takes a while.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.process.serving.processes import environment, running

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("curl") is None, reason="the guides need curl"),
]


@pytest.fixture(scope="module")
def service():
    """The service as `make serve` runs it, on a data directory of its own, and a way to run a script beside it."""
    home = Path(tempfile.mkdtemp(prefix="sightline-tour-"))
    home.chmod(0o711)
    try:
        with running("serve", data_dir=home / "data", sandbox_latency_ms=20) as process:

            def run(command, **variables):
                settings = {**environment(data_dir=home / "data", port=process.port), **variables}
                return subprocess.run(
                    command, env=settings, capture_output=True, text=True, timeout=240, check=False, cwd=ROOT
                )

            run.url = process.url
            # Whichever guide comes first: the others build on the two weeks that the README makes up.
            built = run([sys.executable, "-m", "sightline", "demo", "--weeks", "2", "--json"])
            assert built.returncode == 0, built.stderr
            yield run
            process.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def blocks_of(document: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)


def as_script(blocks: list[str]) -> str:
    return "set -eu\n" + "".join(blocks).replace(".venv/bin/sightline", f"{sys.executable} -m sightline")


def fresh_key(service, name: str) -> str:
    done = service([sys.executable, "-m", "sightline", "demo", "--weeks", "0", "--json"])
    return json.loads(done.stdout)["keys"][name]


def test_the_tour_of_the_readme(service):
    """Every shell block of it after the two commands, run in order as a newcomer would."""
    done = service(["sh", "-c", as_script(blocks_of("README.md", "sh")[1:])])
    assert done.returncode == 0, done.stderr
    assert "SANDBOX ANSWERS" in done.stdout
    assert "Visibility Score" in done.stdout
    assert re.findall(r"HTTP/1.1 (\d+)", done.stdout) == ["200", "201", "201"]
    assert done.stdout.count("x-idempotent-replay: true") == 1
    for sign in ('"has_more":true', '"invalid_domain"', '"month_to_date"', '"next_check_at"', '"wrong_key_kind"'):
        assert sign in done.stdout, sign
    assert '"status":"completed"' in done.stdout and "brand_coverage_pct" in done.stdout
    assert '"source":"scoreboard"' in done.stdout and '"next_check_scope":"daily_check"' in done.stdout


def test_the_guide_to_the_console(service):
    """Every block of it: the shell ones in order, then the Python program on another domain."""
    done = service(["sh", "-c", as_script(blocks_of("docs/console.md", "sh"))])
    assert done.returncode == 0, done.stderr
    assert '"credits_required":3' in done.stdout and "event: end" in done.stdout
    assert re.search(r"^visibility_score +[0-9.]+ ", done.stdout, re.MULTILINE)
    assert '"status":"cancelled"' in done.stdout
    (program,) = blocks_of("docs/console.md", "python")
    done = service(
        [sys.executable, "-c", program, "globex.test"],
        SIGHTLINE_URL=service.url,
        SIGHTLINE_KEY=fresh_key(service, "console_test"),
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 10


def test_the_guide_to_the_data_api(service):
    """The shell blocks in order: gates, checks, scoreboard, proof, prompts, competitors, insights, reports."""
    done = service(["sh", "-c", as_script(blocks_of("docs/data.md", "sh"))])
    assert done.returncode == 0, done.stderr
    said = done.stdout
    assert '"code":"plan_required"' in said and '"reason":"scope"' in said
    assert len(re.findall(r"^\S+  Daily Check +completed", said, re.MULTILINE)) == 12
    assert len(re.findall(r"^\S+  Full Check +completed", said, re.MULTILINE)) == 3
    assert re.search(r"^scoreboard 20", said, re.MULTILINE) and re.search(r"^scan$", said, re.MULTILINE)
    assert re.search(r"^visibility_score +[0-9.]+  \([0-9.]+ to [0-9.]+, n = \d+\): [-+]", said, re.MULTILINE)
    assert re.search(r"^  \w+ +at \d+: (neutral|contrast|discouraged)$", said, re.MULTILINE)
    assert re.findall(r"HTTP/1.1 (\d+)", said) == ["201", "201", "201", "201", "409"]
    assert said.count("x-idempotent-replay: true") == 1
    first, replayed, twin = re.findall(r'"id":"([^"]+)"(?=[^}]*"prompt":"Which coffee keeps longest\?")', said)
    assert first == replayed == twin
    assert '"code":"language_conflict","language_code":"en"' in said
    assert f'{{"id":"{first}","deleted":true}}' in said
    assert '"user_confirmed":true' in said
    for what in ("themes", "recommendations", "opportunities"):
        assert re.search(rf"^{what} .*\[\d+ answers\]$", said, re.MULTILINE), what
    assert "<!doctype html>" in said and "%PDF-1." in said


def test_the_program_of_the_guide_to_the_data_api(service):
    (program,) = blocks_of("docs/data.md", "python")
    key = fresh_key(service, "data_starter")
    done = service([sys.executable, "-c", program], SIGHTLINE_URL=service.url, SIGHTLINE_KEY=key)
    assert done.returncode == 0, done.stderr
    assert re.match(r"initech\.com: [0-9.]+ \([0-9.]+ to [0-9.]+\), \d+ answers\n  (up|down|no clear)", done.stdout)
    assert len(re.findall(r"^ +\d+ of 4  ", done.stdout, re.MULTILINE)) == 8


def test_setting_up_a_domain_as_the_page_on_tracking_says(service):
    done = service(["sh", "-c", as_script(blocks_of("docs/tracking.md", "sh"))])
    assert done.returncode == 0, done.stderr
    assert re.search(r"The first check \S+ is queued: 22 answers\.", done.stdout)
    assert "initech.com is confirmed." in done.stdout
    assert re.search(r"umbrella\.com +Umbrella +active +2 +\S+ \S+ daily_check", done.stdout)
    assert re.search(r"suggested +[a-z]+\.\w+ .*detected", done.stdout)
