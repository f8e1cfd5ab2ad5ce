"""Store the rows of themes, recommendations and alerts in the flat tables, built when they are stored.

Workers build the rows of earlier insights. Building one does not change the insight, so the triggers that stamp changes
watch the other columns. An alert loses its row when its evidence changes, because a process of the previous version may
confirm it without writing a new row.
"""

from sightline.db.migrations.steps import run_sql

revision = "0052"
down_revision = "0051"

STATEMENTS = """
ALTER TABLE themes ADD COLUMN table_row jsonb;
ALTER TABLE recommendations ADD COLUMN table_row jsonb;
ALTER TABLE alerts ADD COLUMN table_row jsonb;

DROP TRIGGER themes_changed ON themes;
CREATE TRIGGER themes_changed AFTER INSERT OR DELETE OR UPDATE OF scan_id, place, theme ON themes
    FOR EACH ROW EXECUTE FUNCTION stamp_insight('theme');
DROP TRIGGER recommendations_changed ON recommendations;
CREATE TRIGGER recommendations_changed AFTER INSERT OR DELETE OR UPDATE OF scan_id, place, recommendation
    ON recommendations FOR EACH ROW EXECUTE FUNCTION stamp_insight('recommendation');
DROP TRIGGER alerts_changed ON alerts;
CREATE TRIGGER alerts_changed
    AFTER INSERT OR DELETE OR UPDATE OF state, evidence, scan_id, watched_at, confirmed_at, resolved_at ON alerts
    FOR EACH ROW EXECUTE FUNCTION stamp_alert();

CREATE FUNCTION drop_table_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.table_row := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER alerts_evidence_replaced BEFORE UPDATE OF evidence ON alerts
    FOR EACH ROW WHEN (NEW.evidence IS DISTINCT FROM OLD.evidence) EXECUTE FUNCTION drop_table_row();
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
