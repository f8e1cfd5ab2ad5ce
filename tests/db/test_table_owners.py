"""Each table has one owner: the only package whose code inserts, updates or deletes its rows.

Other packages call a function of the owner. docs/contribute/where-things-are.md lists the owners.
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "sightline"
MAP = Path(__file__).parents[2] / "docs" / "contribute" / "where-things-are.md"

# They write the tables of others because that is what they are for.
EXCEPT = {
    "db/migrations": "they move the rows of every table",
    "backups/restore.py": "it copies whole tables",
}
# Statements whose table is a variable, and what it can be.
VARIABLE_TABLES = {
    "insights/queries.py": {"themes", "recommendations", "alerts", "opportunities", "drawn_insights"},
    "insights/editor/queries.py": {"editor_replies", "codebook_themes", "editions"},
}
# Triggers write them, for the package that reads them.
BY_TRIGGERS = {"table_changes": "tables", "domain_changes": "tables", "prompt_tags_seen": "tables"}

_WRITES = re.compile(
    r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?|COPY)\s+(?:ONLY\s+)?(\w+|\{\})"
)
_COPIES = re.compile(r"\.copy_(?:records_)?to_table\(")


def list_texts(tree):
    """Return the strings of a module, with `{}` for each value that is put into one."""
    inside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside.update(map(id, node.values))
            yield "".join(each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


def list_written_tables(path, tables):
    source = path.read_text()
    name = path.relative_to(SOURCE).as_posix()
    written = {match for text in list_texts(ast.parse(source)) for match in _WRITES.findall(text)}
    if "{}" in written:
        assert name in VARIABLE_TABLES, f"{name} writes a table whose name is a variable"
        written |= VARIABLE_TABLES[name]
    assert not _COPIES.search(source), f"{name} copies rows into a table"
    return written & tables


async def read_tables(db):
    rows = await db.fetch(
        """SELECT c.relname FROM pg_class c
           WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"""
    )
    return {row[0] for row in rows} - {"alembic_version"}  # Alembic writes it


def read_map():
    section = MAP.read_text().partition("## Who writes a table")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z_]+)(?:/|\.py)` \| (.+) \|$", section, re.MULTILINE)
    return {table: owner for owner, cells in rows for table in re.findall(r"`(\w+)`", cells)}


async def test_one_package_writes_each_table_and_the_map_names_it(installation):
    tables = await read_tables(installation.db)
    owners = defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith(tuple(EXCEPT)):
            for table in list_written_tables(path, tables):
                owners[table].add(name.removesuffix(".py").partition("/")[0])
    assert {table: found for table, found in owners.items() if len(found) > 1} == {}
    assert {table: found.pop() for table, found in owners.items()} | BY_TRIGGERS == read_map()
    assert set(read_map()) == tables


def test_the_picture_shows_references_that_there_are():
    picture = re.search(r"```mermaid\n(.*?)```", MAP.read_text(), re.DOTALL)[1]
    schema = (SOURCE / "db" / "schema.sql").read_text()
    tables = dict(re.findall(r"^CREATE (?:UNLOGGED )?TABLE (\w+) \((.*?)^\)", schema, re.DOTALL | re.MULTILINE))
    lines = [re.split(r" (-->|-\.->) ", line.strip()) for line in picture.splitlines()[1:]]
    arrows = [
        (line[at], line[at + 1], to)
        for line in lines
        for at in range(0, len(line) - 1, 2)
        for to in line[at + 2].split(" & ")
    ]
    assert len(arrows) > 20
    for whole, arrow, part in arrows:
        kept = f"REFERENCES {whole}(" if arrow == "-->" else f" {whole.removesuffix('s')}_id "
        assert kept in tables[part], (whole, part)
        assert arrow == "-->" or f"REFERENCES {whole}(" not in tables[part], (whole, part)
