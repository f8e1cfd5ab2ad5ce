"""Say that a scan runs on platforms, not of them. A pack that the operator has described stays as it is."""

from sightline.db.migrations.steps import run_sql

revision = "0047"
down_revision = "0046"

STATEMENTS = """
UPDATE credit_packs SET description = changed.new
FROM (VALUES
    ('Ten scans of one platform, or one scan of ten platforms.',
     'Ten scans on one platform, or one scan on ten platforms.'),
    ('Ten scans of five platforms.', 'Ten scans on five platforms.')
) AS changed (old, new)
WHERE credit_packs.description = changed.old
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
