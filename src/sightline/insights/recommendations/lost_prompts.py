"""Prompts that named the brand in earlier checks and no longer do. Pure."""

from collections.abc import Sequence
from itertools import groupby

from sightline.insights.inputs import InsightInputs
from sightline.insights.models import AskedPrompt, NamedShare, ProposedAction
from sightline.metrics.recommendations import LOST_CHECKS, PromptHistory, expect_regained, find_lost_prompts
from sightline.scoreboard.models import CellFacts, PromptScanRow, decode_facts

_Checks = list[tuple[PromptScanRow, list[CellFacts]]]


def find_lost(inputs: InsightInputs) -> list[ProposedAction]:
    """Return one row for all prompts that are lost; none without a history.

    A prompt is lost if its last two checks miss the brand, more often than its earlier share explains.
    """
    prompts = {prompt.id: prompt for prompt in inputs.plan.prompts if prompt.id not in inputs.branded}
    checks = _list_checks(inputs.prompt_scans)
    histories = [_count(prompt_id, checks[prompt_id]) for prompt_id in prompts if prompt_id in checks]
    lost = find_lost_prompts(histories)
    if not lost:
        return []
    missing = [cell for each in lost for _, cells in checks[each.prompt_id][-LOST_CHECKS:] for cell in cells]
    platforms = {cell.platform for cell in missing}
    return [
        ProposedAction(
            kind="win_back",
            subject=max(_find_last_named(checks[each.prompt_id]) for each in lost),
            prompts=tuple(AskedPrompt(each.prompt_id, prompts[each.prompt_id].text) for each in lost),
            platforms=tuple(platform for platform in inputs.plan.platforms if platform in platforms),
            share=NamedShare(0, len(missing)),
            other_share=NamedShare(sum(each.named for each in lost), sum(each.asked for each in lost)),
            expected=expect_regained(lost),
            answer_ids=tuple(cell.answer_id for cell in missing),
        )
    ]


def _list_checks(prompt_scans: Sequence[PromptScanRow]) -> dict[str, _Checks]:
    """Return the valid answers of each check that asked a prompt, oldest first, by the id of the prompt."""
    ordered = sorted(prompt_scans, key=lambda row: (str(row.prompt_id), row.completed_at))
    found: dict[str, _Checks] = {}
    for prompt_id, rows in groupby(ordered, key=lambda row: str(row.prompt_id)):
        checks = [(row, [cell for cell in decode_facts(row.cells) if cell.status == "ok"]) for row in rows]
        found[prompt_id] = [(row, cells) for row, cells in checks if cells]
    return found


def _count(prompt_id: str, checks: _Checks) -> PromptHistory:
    earlier = [cell for _, cells in checks[:-LOST_CHECKS] for cell in cells]
    last = [cell for _, cells in checks[-LOST_CHECKS:] for cell in cells]
    is_missed = len(checks) > LOST_CHECKS and not any(cell.mentioned for cell in last)
    return PromptHistory(
        prompt_id=prompt_id,
        named=sum(cell.mentioned for cell in earlier),
        asked=len(earlier),
        missed=len(last) if is_missed else 0,
    )


def _find_last_named(checks: _Checks) -> str:
    """Return the day of the last check that named the brand."""
    return max(row.completed_at.date().isoformat() for row, cells in checks if any(cell.mentioned for cell in cells))
