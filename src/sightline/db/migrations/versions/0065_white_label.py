"""The look of a client, and who receives its reports."""

from sightline.db.migrations.steps import run_sql

revision = "0065"
down_revision = "0064"

STATEMENTS = """
ALTER TABLE clients
    ADD COLUMN logo bytea CHECK (octet_length(logo) <= 204800),
    ADD COLUMN color text,
    ADD COLUMN sender_name text,
    ADD COLUMN shows_maker boolean NOT NULL DEFAULT true,
    ADD COLUMN recipients text[] NOT NULL DEFAULT '{}' CHECK (cardinality(recipients) <= 20),
    ADD COLUMN language text,
    ADD COLUMN timezone text;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
