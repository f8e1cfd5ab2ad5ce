"""docs/reference/tables.md describes the tables as they are."""

from scripts.table_reference import PAGE, write_reference


def test_the_page_has_every_column():
    assert PAGE.read_text().endswith(write_reference()), "run: python -m scripts.table_reference"
