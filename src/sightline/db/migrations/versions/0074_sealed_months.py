"""Sealed months: answers that left the database for Parquet files, and the retention of new installations."""

from sightline.db.migrations.steps import run_sql

revision = "0074"
down_revision = "0073"

# An installation without people is new: nothing that it has yet could be removed by the defaults.
STATEMENTS = """
CREATE TABLE sealed_months (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    month date NOT NULL,
    seal uuid NOT NULL,
    scans integer NOT NULL,
    files jsonb NOT NULL,
    sealed_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, month, seal)
);
ALTER TABLE scans ADD COLUMN answers_sealed_at timestamptz;
CREATE INDEX scans_sealed ON scans (workspace_id, domain_id, id) WHERE answers_sealed_at IS NOT NULL;
ALTER TABLE installation ADD COLUMN has_default_retention boolean DEFAULT false NOT NULL;
UPDATE installation SET has_default_retention = true WHERE NOT EXISTS (SELECT FROM users);
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
