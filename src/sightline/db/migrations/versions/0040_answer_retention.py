"""Record which scans no longer have their answers."""

from sightline.db.migrations.steps import run_sql

revision = "0040"
down_revision = "0038"

STATEMENTS = """
-- When retention removed the answers of the scan. Its results, board and figures stay.
ALTER TABLE scans ADD COLUMN answers_expired_at timestamptz;
-- A scan's id begins with its time, so the oldest come first.
CREATE INDEX scans_with_answers ON scans (id) WHERE answers_expired_at IS NULL;

-- The newest scan whose payloads retention has removed, with those of all earlier ones.
ALTER TABLE installation ADD COLUMN payloads_removed_to uuid;

-- How many scans a recomputation left as they are, because their answers are gone.
ALTER TABLE recomputations ADD COLUMN scans_expired integer NOT NULL DEFAULT 0;

-- Retention deletes the oldest reports of all workspaces.
CREATE INDEX reports_by_age ON reports (created_at)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
