"""Let a report be without its PDFs, which their first request makes."""

from sightline.db.migrations.steps import run_sql

revision = "0049"
down_revision = "0048"

STATEMENTS = "ALTER TABLE reports ALTER COLUMN pdf DROP NOT NULL"


def upgrade() -> None:
    run_sql(STATEMENTS)
