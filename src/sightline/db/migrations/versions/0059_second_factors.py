"""Second factors: authenticator apps, passkeys, recovery codes, and sign-ins that wait for one of them."""

from sightline.db.migrations.steps import run_sql

revision = "0059"
down_revision = "0058"

STATEMENTS = """
CREATE TABLE second_factors (
    user_id uuid NOT NULL REFERENCES users (id),
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('app', 'passkey')),
    name text NOT NULL,
    secret bytea NOT NULL,
    credential_id bytea UNIQUE,
    counter bigint NOT NULL,
    created_at timestamptz NOT NULL,
    used_at timestamptz,
    PRIMARY KEY (user_id, id),
    CHECK ((kind = 'passkey') = (credential_id IS NOT NULL))
);
CREATE UNIQUE INDEX second_factors_app ON second_factors (user_id) WHERE kind = 'app';
CREATE TABLE recovery_codes (
    user_id uuid NOT NULL REFERENCES users (id),
    digest bytea NOT NULL,
    PRIMARY KEY (user_id, digest)
);
CREATE TABLE pending_sign_ins (
    digest bytea PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id),
    challenge bytea,
    started_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX pending_sign_ins_by_user ON pending_sign_ins (user_id);
CREATE INDEX pending_sign_ins_by_expiry ON pending_sign_ins (expires_at);
ALTER TABLE sessions ADD COLUMN challenge bytea;
ALTER TABLE workspaces ADD COLUMN requires_second_factor boolean NOT NULL DEFAULT false;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
