"""Let members add a paragraph to a report, and name who does its next actions."""

from sightline.db.migrations.steps import run_sql

revision = "0053"
down_revision = "0052"

STATEMENTS = """
ALTER TABLE reports ADD COLUMN note text;
ALTER TABLE reports ADD COLUMN owners text[] NOT NULL DEFAULT '{}';
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
