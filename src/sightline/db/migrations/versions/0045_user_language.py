"""Store the language in which a person reads pages and e-mails."""

from sightline.db.migrations.steps import run_sql

revision = "0045"
down_revision = "0044"

STATEMENTS = "ALTER TABLE users ADD COLUMN language text -- NULL: the one that the browser prefers"


def upgrade() -> None:
    run_sql(STATEMENTS)
