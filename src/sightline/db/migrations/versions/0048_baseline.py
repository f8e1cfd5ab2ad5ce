"""The baseline, which replaced migrations 0001 to 0048 (ADR 44). `before_baseline.py` brings 0047 to it."""

from pathlib import Path

from sightline.db.migrations.steps import run_sql

revision = "0048"
down_revision = None


def upgrade() -> None:
    run_sql(Path(__file__).with_suffix(".sql").read_text())
