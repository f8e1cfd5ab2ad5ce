"""${message}"""

from sightline.db.migrations.steps import run_sql

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    run_sql("""
    """)
