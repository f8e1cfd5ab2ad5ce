"""Record which bootstrap links end when the installation has an owner: those that `sightline serve` printed.

Links from before do not say who made them. Those that were made before the first user are treated the same way.
"""

from sightline.db.migrations.steps import run_sql

revision = "0048"
down_revision = "0047"

STATEMENTS = """
ALTER TABLE bootstrap_tokens ADD COLUMN first_owner_only boolean NOT NULL DEFAULT false;
UPDATE bootstrap_tokens t SET first_owner_only = true
WHERE used_by IS NULL AND NOT EXISTS (SELECT FROM users u WHERE u.created_at <= t.created_at)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
