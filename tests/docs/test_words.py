"""Words that are wrong in every text of ours: archaic ones, and a space before a percent sign in English."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_ARCHAIC = ("anew", "afresh", "thereof", "whereof", "wherein", "hereby", "herewith", "whilst", "amongst", "henceforth")
_SPACED_PERCENT = re.compile(r"\d %(?= [a-z]|[.,;:)|\n])")
_FILES = ("*.md", "docs/*.md", "docs/[!a]*/*.md", "src/sightline/**/*.py", "src/sightline/**/templates/**/*.html")


def test_no_text_has_a_word_that_is_always_wrong():
    paths = {path for pattern in _FILES for path in ROOT.glob(pattern) if "versions" not in path.parts}
    found = {str(path.relative_to(ROOT)): list_wrong_words(path.read_text("utf-8")) for path in paths}
    assert len(paths) > 500 and {path: words for path, words in found.items() if words} == {}


def list_wrong_words(text):
    words = [word for word in _ARCHAIC if word in text and re.search(rf"\b{word}\b", text)]
    return words + (_SPACED_PERCENT.findall(text) if " %" in text else [])


def test_wrong_words_are_found():
    assert list_wrong_words("Written anew, 43.8 % of it.") == ["anew", "8 %"]
    assert list_wrong_words("Captain Janeway reads 43.8% and 5 % 3.") == []


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        ("docs/**/*.md", 45_000),
        ("ARCHITECTURE.md", 3_000),
        ("docs/contribute/where-things-are.md", 800),
        ("README.md", 350),
    ],
)
def test_the_documentation_stays_short(pattern, most):
    """Delete what another page, the app or the API reference says, or what nobody needs, before you add."""
    assert sum(len(file.read_text().split()) for file in ROOT.glob(pattern)) <= most
