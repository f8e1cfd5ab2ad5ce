"""The pages of security controls are well formed, and every pointer leads to a file and to a test that exists."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "security"
PAGES = [FOLDER / name for name in ("application.md", "identity.md", "platform.md")]
LINES = [line for page in PAGES for line in page.read_text().splitlines()]
STATES = {"met", "not applicable", "not met"}
# Other text in backticks, such as the name of a header, is no pointer.
POINTER = re.compile(
    r"`((?:(?:src|tests|docs|scripts|requirements|bench|chaos|training|\.\w+)/[\w./-]+|[A-Z]+\.md|pyproject\.toml|Makefile)"
    r"(?:::\w+)*)(?:#[\w-]+)?`"
)


class Row(NamedTuple):
    id: str
    about: str
    state: str
    text: str

    @property
    def pointers(self) -> list[str]:
        return POINTER.findall(self.text)


def read_rows() -> list[Row]:
    """Return a row for each requirement of all tables. A row with another number of cells is an error."""
    lines = [line for line in LINES if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rows = [Row(*row) for row in cells if row[0] != "Requirement" and set(row[0]) != {"-"}]
    return [row._replace(id=name) for row in rows for name in list_ids(row.id)]


def list_ids(text: str) -> list[str]:
    """Return the ids of a first cell: one, or a range such as "V4.4.1 to V4.4.4"."""
    found = re.fullmatch(r"(V\d+\.\d+\.)(\d+) to \1(\d+)", text)
    return [f"{found[1]}{number}" for number in range(int(found[2]), int(found[3]) + 1)] if found else [text]


ROWS = read_rows()


@cache
def list_tests(file: Path) -> set[str]:
    """Return the names as pytest takes them: with the class, if a test is in one."""
    names = set()
    for node in ast.parse(file.read_text()).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        names |= {prefix + each.name for each in inner if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
    return names


def test_every_table_has_the_same_columns():
    headings = [line for line in LINES if line.startswith("| Requirement")]
    assert ROWS and set(headings) == {"| Requirement | About | State | Where or why |"}


def test_ids_are_unique_and_in_order():
    ids = [row.id for row in ROWS]
    assert all(re.fullmatch(r"V[1-9]\d?\.[1-9]\d?\.[1-9]\d?", name) for name in ids)
    numbers = [tuple(map(int, name.removeprefix("V").split("."))) for name in ids]
    assert numbers == sorted(set(numbers))


def test_a_state_has_what_it_needs():
    for row in ROWS:
        assert row.state in STATES and row.about, row.id
        if row.state == "met":
            assert row.pointers, f"no pointer: {row.id}"
        else:
            assert re.search(r"\w+ \w+", POINTER.sub("", row.text)), f"no reason: {row.id}"


def test_every_pointer_leads_to_a_file_and_a_test():
    for row in ROWS:
        for pointer in row.pointers:
            path, _, name = pointer.partition("::")
            assert (ROOT / path).exists(), (row.id, path)
            assert not name or name in list_tests(ROOT / path), (row.id, pointer)
        # What looks like a pointer to a test must be one, or it would not be checked.
        assert row.text.count("::") == sum(pointer.count("::") for pointer in row.pointers), row.id


def test_the_overview_counts_the_states_of_each_chapter():
    text = (FOLDER / "controls.md").read_text()
    for chapter in {row.id.partition(".")[0] for row in ROWS}:
        states = [row.state for row in ROWS if row.id.startswith(f"{chapter}.")]
        counts = " | ".join(str(states.count(state)) for state in ("met", "not applicable", "not met"))
        assert re.search(rf"^\| {chapter}: [^|]+ \| {re.escape(counts)} \|", text, re.MULTILINE), chapter
    met, other, missing = (sum(row.state == state for row in ROWS) for state in ("met", "not applicable", "not met"))
    assert f"Of the {len(ROWS)} requirements, {met} are met, {other} do not apply, and {missing} are not met." in text
