"""Store where a suggested prompt comes from, and for how many checks the answers to a prompt have named nobody."""

from sightline.db.migrations.steps import run_sql

revision = "0009"
down_revision = "0008"

STATEMENTS = """
-- Suggestions from before have a bare origin: what it was about was not recorded.
ALTER TABLE prompt_suggestions
    DROP CONSTRAINT prompt_suggestions_origin_check,
    ADD CONSTRAINT prompt_suggestions_origin_check CHECK (
        origin IN ('fan_out', 'question', 'aspect', 'use', 'rivals', 'stage', 'template', 'setup')),
    ADD COLUMN origin_subjects text[] NOT NULL DEFAULT '{}', -- platforms, an aspect, a use, rivals or a stage
    ADD COLUMN origin_answers  integer;                      -- how many answers led to it; null: not recorded

ALTER TABLE prompt_checks ADD COLUMN named boolean; -- an answer names a brand, tracked or not; null: not recorded
ALTER TABLE prompts ADD COLUMN consecutive_unnamed integer NOT NULL DEFAULT 0; -- checks whose answers name nobody
"""


def upgrade() -> None:
    run_sql(STATEMENTS)
