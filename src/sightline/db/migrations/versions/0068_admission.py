"""Find the lanes whose turn it is without reading all of them."""

from sightline.db.migrations.steps import run_sql

revision = "0068"
down_revision = "0067"

STATEMENTS = """
CREATE INDEX scan_lanes_in_turn ON scan_lanes (lane, (-priority), started_at, scan_id)
    WHERE admitted < cells OR postponed <> '{}';
CREATE INDEX scan_lanes_of_workspace ON scan_lanes (workspace_id, lane, (-priority), started_at, scan_id)
    WHERE admitted < cells OR postponed <> '{}';
CREATE INDEX scan_lanes_under_way ON scan_lanes (lane, workspace_id)
    WHERE admitted > settled + cardinality(postponed);
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
