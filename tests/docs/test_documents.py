"""The documents are true: every setting is explained, every link works, and figures are current."""

import re
import tomllib
from pathlib import Path

import pytest

from scripts.metrics_page.page import PAGE, build_pictures, render_page
from sightline.api.app import OPERATIONS
from sightline.presentation.changes import VERDICT_WORDS
from sightline.scoreboard.schemas import ComparedHeadline
from sightline.settings import FORMER_NAMES, REMOVED, Settings

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_LIST_ITEM = re.compile(r"(?:[-+*]|\d+[.)]) ")
_INTERRUPTION = re.compile(r"(?:[-+*]|1[.)]) ")  # of the numbers, only 1 begins a list inside a paragraph


def test_every_setting_is_explained_with_its_default():
    text = (ROOT / "docs" / "reference" / "configuration.md").read_text()
    for name, field in Settings.model_fields.items():
        row = re.search(rf"^- `SIGHTLINE_{name.upper()}` \(([^)]*)\)", text, re.MULTILINE)
        assert row, name
        if isinstance(field.default, int):
            assert f"{field.default}" in re.sub(r"[,` ]", "", row[1]), f"{name}: {row[1]}"
    named = set(re.findall(r"`SIGHTLINE_([A-Z_]+)`", text))
    former = {name.removeprefix("SIGHTLINE_") for name in (*FORMER_NAMES, *REMOVED)}
    assert named - {"ROOT_STORE"} - former <= {name.upper() for name in Settings.model_fields}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_line_of_a_paragraph_becomes_a_list(document):
    assert list_broken_lines(document.read_text()) == []


def list_broken_lines(text):
    """Return the lines that Markdown takes for a list item, though they continue a paragraph or a formula."""
    prose = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    blocks = [block.splitlines() for block in re.split(r"\n\s*\n", prose.strip("\n"))]
    paragraphs = [lines for lines in blocks if not lines[0].startswith(" ") and not _LIST_ITEM.match(lines[0])]
    broken = [line for lines in paragraphs for line in lines[1:] if _INTERRUPTION.match(line)]
    return broken or re.findall(r"^ *\+ .*", prose, re.MULTILINE)  # our lists have dashes


def test_broken_lines_are_found():
    assert list_broken_lines("Priority is 100 · (0.4\n+ 0.3) = 70.") == ["+ 0.3) = 70."]
    assert list_broken_lines("The change is 3\n- 2 points.") == ["- 2 points."]
    assert list_broken_lines("1. A step with (l\n   + g) cells\n2. Next") == ["   + g) cells"]
    assert list_broken_lines("Two:\n\n- one\n- two\n\n```text\n+ three\n```") == []


def test_only_living_decisions_are_cited():
    folders = [ROOT / name for name in ("src/sightline", "tests", "scripts", "bench", "docs/adr")]
    files = [file for folder in folders for kind in ("*.py", "*.sql", "0*.md") for file in folder.rglob(kind)]
    cited = {number for file in (*files, *ROOT.glob("*.md")) for number in re.findall(r"\bADR (\d+)", file.read_text())}
    living = {str(int(file.name[:4])) for file in (ROOT / "docs" / "adr").glob("0*.md")}
    assert len(cited) > 5 and cited <= living


def test_every_runtime_dependency_has_a_reason():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    reasons = (ROOT / "ARCHITECTURE.md").read_text()
    for requirement in declared:
        name = re.match(r"[a-z0-9.-]+", requirement)[0]
        assert f"`{name}`" in reasons, name


def test_no_lock_file_names_an_index():
    for lock in (ROOT / "requirements").glob("*.txt"):
        assert not re.search(r"https?://|file:|--index|--find-links", lock.read_text()), lock.name


def test_the_page_of_the_metrics_has_the_texts_of_the_registry_and_the_figures_of_the_functions():
    """The examples are computed again. After a change, run `python -m scripts.metrics_page`."""
    assert PAGE.read_text() == render_page()
    written = {file.name: file.read_text() for file in (PAGE.parent / "images").iterdir()}
    assert written == build_pictures()


def test_every_figure_of_analytics_is_a_metric_of_the_registry():
    text = " ".join("".join(file.read_text() for file in PAGE.parent.glob("*.md")).split())
    for key in (*ComparedHeadline.__struct_fields__, "surface_rate", "sentiment", "net_sentiment"):
        assert f"- Key: `{key}`;" in text, key
    for word in (*VERDICT_WORDS.values(), "Trend only", "matched cells"):
        assert word in text, word


def test_the_reference_says_the_order_of_every_list():
    lists = [each for each in OPERATIONS if each.api == "data" and each.paged and each.resource.name != "Tables"]
    unordered = [each.path for each in lists if not re.search(r"\b(first|best|latest|sorted)\b", each.description)]
    assert len(lists) > 15 and unordered == []


def test_the_reasons_for_dependencies_quote_no_measurement():
    """A ratio needs a benchmark that can be repeated, and `bench/` has none for packages that are not used."""
    text = (ROOT / "ARCHITECTURE.md").read_text().partition("## Runtime dependencies")[2]
    assert not re.findall(r"\btimes (?:as|the|faster)\b|\d%|\b(?:twice|half|third|tenth|sixteenth)\b", text)


def test_every_file_of_the_map_exists():
    """docs/contribute/where-things-are.md names the files of each change."""
    text = (ROOT / "docs" / "contribute" / "where-things-are.md").read_text()
    files = re.findall(r"`([\w./-]+\.\w+)`", text.partition("\n## ")[0])
    assert len(files) >= 40
    for file in files:
        assert any((folder / file).is_file() for folder in (ROOT / "src" / "sightline", ROOT)), file
