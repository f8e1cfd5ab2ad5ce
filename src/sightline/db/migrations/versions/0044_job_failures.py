"""Record why a job failed and the trace that caused it, and what each worker is."""

from sightline.db.migrations.steps import run_sql

revision = "0044"
down_revision = "0042"

# Processes of the version before know none of these columns, and go on inserting jobs, lanes and workers without them.
STATEMENTS = """
ALTER TABLE jobs
    ADD COLUMN failure     text, -- the last error, for operators
    ADD COLUMN traceparent text; -- the W3C trace context of the cause
ALTER TABLE scan_lanes ADD COLUMN traceparent text;
ALTER TABLE workers
    ADD COLUMN version    text,
    ADD COLUMN started_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX jobs_held ON jobs (failed_at) WHERE failed_at IS NOT NULL
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
