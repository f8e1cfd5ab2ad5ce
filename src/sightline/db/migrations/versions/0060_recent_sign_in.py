"""Record when a person last proved who they are in a session."""

from sightline.db.migrations.steps import run_sql

revision = "0060"
down_revision = "0059"


def upgrade() -> None:
    run_sql("ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz")
