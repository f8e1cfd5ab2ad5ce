"""Create traces of themes."""

from sightline.db.migrations.steps import run_sql

revision = "0013"
down_revision = "0012"

STATEMENTS = """
-- Which cells of the latest Full Check state which aspects of the brand. The next one compares with it and replaces it.
CREATE TABLE theme_traces (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    scan_id      uuid NOT NULL,
    trace        bytea NOT NULL, -- JSON
    PRIMARY KEY (workspace_id, domain_id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
