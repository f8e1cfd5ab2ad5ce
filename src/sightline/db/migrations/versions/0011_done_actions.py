"""Keep with a mark what was recommended, so that later checks can say whether it worked."""

from sightline.db.migrations.steps import run_sql

revision = "0011"
down_revision = "0010"

STATEMENTS = """
-- Null for marks from before these columns: what they were about is no longer known.
ALTER TABLE recommendation_marks
    ADD COLUMN scan_id uuid,         -- the Full Check that recommended it
    ADD COLUMN prompt_ids uuid[],    -- the prompts that it concerned
    ADD COLUMN recommendation bytea  -- JSON
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
