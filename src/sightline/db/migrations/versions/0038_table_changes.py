"""Record what changed in the tables that analysts read, and in which transaction."""

from sightline.db.migrations.steps import run_sql

revision = "0038"
down_revision = "0037"

TABLES = """
-- The latest change of each unit (ADR 36): a scan, or one row of the insights.
CREATE TABLE table_changes (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    unit         text NOT NULL CHECK (unit IN ('scan', 'theme', 'recommendation', 'alert')),
    key          uuid NOT NULL, -- id of the scan or of the row
    scan_id      uuid NOT NULL,
    measured_at  timestamptz NOT NULL,
    changed_xid  xid8 NOT NULL DEFAULT pg_current_xact_id(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    removed_at   timestamptz,
    metrics_version   text, -- of the scan at that time: insights stay as they were written when it is recomputed
    extractor_version text,
    PRIMARY KEY (workspace_id, domain_id, unit, key)
) WITH (fillfactor = 70);

-- The latest change of what all units of a domain share: the tags of its prompts, or which recommendations are done.
CREATE TABLE domain_changes (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    subject      text NOT NULL CHECK (subject IN ('tags', 'marks')),
    changed_xid  xid8 NOT NULL DEFAULT pg_current_xact_id(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, domain_id, subject)
);

-- Rows of a scan that a later analysis of its answers no longer has.
CREATE TABLE removed_rows (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    table_name   text NOT NULL,
    scan_id      uuid NOT NULL,
    row_id       text NOT NULL,
    removed_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, domain_id, scan_id, table_name, row_id)
);

-- Every tag that a prompt has or had.
CREATE TABLE prompt_tags_seen (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    prompt_id    uuid NOT NULL,
    tag          text NOT NULL,
    PRIMARY KEY (workspace_id, domain_id, prompt_id, tag)
);
"""

TRIGGERS = """
CREATE FUNCTION stamp_table_change(
    workspace uuid, domain uuid, changed_unit text, unit_key uuid, scan uuid, measured timestamptz
) RETURNS void LANGUAGE sql AS $$
    INSERT INTO table_changes (
        workspace_id, domain_id, unit, key, scan_id, measured_at, metrics_version, extractor_version)
    SELECT workspace, domain, changed_unit, unit_key, scan, measured, r.metrics_version, r.extractor_version
    FROM (SELECT) one LEFT JOIN scan_results r ON r.workspace_id = workspace AND r.scan_id = scan
    ON CONFLICT (workspace_id, domain_id, unit, key) DO UPDATE
    SET scan_id = excluded.scan_id, measured_at = excluded.measured_at, changed_xid = pg_current_xact_id(),
        updated_at = now(), removed_at = NULL, metrics_version = excluded.metrics_version,
        extractor_version = excluded.extractor_version;
$$;

CREATE FUNCTION stamp_domain_change(workspace uuid, domain uuid, changed text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO domain_changes (workspace_id, domain_id, subject) VALUES (workspace, domain, changed)
    ON CONFLICT (workspace_id, domain_id, subject) DO UPDATE
    SET changed_xid = pg_current_xact_id(), updated_at = now();
$$;

CREATE FUNCTION stamp_scan_results() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM stamp_table_change(s.workspace_id, s.domain_id, 'scan', s.id, s.id, s.completed_at)
    FROM scans s
    WHERE s.workspace_id = NEW.workspace_id AND s.id = NEW.scan_id AND s.status = 'completed'
      AND s.measurement_scope <> 'console_check';
    RETURN NULL;
END $$;
CREATE TRIGGER scan_results_changed
    AFTER INSERT OR UPDATE OF results, metrics_version, extractor_version ON scan_results
    FOR EACH ROW EXECUTE FUNCTION stamp_scan_results();

-- Results can be stored before the scan is completed, and the names that it measures can change alone.
CREATE FUNCTION stamp_completed_scan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM stamp_table_change(NEW.workspace_id, NEW.domain_id, 'scan', NEW.id, NEW.id, NEW.completed_at);
    RETURN NULL;
END $$;
CREATE TRIGGER scans_changed AFTER UPDATE OF status, brand, prompts ON scans
    FOR EACH ROW WHEN (NEW.status = 'completed' AND NEW.measurement_scope <> 'console_check')
    EXECUTE FUNCTION stamp_completed_scan();

-- Themes and recommendations: the unit is the trigger's argument.
CREATE FUNCTION stamp_insight() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE table_changes SET changed_xid = pg_current_xact_id(), updated_at = now(), removed_at = now()
        WHERE workspace_id = OLD.workspace_id AND domain_id = OLD.domain_id AND unit = TG_ARGV[0] AND key = OLD.id;
    ELSE
        PERFORM stamp_table_change(
            NEW.workspace_id, NEW.domain_id, TG_ARGV[0], NEW.id, NEW.scan_id,
            coalesce((SELECT completed_at FROM scans WHERE workspace_id = NEW.workspace_id AND id = NEW.scan_id),
                     now()));
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER themes_changed AFTER INSERT OR UPDATE OR DELETE ON themes
    FOR EACH ROW EXECUTE FUNCTION stamp_insight('theme');
CREATE TRIGGER recommendations_changed AFTER INSERT OR UPDATE OR DELETE ON recommendations
    FOR EACH ROW EXECUTE FUNCTION stamp_insight('recommendation');

CREATE FUNCTION stamp_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE table_changes SET changed_xid = pg_current_xact_id(), updated_at = now(), removed_at = now()
        WHERE workspace_id = OLD.workspace_id AND domain_id = OLD.domain_id AND unit = 'alert' AND key = OLD.id;
    ELSE
        PERFORM stamp_table_change(NEW.workspace_id, NEW.domain_id, 'alert', NEW.id, NEW.scan_id, NEW.watched_at);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER alerts_changed AFTER INSERT OR UPDATE OR DELETE ON alerts FOR EACH ROW EXECUTE FUNCTION stamp_alert();

CREATE FUNCTION stamp_marks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE mark recommendation_marks%ROWTYPE := coalesce(NEW, OLD);
BEGIN
    PERFORM stamp_domain_change(mark.workspace_id, mark.domain_id, 'marks');
    RETURN NULL;
END $$;
CREATE TRIGGER recommendation_marks_changed AFTER INSERT OR UPDATE OR DELETE ON recommendation_marks
    FOR EACH ROW EXECUTE FUNCTION stamp_marks();

CREATE FUNCTION stamp_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO prompt_tags_seen (workspace_id, domain_id, prompt_id, tag)
    SELECT NEW.workspace_id, NEW.domain_id, NEW.id, tag FROM unnest(NEW.tags) AS tag ON CONFLICT DO NOTHING;
    PERFORM stamp_domain_change(NEW.workspace_id, NEW.domain_id, 'tags');
    RETURN NULL;
END $$;
CREATE TRIGGER prompts_tagged AFTER INSERT ON prompts
    FOR EACH ROW WHEN (NEW.tags <> '{}') EXECUTE FUNCTION stamp_tags();
CREATE TRIGGER prompts_retagged AFTER UPDATE OF tags ON prompts
    FOR EACH ROW WHEN (NEW.tags IS DISTINCT FROM OLD.tags) EXECUTE FUNCTION stamp_tags();
"""

