"""The interfaces read with the queries of a feature, but write only through the feature's own functions."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from sightline.db.engine import Reader

SOURCE = Path(__file__).parents[1] / "src" / "sightline"
INTERFACES = ("api", "cli", "mcp", "web")


def list_used_queries(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each function of a `queries` module that the code imports or calls."""
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if node.module.endswith("queries"):
                    yield node.module, alias.name
                elif alias.name.endswith("queries"):
                    modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr


def is_read(module: str, name: str) -> bool:
    found = getattr(import_module(module), name)
    if inspect.isclass(found):
        return True  # a row
    parameter = next(iter(inspect.signature(found).parameters.values()))
    return bool(parameter.annotation is Reader)


def test_interfaces_call_reads_alone():
    files = [file for name in INTERFACES for file in sorted((SOURCE / name).rglob("*.py"))]
    used = {found: file for file in files for found in list_used_queries(ast.parse(file.read_text()))}
    assert len(used) > 10, "the search finds what is imported"
    assert {
        f"{file.relative_to(SOURCE)}: {name}" for (module, name), file in used.items() if not is_read(module, name)
    } == set()


def test_a_write_is_found():
    assert not is_read("sightline.accounts.queries", "insert_user")
    assert is_read("sightline.accounts.queries", "list_guests")
    one = ast.parse("from sightline.accounts import queries\nqueries.insert_user(tx)")
    assert list(list_used_queries(one)) == [("sightline.accounts.queries", "insert_user")]
