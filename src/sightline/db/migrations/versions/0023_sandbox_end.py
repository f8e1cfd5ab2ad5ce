"""Record what is a demonstration, closed workspaces, and what ended with the sandbox."""

from sightline.db.migrations.steps import run_sql

revision = "0023"
down_revision = "0022"

STATEMENTS = """
ALTER TABLE workspaces
    ADD COLUMN made_for_demo boolean NOT NULL DEFAULT false,
    ADD COLUMN closed_at     timestamptz;
ALTER TABLE domains ADD COLUMN made_for_demo boolean NOT NULL DEFAULT false;
ALTER TABLE installation ADD COLUMN sandbox_ended_at timestamptz; -- when the first platform was connected

CREATE TABLE sandbox_endings (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces,
    closes       boolean NOT NULL,  -- it was made for a demonstration
    domains      text[] NOT NULL,   -- demonstrations that are no longer tracked
    credits      bigint NOT NULL CHECK (credits >= 0), -- live credits that were removed
    ended_at     timestamptz NOT NULL
);

UPDATE workspaces SET made_for_demo = true WHERE id IN (
    SELECT id::uuid FROM installation, jsonb_each_text(demo -> 'workspaces') AS each (plan, id));
UPDATE workspaces w SET made_for_demo = true
    FROM demonstrations m WHERE m.shown_in = w.id AND m.shown_in <> m.workspace_id;
-- A later demonstration replaced the record of an earlier one. Only a demonstration is older than its workspace.
UPDATE workspaces w SET made_for_demo = true
    WHERE name = 'Demonstration' AND EXISTS (
        SELECT FROM domains d
        WHERE d.workspace_id = w.id AND d.kind = 'tracked' AND d.domain = 'acme.com' AND d.created_at < w.created_at);
-- A domain whose weeks begin after the demonstration was requested was set up again by a person.
UPDATE domains d SET made_for_demo = true
    FROM demonstrations m
    WHERE d.workspace_id = m.shown_in AND d.id = m.domain_id
      AND (m.completed_at IS NULL OR d.anchor_at <= m.created_at)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
