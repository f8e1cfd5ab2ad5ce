"""Store platforms that operators connect in the browser, with prices and monthly limits."""

from sightline.db.migrations.steps import run_sql

revision = "0027"
down_revision = "0026"

STATEMENTS = """
CREATE TABLE platform_credentials (
    vendor   text PRIMARY KEY,
    sealed   bytea,             -- the key; NULL for a server that needs none, and where only a model is saved
    hint     text NOT NULL,     -- its last four characters, for people
    base_url text,              -- of a server of one's own
    model    text,
    saved_at timestamptz NOT NULL
);
CREATE TABLE platform_options (
    platform          text PRIMARY KEY,
    prices            jsonb,    -- in US dollars: tokens per million, searches per thousand
    monthly_limit_usd numeric CHECK (monthly_limit_usd >= 0),
    saved_at          timestamptz NOT NULL
);
ALTER TABLE platform_pauses
    ADD COLUMN reason text NOT NULL DEFAULT 'operator' CHECK (reason IN ('operator', 'monthly_limit'));
-- What all workspaces spent in a month.
CREATE INDEX platform_costs_by_day ON platform_costs (day)
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
