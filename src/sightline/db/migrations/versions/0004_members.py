"""Create invitations by link, details of sessions, and demonstrations that are built on request."""

from sightline.db.migrations.steps import run_sql

revision = "0004"
down_revision = "0003"

STATEMENTS = """
-- A session has a name of its own, for its digest never leaves the database.
ALTER TABLE sessions
    ADD COLUMN id      uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
    ADD COLUMN agent   text,        -- what the browser said it is, shortened
    ADD COLUMN seen_at timestamptz; -- to the nearest few minutes

-- Whoever holds the link joins once, in the role that it was made for. The link itself is not kept.
CREATE TABLE invitations (
    workspace_id uuid NOT NULL REFERENCES workspaces,
    id           uuid NOT NULL,
    digest       bytea NOT NULL UNIQUE,
    email        text CHECK (email = lower(email)), -- for the list alone; the link decides
    role         text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
    billing      boolean NOT NULL DEFAULT false,
    invited_by   uuid NOT NULL REFERENCES users,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    revoked_at   timestamptz,
    accepted_at  timestamptz,
    accepted_by  uuid REFERENCES users,
    PRIMARY KEY (workspace_id, id),
    CHECK ((accepted_at IS NULL) = (accepted_by IS NULL))
);
CREATE INDEX invitations_newest ON invitations (workspace_id, created_at DESC, id DESC);

-- The made-up past that somebody asked for on a page: once for each workspace.
CREATE TABLE demonstrations (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces, -- where it was asked for
    shown_in     uuid NOT NULL REFERENCES workspaces,    -- the same, or one that was made for it
    domain_id    uuid NOT NULL,
    created_at   timestamptz NOT NULL,
    completed_at timestamptz
)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
