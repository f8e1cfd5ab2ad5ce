"""Single sign-on: identity providers, who they sign in, and the sessions that they began."""

from sightline.db.migrations.steps import run_sql

revision = "0069"
down_revision = "0068"

STATEMENTS = """
CREATE TABLE identity_providers ( -- of workspaces; that of the installation is in its settings
    workspace_id  uuid PRIMARY KEY REFERENCES workspaces (id),
    issuer        text NOT NULL,
    client_id     text NOT NULL,
    client_secret bytea NOT NULL, -- sealed
    changed_at    timestamptz NOT NULL
);
CREATE TABLE sign_in_domains ( -- the e-mail domains whose people a workspace signs in; an operator assigns them
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    domain       text NOT NULL UNIQUE,
    assigned_at  timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, domain)
);
CREATE TABLE identities ( -- who a person is at an identity provider
    issuer    text NOT NULL,
    subject   text NOT NULL,
    user_id   uuid NOT NULL REFERENCES users (id),
    linked_at timestamptz NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_of_user ON identities (user_id);

-- The provider that a sign-in went through: the workspace whose provider it is, or the nil UUID for the installation's.
ALTER TABLE sessions ADD COLUMN provider_id uuid; -- null: with a password
ALTER TABLE pending_sign_ins ADD COLUMN provider_id uuid;
ALTER TABLE workspaces ADD COLUMN required_provider_id uuid; -- null: members may sign in with a password, too
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
