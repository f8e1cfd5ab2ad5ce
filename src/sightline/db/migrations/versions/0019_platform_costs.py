"""Create what platform calls cost."""

from sightline.db.migrations.steps import run_sql

revision = "0019"
down_revision = "0018"

STATEMENTS = """
-- Calls to live platforms by day (UTC). A sum is null as long as no call has reported the value.
CREATE TABLE platform_costs (
    workspace_id  uuid NOT NULL,
    day           date NOT NULL,
    domain_id     uuid NOT NULL,
    platform      text NOT NULL,
    calls         bigint NOT NULL,
    failed_calls  bigint NOT NULL,
    priced_calls  bigint NOT NULL, -- calls whose cost is in cost_usd
    input_tokens  bigint,
    output_tokens bigint,
    searches      bigint,
    cost_usd      numeric(20, 9),
    PRIMARY KEY (workspace_id, day, domain_id, platform)
) WITH (fillfactor = 50);

-- Batches of calls that are in platform_costs: one that is written again is recognized. Kept for a day.
CREATE TABLE cost_batches (
    id         uuid PRIMARY KEY,
    written_at timestamptz NOT NULL
);
CREATE INDEX cost_batches_by_age ON cost_batches (written_at)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
