"""`python -m scripts.table_reference`: write the columns of all tables into docs/reference/tables.md."""

from collections import Counter
from pathlib import Path

from sightline.tables.catalog import TABLES
from sightline.tables.models import Column

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "tables.md"
HEADING = "## Columns of every table\n"
_LINKS = {
    "answers": "[Visibility Score](../measure/metrics.md#visibility-score) has the formula of `visibility`.\n",
}
"""Links for readers of the page. The texts of the catalog are also served by the API, where they would not work."""


def write_reference() -> str:
    """Return the part of the page that describes the columns: each once, even if several tables have it."""
    first, *others = TABLES.values()
    everywhere = [column for column in first.columns if all(column in table.columns for table in others)]
    counted = Counter(column for table in TABLES.values() for column in table.columns)
    repeated = [column for column, times in counted.items() if times > 1 and column not in everywhere]
    lines = [
        HEADING,
        "Every table begins with the first three of these columns. Its own columns follow, and then the other five.\n",
        *map(_write_column, everywhere),
        "\n## Columns of several tables\n",
        *map(_write_column, repeated),
        "\n## Columns of individual tables\n",
        "The API lists the columns of a table in their order.\n",
    ]
    for table in TABLES.values():
        also = ", ".join(f"`{column.name}`" for column in table.columns if column in repeated)
        own = [column for column in table.columns if column not in everywhere and column not in repeated]
        lines += [f"### {table.name}\n", f"{table.meaning}\n"]
        if table.name in _LINKS:
            lines.append(_LINKS[table.name])
        lines += [*map(_write_column, own), *([f"- Columns of several tables: {also}."] if also else []), ""]
    return "\n".join(lines)


def _write_column(column: Column) -> str:
    return f"- `{column.name}` ({column.type}): {column.meaning}"


if __name__ == "__main__":
    kept = PAGE.read_text().partition(HEADING)[0]
    PAGE.write_text(kept + write_reference())
