"""Create what lists of answers are filtered by and searched in."""

from sightline.db.migrations.steps import run_sql

revision = "0028"
down_revision = "0027"

STATEMENTS = """
-- One row for each answer of a completed check of a tracked domain. Partitions are those of `answers`.
CREATE TABLE answer_facts (
    workspace_id uuid NOT NULL,
    domain_id    uuid NOT NULL,
    scan_id      uuid NOT NULL,
    answer_id    uuid NOT NULL,
    prompt_id    uuid NOT NULL,
    platform     text NOT NULL,
    labels       text[] NOT NULL,   -- all that a list is filtered by: platform:chatgpt, named, site:g2.com
    words        tsvector NOT NULL, -- of the text, by the rules of its language
    PRIMARY KEY (workspace_id, domain_id, scan_id, answer_id)
) PARTITION BY RANGE (scan_id);
CREATE INDEX answer_facts_search ON answer_facts USING gin (labels, words);
DO $$
DECLARE part record;
BEGIN
    FOR part IN SELECT child.relname, pg_get_expr(child.relpartbound, child.oid) AS bound
                FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid WHERE inhparent = 'answers'::regclass
    LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF answer_facts %s',
                       replace(part.relname, 'answers_', 'answer_facts_'), part.bound);
    END LOOP;
END $$;

-- False for checks from before this table: workers find them, and write the facts of their answers.
ALTER TABLE scan_results ADD COLUMN has_facts boolean NOT NULL DEFAULT false
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
