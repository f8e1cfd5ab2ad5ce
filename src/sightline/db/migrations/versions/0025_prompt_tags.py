"""Give prompts tags, and record which prompt one replaced when its text was edited."""

from sightline.db.migrations.steps import run_sql

revision = "0025"
down_revision = "0024"

STATEMENTS = """
ALTER TABLE prompts
    ADD COLUMN tags     text[] NOT NULL DEFAULT '{}', -- in lower case, sorted
    ADD COLUMN replaces uuid                          -- the prompt of which this is the edited text
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
