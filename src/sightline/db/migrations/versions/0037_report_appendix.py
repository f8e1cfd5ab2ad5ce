"""Store reports with their appendix next to the short ones."""

from sightline.db.migrations.steps import run_sql

revision = "0037"
down_revision = "0036"

STATEMENTS = """
-- Null in reports from before: their html and pdf hold everything.
ALTER TABLE reports ADD COLUMN appendix_html text, ADD COLUMN appendix_pdf bytea
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
