"""Let checkouts be cancelled and reported, and record the mode of orders at the local provider."""

from sightline.db.migrations.steps import run_sql

revision = "0020"
down_revision = "0019"

STATEMENTS = """
ALTER TABLE checkout_attempts
    ADD COLUMN cancelled_at timestamptz, -- the buyer left or replaced it: its page is to be closed
    ADD COLUMN reported_at  timestamptz; -- when the operator was told that a person has to look at it

-- Attempts that wait for the operator, in any workspace.
CREATE INDEX checkout_attempts_in_review ON checkout_attempts (updated_at)
    WHERE status IN ('reconciliation', 'refund_required');

-- Processes of the version before insert orders without these columns for a while.
ALTER TABLE local_orders
    ADD COLUMN livemode   boolean NOT NULL DEFAULT true,
    ADD COLUMN cancel_url text NOT NULL DEFAULT '/';
UPDATE local_orders SET cancel_url = regexp_replace(return_url, '/return$', '/cancel');
UPDATE local_orders o SET livemode = false FROM checkout_attempts a WHERE a.reference = o.reference AND NOT a.livemode
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
