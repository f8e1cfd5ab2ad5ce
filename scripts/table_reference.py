"""`python -m scripts.table_reference`: write the columns of all tables into docs/reference/tables.md."""

from collections.abc import Iterable
from pathlib import Path

from sightline.tables.catalog import TABLES
from sightline.tables.models import Column

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "tables.md"
HEADING = "## Columns of every table\n"
_LINKS = {
    "answers": "[Visibility Score](../measure/metrics.md#visibility-score) has the formula of `visibility`.\n",
    "recommendations": "[Recommendations](../guides/data-api-insights.md#recommendations) explains every `kind`.\n",
    "alerts": "[Alerts](../guides/data-api-insights.md#alerts) explains every `type`.\n",
}
"""Links for readers of the page. The texts of the catalog are also served by the API, where they would not work."""


def write_reference() -> str:
    """Return the part of the page that describes the columns: first those of every table, then the others."""
    first, *others = TABLES.values()
    shared = [column for column in first.columns if all(column in table.columns for table in others)]
    lines = [
        HEADING,
        "Every table begins with the first three of these columns. Its own columns follow, and then the other five.\n",
        *_write_columns(shared),
        "## Columns of individual tables\n",
    ]
    for table in TABLES.values():
        lines += [f"### {table.name}\n", f"{table.meaning}\n"]
        if table.name in _LINKS:
            lines.append(_LINKS[table.name])
        lines += _write_columns(column for column in table.columns if column not in shared)
    return "\n".join(lines)


def _write_columns(columns: Iterable[Column]) -> list[str]:
    rows = [f"| `{column.name}` | {column.type} | {column.meaning} |" for column in columns]
    return ["| Column | Type | Meaning |", "|---|---|---|", *rows, ""]


if __name__ == "__main__":
    kept = PAGE.read_text().partition(HEADING)[0]
    PAGE.write_text(kept + write_reference())
