"""What a Full Check will cost: its answers at the usual cost of their platforms, and the editor's share of it."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.insights.editor.caller import limit_edition
from sightline.insights.editor.read import find_rules_reason
from sightline.platforms.access import find_connections, is_sandbox
from sightline.platforms.costs.spend import estimate_call_costs
from sightline.scans.editor_platform import EditorChoice, choose_editor
from sightline.settings import Settings


class CheckCost(msgspec.Struct, frozen=True, kw_only=True):
    """What a Full Check will cost, in US dollars. An unknown cost is None."""

    answers: int
    answers_usd: float | None
    editor: EditorChoice | None
    """None if nobody edits the check."""
    editor_usd: float | None
    """The most that the editor can cost."""
    editor_requests: int
    """The most that the editor is asked."""


async def estimate_check_cost(
    db: Reader,
    settings: Settings,
    workspace_id: uuid.UUID | None,
    *,
    prompts: int,
    platforms: Sequence[str],
    now: datetime,
) -> CheckCost | None:
    """Return what a Full Check of so many prompts will cost; None in the sandbox, which costs nothing.

    The answers cost what those of their platforms cost on average in the last 30 days, in all workspaces. Without a
    workspace, it is a check of one that has not declined the editor.
    """
    if is_sandbox(settings):
        return None
    editor = choose_editor(settings, find_connections(settings))
    if await find_rules_reason(db, workspace_id, editor) is not None:
        editor = None
    usual = await estimate_call_costs(db, now=now)
    answers = prompts * len(platforms)
    is_known = answers > 0 and usual.keys() >= set(platforms)
    answers_usd = prompts * sum(usual[key] for key in platforms) if is_known else None
    is_priced = editor is not None and editor.platform in settings.platform_prices
    limit = limit_edition(answers, answers_usd if is_priced else None)
    return CheckCost(
        answers=answers,
        answers_usd=answers_usd,
        editor=editor,
        editor_usd=limit.cost_usd if editor else None,
        editor_requests=limit.requests if editor else 0,
    )
