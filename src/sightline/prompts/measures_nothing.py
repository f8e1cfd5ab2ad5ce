"""Whether a prompt measures nothing: no answer to it names any brand, so it cannot tell where a brand stands. Pure."""

from sightline.prompts.models import PromptRow

MIN_UNNAMED_CHECKS = 3


def measures_nothing(row: PromptRow) -> bool:
    return row.consecutive_unnamed >= MIN_UNNAMED_CHECKS
