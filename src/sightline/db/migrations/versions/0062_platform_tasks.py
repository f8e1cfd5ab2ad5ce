"""Questions that a platform answers later, in its task mode."""

from sightline.db.migrations.steps import run_sql

revision = "0062"
down_revision = "0061"

STATEMENTS = """
CREATE TABLE platform_tasks (
    workspace_id uuid NOT NULL,
    scan_id      uuid NOT NULL,
    platform     text NOT NULL,
    prompt_index integer NOT NULL,
    tag          text NOT NULL,    -- ours, by which a task is found whose id was lost
    task_id      text,             -- the platform's; null until it is known
    cost_usd     double precision, -- what posting it cost
    posted_at    timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, scan_id, platform, prompt_index),
    FOREIGN KEY (workspace_id, scan_id) REFERENCES scans (workspace_id, id)
);
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
