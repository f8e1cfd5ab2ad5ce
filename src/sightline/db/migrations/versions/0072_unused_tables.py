"""Drop two empty tables that no process uses, and let a report be without its page, which its readers make."""

from sightline.db.migrations.steps import run_sql

revision = "0072"
down_revision = "0071"

STATEMENTS = """
DROP TABLE kept_forms;
DROP TABLE judged_answers;
ALTER TABLE reports ALTER COLUMN html DROP NOT NULL;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
