"""Exports of workspaces, their deletion, and the ledger's permission to be deleted with its workspace."""

from sightline.db.migrations.steps import run_sql

revision = "0064"
down_revision = "0063"

STATEMENTS = """
CREATE TABLE workspace_exports (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    requested_by uuid NOT NULL REFERENCES users (id),
    requested_at timestamptz NOT NULL,
    completed_at timestamptz,
    size bigint,
    expires_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    CHECK ((completed_at IS NULL) = (size IS NULL) AND (completed_at IS NULL) = (expires_at IS NULL))
);
CREATE UNIQUE INDEX workspace_exports_one_open ON workspace_exports (workspace_id) WHERE completed_at IS NULL;
CREATE TABLE workspace_export_parts (
    workspace_id uuid NOT NULL,
    export_id uuid NOT NULL,
    number integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (workspace_id, export_id, number),
    FOREIGN KEY (workspace_id, export_id) REFERENCES workspace_exports (workspace_id, id) ON DELETE CASCADE
);
ALTER TABLE workspace_export_parts ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE TABLE workspace_deletions (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
    requested_by uuid NOT NULL REFERENCES users (id),
    requested_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL
);

-- The ledger stays append-only; only with its whole workspace, which is closed first, can it be deleted.
CREATE FUNCTION keep_ledger_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM workspaces w JOIN workspace_deletions d ON d.workspace_id = w.id
        WHERE w.id = OLD.workspace_id AND w.closed_at IS NOT NULL)
    THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'credit_entries is append-only: write a new row that corrects the old one';
END $$;
DROP TRIGGER credit_entries_append_only ON credit_entries;
CREATE TRIGGER credit_entries_append_only BEFORE DELETE OR UPDATE ON credit_entries
    FOR EACH ROW EXECUTE FUNCTION keep_ledger_entry();

CREATE OR REPLACE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Also for the owner of the table and for superusers, whom privileges do not bind.
    IF TG_OP = 'DELETE' AND (OLD.recorded_at < clock_timestamp() - interval '90 days' OR EXISTS (
        SELECT FROM workspaces w JOIN workspace_deletions d ON d.workspace_id = w.id
        WHERE w.id = OLD.workspace_id AND w.closed_at IS NOT NULL))
    THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit_entries is append-only: entries of the last 90 days cannot be changed or removed';
END $$;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
