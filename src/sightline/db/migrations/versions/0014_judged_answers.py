"""Create what a language model found in answers without word lists."""

from sightline.db.migrations.steps import run_sql

revision = "0014"
down_revision = "0013"

STATEMENTS = """
-- Kept until the next Full Check of the domain, so that a second run of the job does not ask again.
CREATE TABLE judged_answers (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    answer_id    uuid NOT NULL,
    scan_id      uuid NOT NULL,
    aspects      bytea NOT NULL, -- JSON, by brand; empty if the answer proves none
    PRIMARY KEY (workspace_id, domain_id, answer_id),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
