"""Rules for the tests themselves: they use what is public, and say why where they replace something."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCES = [TESTS.parent / "src" / "sightline", TESTS.parent / "sdk" / "python" / "src" / "sightline_sdk"]
PACKAGES = {folder.name for folder in SOURCES}
REPLACING = {"setattr", "delattr", "setitem", "delitem"}
"""Methods of `monkeypatch`, under whatever name a test has it."""
_IS_PRIVATE = re.compile(r"_[A-Za-z0-9]\w*").fullmatch
_DEFINITION = re.compile(
    r"^ *(?:async )?(?:def|class) (_[^\W_]\w*)|^(_[^\W_]\w*)\b[^=\n]*=|self\.(_[^\W_]\w*)", re.MULTILINE
)
_SUSPECT = re.compile(
    rf"[\w)]\._[a-z]|import .*\b_|\b(?:{'|'.join(REPLACING)}|unittest)\b|^ *\w+\.\w+ = ", re.MULTILINE | re.IGNORECASE
)


@cache
def list_private_names() -> frozenset[str]:
    """Return the private names that our packages define."""
    texts = [file.read_text() for folder in SOURCES for file in folder.rglob("*.py")]
    found = {name for text in texts for names in _DEFINITION.findall(text) for name in names}
    return frozenset(found - {"", "_replace", "_asdict", "_fields"})  # those of named tuples are public


def is_ours(dotted: str | None) -> bool:
    return dotted is not None and dotted.partition(".")[0] in PACKAGES


def find_private_use(tree: ast.Module) -> list[int]:
    """Return the lines that import or name something private of our packages."""
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    private = list_private_names() - own
    lines = []
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=module, names=aliases) if is_ours(module):
                used = any(_IS_PRIVATE(name) for name in [*module.split("."), *(alias.name for alias in aliases)])
            case ast.Attribute(value=value, attr=name):
                used = name in private and not (isinstance(value, ast.Name) and value.id in {"self", "cls"})
            case ast.Call(func=ast.Attribute(attr=method), args=[*given]) if method in REPLACING:
                names = [each.value for each in given[:2] if isinstance(each, ast.Constant)]
                used = any(part in private for name in names if isinstance(name, str) for part in name.split("."))
            case _:
                continue
        if used:
            lines.append(node.lineno)
    return lines


def find_unexplained_replacements(tree: ast.Module, text: str) -> list[int]:
    """Return the lines that replace something and have no comment on the line before."""
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (is_ours(node.module) or node.module == "unittest.mock")
        for alias in node.names
    }
    lines, found = text.splitlines(), []
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=method)) if method in REPLACING:
                pass
            case ast.Call(func=ast.Name(id="patch") | ast.Attribute(value=ast.Name(id="patch"))) if "patch" in imported:
                pass
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))]) if name in imported:
                pass
            case _:
                continue
        if not lines[node.lineno - 2].lstrip().startswith("#"):
            found.append(node.lineno)
    return found


def find_faults(text: str) -> tuple[list[int], list[int]]:
    if not _SUSPECT.search(text):  # parsing all tests takes seconds
        return [], []
    tree = ast.parse(text)
    return find_private_use(tree), find_unexplained_replacements(tree, text)


def test_tests_use_what_is_public_and_explain_what_they_replace():
    private, unexplained = [], []
    for file in sorted(TESTS.rglob("*.py")):
        place, (used, replaced) = file.relative_to(TESTS), find_faults(file.read_text())
        private += [f"{place}:{line}" for line in used]
        unexplained += [f"{place}:{line}" for line in replaced]
    assert private == [], "test through public functions, or make the name public"
    assert unexplained == [], "say on the line before why nothing else will do, or use the real thing"


@pytest.mark.parametrize(
    "text",
    [
        "from sightline.credits.export import _rows",
        "from sightline_sdk._models import Page",
        "installation.db._acquire()",
        "monkeypatch.setattr('sightline.db.engine._RELEASE_SECONDS', 1)",
        "monkeypatch.setattr(engine, '_RELEASE_SECONDS', 1)",
        "monkeypatch.delattr(engine, '_RELEASE_SECONDS')",
    ],
)
def test_private_use_is_found(text):
    assert find_faults(f"# why\n{text}\n")[0] == [2]


@pytest.mark.parametrize(
    "text",
    [
        "monkeypatch.setattr(engine, 'skip_reset', None)",
        "patch.setitem(PROVIDERS, 'local', None)",
        "from sightline.accounts import passwords\npasswords.hasher = None",
        "from unittest.mock import patch\npatch.dict(os.environ)",
    ],
)
def test_an_unexplained_replacement_is_found_and_an_explained_one_accepted(text):
    *before, replacement = text.splitlines()
    assert find_faults("\n".join(["", *before, replacement]))[1] == [len(before) + 2]
    assert find_faults("\n".join([*before, "# why", replacement]))[1] == []


def test_private_names_of_a_test_itself_are_its_own_affair():
    own = "class Steps:\n    def _acquire(self):\n        self._url = 1\n\nSteps()._acquire()"
    assert find_faults(own) == ([], [])
