"""Imported weeks: the figures of a second opinion, kept as the first weeks of a tracked domain."""

from sightline.db.migrations.steps import run_sql

revision = "0061"
down_revision = "0060"

STATEMENTS = """
CREATE TABLE imported_weeks (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    first_day    date NOT NULL, -- a Monday
    last_day     date NOT NULL,
    file_name    text NOT NULL,
    platforms    text[] NOT NULL,
    figures      bytea NOT NULL, -- JSON: the headline
    kept_at      timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain_id, first_day),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains (workspace_id, id)
);
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
