"""Store which platforms were chosen and whether the first week's list was closed; drop what a sandbox left behind."""

from sightline.db.migrations.steps import run_sql

revision = "0033"
down_revision = "0031"

COLUMNS = """
ALTER TABLE domains
    ADD COLUMN chosen_platforms     text[],      -- null: all platforms of the plan
    ADD COLUMN first_week_closed_at timestamptz; -- when somebody put the list of the first week away
"""
# Where the sandbox has ended: what its end does now.
LEFTOVERS = """
DELETE FROM prompt_suggestions s USING scans c, installation i
WHERE i.sandbox_ended_at IS NOT NULL AND s.status = 'open' AND c.workspace_id = s.workspace_id AND c.id = s.scan_id
  AND c.answers_source = 'sandbox';
DELETE FROM competitors c USING installation i
WHERE c.status = 'suggested' AND c.discovered_at <= i.sandbox_ended_at;
-- A Free workspace whose audit was made up gets a real one.
UPDATE domains d SET next_check_at = i.sandbox_ended_at, next_check_scope = 'full_check'
FROM installation i, workspaces w
WHERE i.sandbox_ended_at IS NOT NULL AND w.id = d.workspace_id AND w.plan = 'free' AND w.closed_at IS NULL
  AND d.kind = 'tracked' AND d.livemode AND d.status = 'active' AND d.anchor_at IS NOT NULL AND NOT d.made_for_demo
  AND EXISTS (SELECT FROM scans s WHERE s.workspace_id = w.id AND s.measurement_scope = 'free_audit'
                                    AND s.answers_source = 'sandbox')
  AND NOT EXISTS (SELECT FROM scans s WHERE s.workspace_id = w.id AND s.measurement_scope = 'free_audit'
                                        AND s.answers_source = 'live')
"""


def upgrade() -> None:
    run_sql(COLUMNS)
    run_sql(LEFTOVERS)
