"""Record who lost access, so that no process goes on reading saved copies for them; end links of who has left."""

from sightline.db.migrations.steps import run_sql

revision = "0022"
down_revision = "0021"

STATEMENTS = """
-- Written by triggers, so that no way to end access can forget it: page, API, command line or SQL.
CREATE TABLE ended_access (
    subject     text PRIMARY KEY, -- 'credential <digest>' or 'member <workspace> <user>'
    is_over     boolean NOT NULL, -- false: the member is back
    ends_at     timestamptz,      -- null: at once
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX ended_access_newest ON ended_access (recorded_at);

CREATE FUNCTION record_ended_credential(digest bytea, at timestamptz) RETURNS void LANGUAGE sql AS $$
    INSERT INTO ended_access (subject, is_over, ends_at) VALUES ('credential ' || encode(digest, 'hex'), true, at)
    ON CONFLICT (subject) DO UPDATE SET ends_at = EXCLUDED.ends_at, recorded_at = clock_timestamp();
$$;

CREATE FUNCTION record_ended_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.previous_digest IS DISTINCT FROM OLD.previous_digest THEN
        IF OLD.previous_digest IS NOT NULL THEN
            PERFORM record_ended_credential(OLD.previous_digest, NULL);
        END IF;
        IF NEW.previous_digest IS NOT NULL THEN
            PERFORM record_ended_credential(NEW.previous_digest, NEW.previous_ends_at);
        END IF;
    END IF;
    IF NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL THEN
        PERFORM record_ended_credential(NEW.digest, NULL);
        IF NEW.previous_digest IS NOT NULL THEN
            PERFORM record_ended_credential(NEW.previous_digest, NULL);
        END IF;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER api_keys_ended AFTER UPDATE OF revoked_at, previous_digest ON api_keys
    FOR EACH ROW EXECUTE FUNCTION record_ended_key();

CREATE FUNCTION record_ended_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM record_ended_credential(OLD.digest, NULL);
    RETURN NULL;
END $$;
CREATE TRIGGER sessions_ended AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION record_ended_session();

CREATE FUNCTION record_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE ended_access SET is_over = false, recorded_at = clock_timestamp()
        WHERE subject = 'member ' || NEW.workspace_id || ' ' || NEW.user_id;
    ELSE
        INSERT INTO ended_access (subject, is_over) VALUES ('member ' || OLD.workspace_id || ' ' || OLD.user_id, true)
        ON CONFLICT (subject) DO UPDATE SET is_over = true, recorded_at = clock_timestamp();
        UPDATE report_shares SET revoked_at = now()
        WHERE workspace_id = OLD.workspace_id AND shared_by = OLD.user_id AND revoked_at IS NULL;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER members_ended AFTER INSERT OR DELETE ON members FOR EACH ROW EXECUTE FUNCTION record_membership();

UPDATE report_shares s SET revoked_at = now()
WHERE s.revoked_at IS NULL
  AND NOT EXISTS (SELECT FROM members m WHERE m.workspace_id = s.workspace_id AND m.user_id = s.shared_by);

-- Keys that were revoked before the triggers existed.
INSERT INTO ended_access (subject, is_over)
SELECT 'credential ' || encode(digest, 'hex'), true FROM api_keys
WHERE revoked_at > now() - interval '8 days'
ON CONFLICT DO NOTHING;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
