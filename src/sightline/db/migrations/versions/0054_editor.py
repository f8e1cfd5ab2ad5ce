"""The editor in the service: its replies, and what each domain's editions build on (ADR 52).

Old processes still write `judged_answers` during an upgrade, so a later release drops it.
"""

from sightline.db.migrations.steps import run_sql

revision = "0054"
down_revision = "0053"

STATEMENTS = """
-- Requests and replies of the editor. An equal request is asked once; unused ones are deleted after some weeks.
CREATE TABLE editor_replies (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    request_key  text NOT NULL,
    editor       text NOT NULL, -- the platform and the model, such as claude:claude-sonnet-5-5
    scan_id      uuid,          -- the Full Check that asked first; null for the set-up
    request      bytea NOT NULL, -- zlib
    reply        bytea NOT NULL, -- zlib
    model_served text,
    latency_ms   integer NOT NULL,
    cost_usd     double precision, -- null if it is not known
    asked_at     timestamptz NOT NULL,
    used_at      timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain_id, request_key, editor),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- What the next edition of a domain builds on, and how the latest one went.
CREATE TABLE editions (
    workspace_id        uuid NOT NULL,
    domain_id           uuid NOT NULL,
    scan_id             uuid,    -- the Full Check of the latest edition
    editor              text,    -- null if rules alone made its insights
    codebook_version    integer NOT NULL DEFAULT 0,
    market              bytea,   -- JSON
    market_corrected_by uuid REFERENCES users,
    memory              bytea,   -- JSON, zlib: the verdicts on names and the sorted passages of the latest edition
    account             bytea,   -- JSON: what was asked, left to rules and dropped, and what it cost
    PRIMARY KEY (workspace_id, domain_id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- The themes of a domain. An id is never used again, also for a theme that was merged or hidden.
CREATE TABLE codebook_themes (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    theme        text NOT NULL,
    label        text NOT NULL,
    definition   text NOT NULL,
    examples     text[] NOT NULL,
    own_label    text, -- as people renamed it
    merged_into  text,
    hidden       boolean NOT NULL DEFAULT false,
    pinned       boolean NOT NULL DEFAULT false,
    PRIMARY KEY (workspace_id, domain_id, theme),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

CREATE TABLE dismissed_recommendations (
    workspace_id   uuid NOT NULL,
    domain_id      uuid NOT NULL,
    subject        text NOT NULL, -- the key of the action
    reason         text NOT NULL,
    dismissed_by   uuid NOT NULL REFERENCES users,
    dismissed_at   timestamptz NOT NULL,
    recommendation bytea NOT NULL, -- JSON: what was recommended
    PRIMARY KEY (workspace_id, domain_id, subject),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

ALTER TABLE workspaces ADD COLUMN editor_declined boolean NOT NULL DEFAULT false;

-- The part of the calls, and of their cost, that were for the editor.
ALTER TABLE platform_costs ADD COLUMN editor_calls bigint NOT NULL DEFAULT 0, ADD COLUMN editor_cost_usd numeric(20,9);

DELETE FROM judged_answers;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
