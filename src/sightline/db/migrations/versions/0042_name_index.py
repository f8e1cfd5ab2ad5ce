"""Store an index of the words of a scan's answers, by which a rename finds those that it concerns."""

from sightline.db.migrations.steps import run_sql

revision = "0042"
down_revision = "0041"

STATEMENTS = """
-- Null: all answers are analyzed again, and the index is made then. Compressed already.
ALTER TABLE scan_results ADD COLUMN name_index bytea;
ALTER TABLE scan_results ALTER COLUMN name_index SET STORAGE EXTERNAL
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
