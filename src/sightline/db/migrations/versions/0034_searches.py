"""Store how long each answer took, and request new facts: searches, models and faults."""

from sightline.db.migrations.steps import run_sql

revision = "0034"
down_revision = "0033"

STATEMENTS = """
ALTER TABLE answer_facts ADD COLUMN latency_ms integer; -- null if the platform was never asked

-- Stored answers get the searches, the model and the fault among their labels.
UPDATE scan_results SET has_facts = false WHERE has_facts
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
