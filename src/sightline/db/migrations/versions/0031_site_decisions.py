"""Store the sites that people ignore, and request new facts of answers and of competitors without a name."""

from sightline.db.migrations.steps import run_sql

revision = "0031"
down_revision = "0028"

STATEMENTS = """
CREATE TABLE ignored_sites (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    site         text NOT NULL,
    ignored_by   uuid NOT NULL REFERENCES users,
    ignored_at   timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain_id, site),
    FOREIGN KEY (workspace_id, domain_id) REFERENCES domains
);

-- Stored answers get the order of brands, and are read for competitors by the names in their domains.
UPDATE scan_results SET has_facts = false WHERE has_facts
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
