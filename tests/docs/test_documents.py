"""What the documents say is true: the tour runs, every setting is explained, every link leads somewhere."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest

from sightline.answers.gold import evaluate, own_set
from sightline.cli.metrics import render_page
from sightline.metrics.registry import REGISTRY
from sightline.settings import Settings
from tests.processes.running import environment, running

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def test_every_setting_is_explained_with_its_default():
    text = (ROOT / "docs" / "configuration.md").read_text()
    for name, field in Settings.model_fields.items():
        row = re.search(rf"^\| `SIGHTLINE_{name.upper()}` \|([^|]*)\|", text, re.MULTILINE)
        assert row, name
        if isinstance(field.default, int):
            assert f"{field.default}" in re.sub(r"[,` ]", "", row[1]), f"{name}: {row[1]}"
    named = set(re.findall(r"`SIGHTLINE_([A-Z_]+)`", text))
    internal = {"EMBEDDED_FAST", "ROOT_STORE", "TEST_CRASH_AT", "TEST_DATABASE_URL"}
    assert named - internal <= {name.upper() for name in Settings.model_fields}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (document.parent / target).exists(), target


def test_every_runtime_dependency_has_a_reason():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    reasons = (ROOT / "ARCHITECTURE.md").read_text()
    for requirement in declared:
        name = re.match(r"[a-z0-9-]+", requirement)[0]
        assert f"`{name}`" in reasons, name


def test_no_lock_file_names_an_index():
    for lock in (ROOT / "requirements").glob("*.txt"):
        assert not re.search(r"https?://|file:|--index|--find-links", lock.read_text()), lock.name


@pytest.fixture
def service():
    """The service as `make serve` runs it, on a data directory of its own, and a way to run a script beside it."""
    home = Path(tempfile.mkdtemp(prefix="sightline-tour-"))
    home.chmod(0o711)
    try:
        with running("serve", data_dir=home / "data", sandbox_latency_ms=20) as process:

            def run(command, **variables):
                settings = {**environment(data_dir=home / "data", port=process.port), **variables}
                return subprocess.run(
                    command, env=settings, capture_output=True, text=True, timeout=100, check=False, cwd=ROOT
                )

            run.url = process.url
            yield run
            process.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


def blocks_of(document: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)


def as_script(blocks: list[str]) -> str:
    return "set -eu\n" + "".join(blocks).replace(".venv/bin/sightline", f"{sys.executable} -m sightline")


needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="the tour needs curl")


@needs_curl
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


@needs_curl
def test_the_guide_to_the_console(service):
    """Every block of it: the shell ones in order, then the Python program on another domain."""
    done = service(["sh", "-c", as_script(blocks_of("docs/console.md", "sh"))])
    assert done.returncode == 0, done.stderr
    assert '"credits_required":3' in done.stdout and "event: end" in done.stdout
    assert re.search(r"^visibility_score +[0-9.]+ ", done.stdout, re.MULTILINE)
    assert '"status":"cancelled"' in done.stdout
    demo = json.loads(service([sys.executable, "-m", "sightline", "demo", "--json"]).stdout)
    (program,) = blocks_of("docs/console.md", "python")
    done = service(
        [sys.executable, "-c", program, "globex.test"],
        SIGHTLINE_URL=service.url,
        SIGHTLINE_KEY=demo["keys"]["console_test"],
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 10


def test_the_page_of_the_metrics_is_the_registry():
    """Made by `sightline metrics --markdown > docs/metrics.md`."""
    assert (ROOT / "docs" / "metrics.md").read_text() == render_page(list(REGISTRY.values()))


def test_the_figures_of_the_gold_set_are_those_of_the_extractor():
    """docs/measuring.md shows what `sightline gold` prints, to two decimals."""
    groups = evaluate(own_set()).summary()
    text = (ROOT / "docs" / "measuring.md").read_text()
    for group in ("all", "unambiguous", "ambiguous"):
        row = re.search(rf"^\| {group} names? ?\|(.*)\|$", text, re.MULTILINE)
        assert row, group
        shown = [float(cell) for cell in row[1].split("|")]
        keys = ("names", "mention_precision", "mention_recall", "rank_exact", "stance_exact", "cited_urls_exact")
        expected = [groups[group][key] for key in keys]
        assert shown == pytest.approx(expected, abs=0.0006), group
