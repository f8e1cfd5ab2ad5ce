"""Group domains by client, and let guests see the domains of single clients."""

from sightline.db.migrations.steps import run_sql

revision = "0057"
down_revision = "0056"

STATEMENTS = """
CREATE TABLE clients (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX clients_name ON clients (workspace_id, lower(name));
ALTER TABLE domains ADD COLUMN client_id uuid;
ALTER TABLE domains ADD FOREIGN KEY (workspace_id, client_id) REFERENCES clients (workspace_id, id);
CREATE INDEX domains_by_client ON domains (workspace_id, client_id) WHERE client_id IS NOT NULL;
CREATE TABLE guests (
    workspace_id uuid NOT NULL,
    client_id uuid NOT NULL,
    user_id uuid NOT NULL REFERENCES users (id),
    role text NOT NULL CHECK (role IN ('viewer', 'editor')),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, client_id, user_id),
    FOREIGN KEY (workspace_id, client_id) REFERENCES clients (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX guests_by_user ON guests (user_id);
ALTER TABLE invitations ADD COLUMN client_id uuid;
ALTER TABLE invitations ADD FOREIGN KEY (workspace_id, client_id)
    REFERENCES clients (workspace_id, id) ON DELETE CASCADE;
ALTER TABLE invitations ADD CHECK (client_id IS NULL OR (role IN ('viewer', 'editor') AND NOT billing));
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
