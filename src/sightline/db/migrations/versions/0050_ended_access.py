"""Record every end of access by a trigger, and empty the table of forms, which stay in the browser now.

Old processes write to `kept_forms` during an upgrade, so a later release drops it.
"""

from sightline.db.migrations.steps import run_sql

revision = "0050"
down_revision = "0049"

STATEMENTS = """
-- When a secret stops working, by the row of its key: the rule of the statement that recognizes keys.
CREATE FUNCTION find_secret_end(key api_keys, secret bytea) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN key.revoked_at IS NOT NULL THEN '-infinity'
                WHEN key.digest = secret THEN coalesce(key.expires_at, 'infinity')
                WHEN key.previous_digest = secret
                THEN coalesce(least(key.expires_at, key.previous_ends_at), 'infinity')
                ELSE '-infinity' END
$$;

CREATE OR REPLACE FUNCTION record_ended_key() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    secret bytea;
    ends timestamptz;
BEGIN
    FOREACH secret IN ARRAY ARRAY[OLD.digest, OLD.previous_digest] LOOP
        ends := CASE WHEN TG_OP = 'DELETE' THEN '-infinity' ELSE find_secret_end(NEW, secret) END;
        IF ends < find_secret_end(OLD, secret) THEN
            PERFORM record_ended_credential(secret, nullif(ends, '-infinity'));
        END IF;
    END LOOP;
    RETURN NULL;
END $$;
DROP TRIGGER api_keys_ended ON api_keys;
CREATE TRIGGER api_keys_ended
    AFTER DELETE OR UPDATE OF revoked_at, expires_at, digest, previous_digest, previous_ends_at ON api_keys
    FOR EACH ROW EXECUTE FUNCTION record_ended_key();

CREATE FUNCTION record_shortened_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM record_ended_credential(OLD.digest, NEW.expires_at);
    RETURN NULL;
END $$;
CREATE TRIGGER sessions_shortened AFTER UPDATE OF expires_at ON sessions
    FOR EACH ROW WHEN (NEW.expires_at < OLD.expires_at) EXECUTE FUNCTION record_shortened_session();

CREATE FUNCTION record_closed_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ended_access (subject, is_over)
    SELECT 'member ' || workspace_id || ' ' || user_id, true FROM members WHERE workspace_id = NEW.id
    ON CONFLICT (subject) DO UPDATE SET is_over = true, recorded_at = clock_timestamp();
    RETURN NULL;
END $$;
CREATE TRIGGER workspaces_closed AFTER UPDATE OF closed_at ON workspaces
    FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL) EXECUTE FUNCTION record_closed_workspace();

DELETE FROM kept_forms;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
