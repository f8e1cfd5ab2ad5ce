"""Bound keys: who minted them, when they end, from where they work, and the secret before a rotation."""

from sightline.db.migrations.steps import run_sql

revision = "0018"
down_revision = "0017"

STATEMENTS = """
ALTER TABLE api_keys
    ADD COLUMN parent_id         uuid, -- the key that minted this one; null when a person did
    ADD COLUMN expires_at        timestamptz,
    ADD COLUMN allowed_addresses cidr[] NOT NULL DEFAULT '{}', -- empty: any address
    ADD COLUMN previous_digest   bytea UNIQUE,
    ADD COLUMN previous_ends_at  timestamptz,
    ADD FOREIGN KEY (workspace_id, parent_id) REFERENCES api_keys,
    ADD CHECK ((previous_digest IS NULL) = (previous_ends_at IS NULL));
CREATE INDEX api_keys_children ON api_keys (workspace_id, parent_id) WHERE parent_id IS NOT NULL;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