# Stored rows count as changed when they were measured. One row for each scan, not for each answer: this takes a moment.
STORED = """
INSERT INTO table_changes (workspace_id, domain_id, unit, key, scan_id, measured_at, updated_at)
SELECT s.workspace_id, s.domain_id, 'scan', s.id, s.id, s.completed_at, s.completed_at
FROM scans s JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
WHERE s.status = 'completed' AND s.measurement_scope <> 'console_check';
INSERT INTO table_changes (workspace_id, domain_id, unit, key, scan_id, measured_at, updated_at)
SELECT t.workspace_id, t.domain_id, t.unit, t.id, t.scan_id, s.completed_at, s.completed_at
FROM (SELECT workspace_id, domain_id, id, scan_id, 'theme' AS unit FROM themes
      UNION ALL SELECT workspace_id, domain_id, id, scan_id, 'recommendation' FROM recommendations) t
JOIN scans s ON s.workspace_id = t.workspace_id AND s.id = t.scan_id;
INSERT INTO table_changes (workspace_id, domain_id, unit, key, scan_id, measured_at, updated_at)
SELECT workspace_id, domain_id, 'alert', id, scan_id, watched_at, updated_at FROM alerts;
UPDATE table_changes c SET metrics_version = r.metrics_version, extractor_version = r.extractor_version
FROM scan_results r WHERE r.workspace_id = c.workspace_id AND r.scan_id = c.scan_id;
INSERT INTO prompt_tags_seen (workspace_id, domain_id, prompt_id, tag)
SELECT workspace_id, domain_id, id, tag FROM prompts, unnest(tags) AS tag ON CONFLICT DO NOTHING;
CREATE INDEX table_changes_newest ON table_changes (workspace_id, domain_id, unit, changed_xid)
"""


def upgrade() -> None:
    run_sql(TABLES + TRIGGERS + STORED)
