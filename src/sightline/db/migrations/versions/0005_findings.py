"""Create alert mutes, marks on recommendations, shared links of reports and e-mail preferences."""

from sightline.db.migrations.steps import run_sql

revision = "0005"
down_revision = "0004"

STATEMENTS = """
-- An alert of this type and scope is kept and shown, and nobody is told of it.
CREATE TABLE alert_mutes (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    type         text NOT NULL,
    scope        text NOT NULL,
    muted_by     uuid NOT NULL REFERENCES users,
    muted_at     timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain_id, type, scope),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- Recommendations are written anew by each Full Check: what somebody did is kept under what it was about.
CREATE TABLE recommendation_marks (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    subject      text NOT NULL,
    done_by      uuid NOT NULL REFERENCES users,
    done_at      timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain_id, subject),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- Whoever holds the link reads the one report until it expires. The link itself is not kept.
CREATE TABLE report_shares (
    workspace_id uuid NOT NULL,
    id           uuid NOT NULL,
    report_id    uuid NOT NULL,
    digest       bytea NOT NULL UNIQUE,
    shared_by    uuid NOT NULL REFERENCES users,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    revoked_at   timestamptz,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, report_id) REFERENCES reports
);
CREATE INDEX report_shares_newest ON report_shares (workspace_id, report_id, created_at DESC, id DESC);

ALTER TABLE members
    ADD COLUMN alert_letters  boolean NOT NULL DEFAULT true,
    ADD COLUMN report_letters boolean NOT NULL DEFAULT true;

-- Since when a competitor is one: its colour goes by it, and stays when it is hidden and brought back.
ALTER TABLE competitors ADD COLUMN confirmed_at timestamptz;
UPDATE competitors SET confirmed_at = discovered_at WHERE status IN ('confirmed', 'hidden')
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
