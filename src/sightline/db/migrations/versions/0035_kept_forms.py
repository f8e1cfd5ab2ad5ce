"""Store forms that were sent after a session ended, the time zones of people, and platforms that fail."""

from sightline.db.migrations.steps import run_sql

revision = "0035"
down_revision = "0034"

STATEMENTS = """
-- The last form of each person that was sent without a session, until they have signed in again and seen it.
CREATE TABLE kept_forms (
    user_id    uuid PRIMARY KEY REFERENCES users,
    sealed     bytea NOT NULL,
    expires_at timestamptz NOT NULL
);

ALTER TABLE users ADD COLUMN timezone text; -- of the IANA database; NULL: that of the workspace

-- Platforms whose latest calls all failed. A call that succeeds deletes the row.
CREATE TABLE platform_failures (
    platform      text PRIMARY KEY,
    failing_since timestamptz NOT NULL,
    calls         bigint NOT NULL,
    fault         text NOT NULL
)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
