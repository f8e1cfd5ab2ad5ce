"""`python -m scripts.table_reference`: write the columns of all tables into docs/reference/tables.md."""

from pathlib import Path

from sightline.tables.catalog import TABLES

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "tables.md"
HEADING = "## Columns\n"


def write_reference() -> str:
    """Return the part of the page that describes the columns."""
    lines = [HEADING]
    for table in TABLES.values():
        lines += [f"### {table.name}\n", f"{table.meaning}\n", "| Column | Type | Meaning |", "|---|---|---|"]
        lines += [f"| `{column.name}` | {column.type} | {column.meaning} |" for column in table.columns]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    kept = PAGE.read_text().partition(HEADING)[0]
    PAGE.write_text(kept + write_reference())
