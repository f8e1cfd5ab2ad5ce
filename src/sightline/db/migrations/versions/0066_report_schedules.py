"""Reports that are sent to clients on a schedule, and a link to the latest reports of a client."""

from sightline.db.migrations.steps import run_sql

revision = "0066"
down_revision = "0065"

STATEMENTS = """
CREATE TABLE report_schedules (
    workspace_id uuid NOT NULL,
    client_id uuid NOT NULL,
    rhythm text NOT NULL CHECK (rhythm IN ('weekly', 'monthly')),
    day smallint NOT NULL CHECK (day BETWEEN 1 AND CASE rhythm WHEN 'weekly' THEN 7 ELSE 28 END),
    hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
    timezone text NOT NULL,
    next_at timestamptz NOT NULL,
    last_at timestamptz,
    last_outcome text,
    PRIMARY KEY (workspace_id, client_id),
    FOREIGN KEY (workspace_id, client_id) REFERENCES clients (workspace_id, id) ON DELETE CASCADE
);
CREATE TABLE report_emails (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    due_at timestamptz,
    address text NOT NULL,
    report_ids uuid[] NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    failed_at timestamptz,
    failure text,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, client_id) REFERENCES clients (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX report_emails_once ON report_emails (workspace_id, client_id, due_at, address);
CREATE UNIQUE INDEX report_emails_digest ON report_emails (digest);
CREATE TABLE report_unsubscriptions (
    workspace_id uuid NOT NULL,
    client_id uuid NOT NULL,
    address text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, client_id, address),
    FOREIGN KEY (workspace_id, client_id) REFERENCES clients (workspace_id, id) ON DELETE CASCADE
);
CREATE TABLE report_links (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    digest bytea NOT NULL,
    password_hash text,
    created_by uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, client_id) REFERENCES clients (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX report_links_digest ON report_links (digest);
CREATE INDEX report_links_of_client ON report_links (workspace_id, client_id);
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
