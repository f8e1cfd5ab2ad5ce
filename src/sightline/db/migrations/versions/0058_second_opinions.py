"""Second opinions on uploaded files of answers. Housekeeping deletes them after a day."""

from sightline.db.migrations.steps import run_sql

revision = "0058"
down_revision = "0057"

STATEMENTS = """
CREATE TABLE second_opinions (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id           uuid NOT NULL,
    file_name    text NOT NULL,
    state        text NOT NULL CHECK (state IN ('uploaded', 'queued', 'done', 'failed')),
    request      bytea NOT NULL, -- JSON: the brands
    head         bytea NOT NULL, -- JSON: the columns, and a sample of each
    content      bytea,          -- the file, zlib; null once it was measured
    record       bytea,          -- the result, msgpack and zlib
    fault        text,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX second_opinions_by_expiry ON second_opinions (expires_at);
ALTER TABLE second_opinions ALTER content SET STORAGE EXTERNAL;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
