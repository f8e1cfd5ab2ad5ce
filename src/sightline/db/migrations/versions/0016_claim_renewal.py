"""Add when the claim on an idempotency key was last renewed."""

from sightline.db.migrations.steps import run_sql

revision = "0016"
down_revision = "0015"

# Existing claims count as renewed now: one whose process is gone becomes free a few seconds later.
STATEMENTS = "ALTER TABLE idempotency_keys ADD COLUMN renewed_at timestamptz NOT NULL DEFAULT now()"


def upgrade() -> None:
    run_sql(STATEMENTS)
