"""The forecast of costs: how many answers calls brought, and which monthly limits were announced."""

from sightline.db.migrations.steps import run_sql

revision = "0055"
down_revision = "0054"

STATEMENTS = """
ALTER TABLE platform_costs ADD COLUMN answers bigint NOT NULL DEFAULT 0,
                           ADD COLUMN priced_answers bigint NOT NULL DEFAULT 0;
-- Nearly every answer took one request. Those that took two look too cheap until 30 days have passed.
UPDATE platform_costs SET answers = greatest(calls - failed_calls - editor_calls, 0),
    priced_answers = greatest(
        least(calls - failed_calls, priced_calls) - CASE WHEN editor_cost_usd IS NULL THEN 0 ELSE editor_calls END, 0);

-- A limit that the month will probably reach is announced once a month, and again after it was changed.
ALTER TABLE platform_options ADD COLUMN announced_on date, ADD COLUMN announced_limit_usd numeric;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
