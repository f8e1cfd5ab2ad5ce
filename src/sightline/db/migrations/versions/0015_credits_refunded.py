"""Add to each scan how many of its credits were refunded."""

from sightline.db.migrations.steps import run_sql

revision = "0015"
down_revision = "0014"

STATEMENTS = """
ALTER TABLE scans ADD COLUMN credits_refunded integer NOT NULL DEFAULT 0 CHECK (credits_refunded >= 0);
UPDATE scans s SET credits_refunded = e.total
FROM (SELECT workspace_id, scan_id, sum(delta)::integer AS total FROM credit_entries
      WHERE reason = 'refund' AND scan_id IS NOT NULL GROUP BY workspace_id, scan_id) e
WHERE s.workspace_id = e.workspace_id AND s.id = e.scan_id
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
