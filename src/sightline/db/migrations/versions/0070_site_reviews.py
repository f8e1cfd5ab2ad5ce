"""Reviews of the brand's own site, the pages that they read, and what they found."""

from sightline.db.migrations.steps import run_sql

revision = "0070"
down_revision = "0069"

STATEMENTS = """
CREATE TABLE site_reviews (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    scan_id uuid NOT NULL,
    requested_by uuid REFERENCES users (id),
    requested_at timestamptz NOT NULL,
    started_at timestamptz,
    completed_at timestamptz,
    site bytea,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains (workspace_id, id)
);
CREATE UNIQUE INDEX site_reviews_open ON site_reviews (workspace_id, domain_id) WHERE completed_at IS NULL;
CREATE INDEX site_reviews_of_domain ON site_reviews (workspace_id, domain_id, requested_at DESC);
CREATE TABLE site_pages (
    workspace_id uuid NOT NULL,
    review_id uuid NOT NULL,
    place integer NOT NULL,
    url text NOT NULL,
    chosen text NOT NULL,
    page bytea,
    text text,
    PRIMARY KEY (workspace_id, review_id, place),
    FOREIGN KEY (workspace_id, review_id) REFERENCES site_reviews (workspace_id, id) ON DELETE CASCADE
);
CREATE TABLE site_findings (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'mended', 'ignored')),
    finding bytea NOT NULL,
    rank integer NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    mended_at timestamptz,
    ignored_at timestamptz,
    ignored_by uuid REFERENCES users (id),
    reason text,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, domain_id, key),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains (workspace_id, id)
);
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
