"""Record how far payloads without answers have been searched for."""

from sightline.db.migrations.steps import run_sql

revision = "0041"
down_revision = "0040"

STATEMENTS = """
ALTER TABLE installation
    ADD COLUMN payloads_checked_to text, -- workspace and scan; null between two searches
    ADD COLUMN payloads_checked_at timestamptz
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
