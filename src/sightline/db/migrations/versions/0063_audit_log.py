"""The audit log, which can only grow: entries are inserted and read, and removed only when they are old."""

from sightline.db.migrations.steps import run_sql

revision = "0063"
down_revision = "0062"

STATEMENTS = """
CREATE TABLE audit_entries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    action text NOT NULL,
    by_type text NOT NULL CHECK (by_type IN ('person', 'key', 'operator', 'system')),
    by_id uuid,
    name text,
    details jsonb NOT NULL,
    address text,
    request_id text,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX audit_entries_newest ON audit_entries (workspace_id, recorded_at DESC, id DESC);
CREATE INDEX audit_entries_by_age ON audit_entries (recorded_at);

CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Also for the owner of the table and for superusers, whom privileges do not bind.
    IF TG_OP = 'DELETE' AND OLD.recorded_at < clock_timestamp() - interval '90 days' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'audit_entries is append-only: entries of the last 90 days cannot be changed or removed';
END $$;
CREATE TRIGGER audit_entries_kept BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
CREATE TRIGGER audit_entries_never_emptied BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Runs with the rights of the owner of the table, so that the role of the application needs no DELETE.
CREATE FUNCTION remove_old_audit_entries(days integer, at_most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    WITH removed AS (
        DELETE FROM audit_entries WHERE (workspace_id, id) IN (
            SELECT workspace_id, id FROM audit_entries
            WHERE recorded_at < clock_timestamp() - make_interval(days => greatest(days, 90))
            ORDER BY recorded_at LIMIT at_most)
        RETURNING 1)
    SELECT count(*)::integer FROM removed;
$$;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
