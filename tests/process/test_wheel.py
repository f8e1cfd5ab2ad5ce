"""The wheel of the server, installed as a user installs it: everything works, and nothing of the checkout is needed."""

import hashlib
import json
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from packaging.requirements import Requirement

from sightline import __version__
from tests.clean_environment import (
    build_wheel,
    create_environment,
    find_packages,
    install,
    read_requirements,
    unpack_source_archive,
)
from tests.process.serving.processes import environment, running

ROOT = Path(__file__).parents[2]
ANSWERS = [
    {
        "id": 1,
        "prompt": "best crm",
        "platform": "chatgpt",
        "text": "Acme is a great, reliable CRM. Its reports are superb.",
    },
    {
        "id": 2,
        "prompt": "best crm",
        "platform": "gemini",
        "text": "Acme is slow and unreliable, and its support is terrible.",
    },
]


def compute_digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def wait_for_pdf(url: str, key: str, domain_id: str) -> bytes:
    """Return the report of a domain's first check as PDF, as the Data API sends it once a worker has written it."""
    reports = f"{url}/api/v1/ext/domains/{domain_id}/reports"
    with httpx.Client(headers={"X-API-Key": key}, timeout=60) as client:
        deadline = time.monotonic() + 90
        while not (written := client.get(reports).json()["data"]):
            assert time.monotonic() < deadline, "no report was written"
            time.sleep(1)
        return client.get(f"{reports}/{written[0]['id']}.pdf").content


@pytest.mark.slow
@pytest.mark.timeout(480)
def test_the_wheel_alone_serves_checks_analyzes_and_writes_reports(tmp_path):
    wheel = build_wheel(ROOT, tmp_path / "dist")
    assert wheel.stat().st_size < 60_000_000
    # Packagers build from the source archive: it has to be complete, and to give the same bytes.
    rebuilt = build_wheel(unpack_source_archive(ROOT, tmp_path / "source"), tmp_path / "rebuilt")
    assert compute_digest(rebuilt) == compute_digest(wheel)

    python = create_environment(tmp_path / "clean", *map(str, read_requirements(Requirement("sightline-ai"))))
    install(wheel, python)
    data_dir = tmp_path / "data"

    def run(*arguments: str | Path) -> str:
        command = [python.with_name("sightline"), *arguments]
        settings = environment(data_dir=data_dir, sandbox_latency_ms=0)
        done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = subprocess.check_output(
        [python, "-c", "import sightline; print(sightline.__file__)"], cwd=tmp_path, text=True
    )
    assert Path(where).parents[1] == find_packages(python)
    assert run("--version").strip() == __version__

    run("check", "acme.com", "--platform", "chatgpt", "--save", "check.html")
    assert (tmp_path / "check.html").read_text().count("<svg") > 1  # the charts
    (tmp_path / "answers.jsonl").write_text("\n".join(json.dumps(answer) for answer in ANSWERS))
    analyzed = json.loads(run("analyze", "answers.jsonl", "--brand", "Acme=acme.com", "--json"))
    assert analyzed["figures"]["sentiment"]["labels"] == {"negative": 1, "neutral": 0, "positive": 1}
    assert analyzed["answers"][0]["brands"][0]["sentiment"]["scorer"].startswith("model")

    command = [str(python.with_name("sightline")), "serve"]
    with running(command=command, data_dir=data_dir, sandbox_latency_ms=0) as service:
        assert httpx.get(f"{service.url}/readyz").status_code == 200
        assert httpx.get(f"{service.url}/docs/guides/python-sdk").status_code == 200
        demo = json.loads(run("demo", "--weeks", "0", "--json"))
        workspace = demo["workspaces"]["agency"]["id"]
        domain_id = json.loads(run("domain", "add", "umbrella.com", "--workspace", workspace, "--json"))["id"]
        run("domain", "setup", domain_id, "--language", "en", "--prompt", "Which umbrella lasts longest?")
        assert wait_for_pdf(service.url, demo["keys"]["data_agency_read"], domain_id).startswith(b"%PDF-")
        service.stop()
