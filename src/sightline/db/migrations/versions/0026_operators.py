"""Record who operates the installation: a role next to workspaces."""

from sightline.db.migrations.steps import run_sql

revision = "0026"
down_revision = "0025"

STATEMENTS = """
CREATE TABLE operators (
    user_id    uuid PRIMARY KEY REFERENCES users,
    granted_at timestamptz NOT NULL
);
-- When the first operator was chosen. It happens once: an operator who was removed does not come back by a restart.
ALTER TABLE installation ADD COLUMN first_operator_at timestamptz
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
