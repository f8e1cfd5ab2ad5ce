"""What the documents say is true: the tour runs, every setting is explained, every link leads somewhere."""

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
    internal = {"EMBEDDED_FAST", "ROOT_STORE", "TEST_DATABASE_URL"}
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


@pytest.mark.skipif(shutil.which("curl") is None, reason="the tour needs curl")
def test_the_tour_of_the_readme():
    """Every shell block of it after the two commands, run in order as a newcomer would."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1:]
    script = "set -eu\n" + "".join(blocks).replace(".venv/bin/sightline", f"{sys.executable} -m sightline")
    home = Path(tempfile.mkdtemp(prefix="sightline-tour-"))
    home.chmod(0o711)
    try:
        with running("serve", data_dir=home / "data") as process:
            settings = environment(data_dir=home / "data", port=process.port)
            done = subprocess.run(
                ["sh", "-c", script], env=settings, capture_output=True, text=True, timeout=90, check=False, cwd=ROOT
            )
            process.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)
    assert done.returncode == 0, done.stderr
    assert "SANDBOX ANSWERS" in done.stdout
    assert "Visibility Score" in done.stdout
    assert re.findall(r"HTTP/1.1 (\d+)", done.stdout) == ["200", "201", "201"]
    assert done.stdout.count("x-idempotent-replay: true") == 1
    for sign in ('"has_more":true', '"invalid_domain"', '"month_to_date"', '"next_check_at"', '"wrong_key_kind"'):
        assert sign in done.stdout, sign


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
