"""Changes of e-mail addresses, which wait for confirmation at the old and at the new one."""

from sightline.db.migrations.steps import run_sql

revision = "0073"
down_revision = "0072"

STATEMENTS = """
CREATE TABLE email_changes (
    user_id       uuid PRIMARY KEY REFERENCES users (id),
    email         text NOT NULL, -- the new address
    requested_at  timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    old_digest    bytea UNIQUE, -- of the link that was sent to the old address; null until it is sent
    new_digest    bytea UNIQUE,
    old_confirmed boolean NOT NULL DEFAULT false,
    new_confirmed boolean NOT NULL DEFAULT false
);
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
