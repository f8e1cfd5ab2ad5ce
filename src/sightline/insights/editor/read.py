"""Reading what is stored of the editor: the editions of a domain, its use, and whether it may be asked."""

import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import cast

import msgspec

from sightline.accounts.queries import find_workspace
from sightline.db.engine import Reader
from sightline.insights.editor import queries
from sightline.insights.editor.models import (
    EditionAccount,
    EditionRow,
    EditorProblem,
    EditorUse,
    ProblemReason,
    RulesReason,
)
from sightline.insights.editor.requests import UNREADABLE, RequestKind
from sightline.platforms.pauses import read_enabled
from sightline.scans.editor_platform import EditorChoice, EditorPlatform


async def read_edition(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> EditionRow:
    """Return what the editions of a domain build on, with its themes, and how the latest one went."""
    found = await queries.find_edition(db, workspace_id, domain_id)
    return msgspec.structs.replace(found, codebook=await queries.list_themes(db, workspace_id, domain_id))


async def read_use_any_workspace(db: Reader, *, since: datetime) -> EditorUse:
    """Return what the editor was used for since a time; problems are those of each domain's latest edition."""
    requests, checks, cost_usd = await queries.sum_replies_any_workspace(db, since=since)
    accounts = await queries.list_accounts_any_workspace(db)
    return EditorUse(
        requests=requests,
        checks=checks,
        cost_usd=cost_usd,
        problems=_list_problems(accounts),
        faults=tuple(fault for fault, _ in Counter(filter(None, (each.fault for each in accounts))).most_common(5)),
    )


def _list_problems(accounts: Sequence[EditionAccount]) -> tuple[EditorProblem, ...]:
    found: Counter[tuple[RequestKind, ProblemReason]] = Counter()
    for account in accounts:
        for key, number in account.dropped.items():
            kind = key.removesuffix(UNREADABLE)
            found[cast(RequestKind, kind), "unproven" if kind == key else "unreadable"] += number
        for kind, number in account.over_budget.items():
            found[cast(RequestKind, kind), "over_budget"] += number
        for kind, number in account.failed.items():
            found[cast(RequestKind, kind), "failed"] += number
    return tuple(EditorProblem(*key, number) for key, number in found.most_common())


async def find_rules_reason(
    db: Reader, workspace_id: uuid.UUID | None, editor: EditorChoice | EditorPlatform | None, *, is_live: bool = True
) -> RulesReason | None:
    """Return why rules alone work for a workspace, or None if the platform can be asked to edit."""
    if editor is None:
        return "off"
    workspace = workspace_id and await find_workspace(db, workspace_id)
    if workspace_id is not None and (not workspace or workspace.editor_declined):
        return "declined"
    if is_live and not await read_enabled(db, {editor.platform}):
        return "paused"
    return None
