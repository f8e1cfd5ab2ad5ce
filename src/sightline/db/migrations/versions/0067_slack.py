"""Send events to Slack channels, which are webhook endpoints of another kind, for a workspace or one client.

A channel and its history end with its client.
"""

from sightline.db.migrations.steps import run_sql

revision = "0067"
down_revision = "0066"

STATEMENTS = """
ALTER TABLE webhook_endpoints ADD COLUMN kind text DEFAULT 'webhook' NOT NULL CHECK (kind IN ('webhook', 'slack'));
ALTER TABLE webhook_endpoints ADD COLUMN client_id uuid;
ALTER TABLE webhook_endpoints ADD FOREIGN KEY (workspace_id, client_id)
    REFERENCES clients (workspace_id, id) ON DELETE CASCADE;
CREATE INDEX webhook_endpoints_by_client ON webhook_endpoints (workspace_id, client_id) WHERE client_id IS NOT NULL;
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_workspace_id_endpoint_id_fkey;
ALTER TABLE webhook_deliveries ADD FOREIGN KEY (workspace_id, endpoint_id)
    REFERENCES webhook_endpoints (workspace_id, id) ON DELETE CASCADE;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
