"""On which surface operators ask a platform, such as its API or its app, and on which one each check did."""

from sightline.db.migrations.steps import run_sql

revision = "0056"
down_revision = "0055"

STATEMENTS = """
ALTER TABLE platform_options ADD COLUMN surface text; -- null for the default

-- The surfaces of its platforms, as JSON; null for checks from before they were recorded, and for made-up answers.
ALTER TABLE scans ADD COLUMN surfaces text;
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
