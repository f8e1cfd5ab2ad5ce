"""Say of the larger packs that they pay for one scan a week. A pack that the operator has described stays as it is."""

from sightline.db.migrations.steps import run_sql

revision = "0047"
down_revision = "0046"

STATEMENTS = """
UPDATE credit_packs SET description = changed.new
FROM (VALUES
    ('Four weekly scans of ten domains on five platforms.',
     'One scan a week for four weeks, for each of ten domains, on five platforms.'),
    ('Four weekly scans of 50 domains on five platforms.',
     'One scan a week for four weeks, for each of 50 domains, on five platforms.')
) AS changed (old, new)
WHERE credit_packs.description = changed.old
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
