"""Store when the free audit of a domain was completed, as for Full and Daily Checks."""

from sightline.db.migrations.steps import run_sql

revision = "0036"
down_revision = "0035"

# An audit by a sandbox that has ended counts no more, as its figures.
STATEMENTS = """
ALTER TABLE domains ADD COLUMN last_audit_at timestamptz;
UPDATE domains d SET last_audit_at = s.completed_at
FROM scans s CROSS JOIN installation i
WHERE s.workspace_id = d.workspace_id AND s.domain_id = d.id AND s.measurement_scope = 'free_audit'
  AND s.status = 'completed' AND (i.sandbox_ended_at IS NULL OR s.answers_source = 'live');
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
