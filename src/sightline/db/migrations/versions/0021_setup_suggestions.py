"""Create suggested prompts of set-ups, and how many were requested."""

from sightline.db.migrations.steps import run_sql

revision = "0021"
down_revision = "0020"

STATEMENTS = """
-- What a platform suggested for a domain and an input, so that the same input asks nobody again. Kept for 30 days.
CREATE TABLE setup_suggestions (
    workspace_id   uuid NOT NULL,
    domain_id      uuid NOT NULL,
    digest         bytea NOT NULL,  -- of the input
    requested_at   timestamptz NOT NULL,
    prompts        text[],          -- null until a worker has answered
    language       text,
    note           text,
    from_templates integer NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, domain_id, digest),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- Requests of a workspace on a day (UTC). Its plan limits them.
CREATE TABLE suggestion_days (
    workspace_id uuid NOT NULL,
    day          date NOT NULL,
    requests     integer NOT NULL,
    PRIMARY KEY (workspace_id, day)
)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
