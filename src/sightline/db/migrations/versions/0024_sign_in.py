"""Create waits after failed sign-ins and links that reset a password, and end sessions that nobody uses."""

from sightline.db.migrations.steps import run_sql

revision = "0024"
down_revision = "0023"

STATEMENTS = """
-- Counts of what a stranger can try. Worth nothing after a crash, so they are not logged.
CREATE UNLOGGED TABLE failed_attempts (
    subject    uuid PRIMARY KEY,          -- a hash of the account, the network or both
    failures   double precision NOT NULL, -- as of `counted_at`; they are forgotten over time
    counted_at timestamptz NOT NULL,
    wait_until timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX failed_attempts_by_age ON failed_attempts (counted_at);

-- The newest link of a user. The link itself is not stored.
CREATE TABLE password_resets (
    user_id    uuid PRIMARY KEY REFERENCES users,
    digest     bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);

-- From now on `expires_at` also ends a session that is idle, and each use moves it. Seven days is the default.
UPDATE sessions SET expires_at = least(expires_at, coalesce(seen_at, created_at) + interval '7 days')
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
