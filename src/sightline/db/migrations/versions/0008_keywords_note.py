"""Add the note about suggested prompts to scans."""

from sightline.db.migrations.steps import run_sql

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    # Null: the prompts were given, or all of them fit the market.
    run_sql("ALTER TABLE scans ADD COLUMN keywords_note text")
