"""Store the rows of finished checks in the flat tables, built when a check is finished."""

from sightline.db.migrations.steps import run_sql

revision = "0051"
down_revision = "0050"

STATEMENTS = """
-- The rows of a completed check of a tracked domain in one flat table (ADR 49). Workers build those of earlier checks.
CREATE TABLE scan_rows (
    workspace_id uuid NOT NULL,
    scan_id      uuid NOT NULL,
    name         text NOT NULL, -- of the table; or prompts and cells, which are parts of several tables
    rows         jsonb NOT NULL,
    PRIMARY KEY (workspace_id, scan_id, name),
    FOREIGN KEY (workspace_id, scan_id) REFERENCES scans
)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
