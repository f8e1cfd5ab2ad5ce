"""Create corrections of answers."""

from sightline.db.migrations.steps import run_sql

revision = "0007"
down_revision = "0006"

STATEMENTS = """
-- What somebody corrected in an answer. The answer may be removed later: the correction stays, with its words.
CREATE TABLE corrections (
    workspace_id uuid NOT NULL,
    id           uuid NOT NULL,
    domain_id    uuid NOT NULL,
    scan_id      uuid NOT NULL,
    answer_id    uuid NOT NULL,
    kind         text NOT NULL CHECK (kind IN ('not_this_brand', 'missing')),
    span_start   integer NOT NULL CHECK (span_start >= 0), -- characters of the answer
    span_end     integer NOT NULL CHECK (span_end > span_start),
    words        text NOT NULL,
    phrase       text, -- in which the name means something else, in every answer
    name         text, -- that the brand got by it
    created_by   uuid NOT NULL REFERENCES users,
    api_key_id   uuid, -- the key that was used, or null for a session
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains,
    FOREIGN KEY (workspace_id, api_key_id) REFERENCES api_keys,
    CHECK (CASE kind WHEN 'missing' THEN phrase ELSE name END IS NULL)
);
CREATE INDEX corrections_newest ON corrections (workspace_id, domain_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX corrections_one_per_place
    ON corrections (workspace_id, scan_id, answer_id, span_start, span_end)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
