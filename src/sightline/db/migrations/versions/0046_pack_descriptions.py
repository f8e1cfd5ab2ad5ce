"""Describe the first packs by the scans that they pay for. A pack that the operator has described stays as it is."""

from sightline.db.migrations.steps import run_sql

revision = "0046"
down_revision = "0045"

STATEMENTS = """
UPDATE credit_packs SET description = changed.new
FROM (VALUES
    ('Ten platforms of one check, or one platform of ten checks.',
     'Ten scans on one platform, or one scan on ten platforms.'),
    ('For a check of five platforms every third day.', 'Ten scans on five platforms.'),
    ('For a handful of domains, checked every week.', 'Four weekly scans of ten domains on five platforms.'),
    ('For agencies with many domains.', 'Four weekly scans of 50 domains on five platforms.')
) AS changed (old, new)
WHERE credit_packs.description = changed.old
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
