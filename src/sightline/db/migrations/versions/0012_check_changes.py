"""Add what changed since the Full Check before."""

from sightline.db.migrations.steps import run_sql

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    # JSON. Null for the first Full Check, for other scans, and for Full Checks from before this column.
    run_sql("ALTER TABLE scan_results ADD COLUMN changes bytea")
