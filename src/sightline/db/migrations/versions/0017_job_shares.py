"""Record whose job it is, so that a worker's places for deliveries are shared evenly."""

from sightline.db.migrations.steps import run_sql

revision = "0017"
down_revision = "0016"

STATEMENTS = """
-- `workspace/endpoint` for deliveries of webhooks, else empty. A process of the release before leaves it empty, too:
-- its deliveries then share the places of one workspace, until they are done.
ALTER TABLE jobs ADD COLUMN share text COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX jobs_shares ON jobs (kind, share, run_after, id) WHERE worker_id IS NULL AND failed_at IS NULL;

UPDATE jobs SET share = d.workspace_id || '/' || d.endpoint_id
FROM webhook_deliveries d
WHERE jobs.kind = 'webhook.deliver'
  AND d.workspace_id = (convert_from(jobs.payload, 'UTF8')::jsonb ->> 'workspace_id')::uuid
  AND d.id = (convert_from(jobs.payload, 'UTF8')::jsonb ->> 'delivery_id')::uuid
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
