"""What two checks say of each prompt: on which platforms the brand was gained and lost."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.scans.stored import Scope
from sightline.scoreboard.history import queries
from sightline.scoreboard.models import CheckRow, PromptScanRow, decode_comparable_facts
from sightline.scoreboard.queries import find_latest_source


class PromptChange(msgspec.Struct, frozen=True):
    """Of the platforms that answered in both checks, those that name the brand only now, and only before."""

    gained: tuple[str, ...]
    lost: tuple[str, ...]
    matched: int


class PromptChanges(msgspec.Struct, frozen=True):
    """The changes by prompt, between two checks. A prompt without an answer in both has none."""

    before: datetime
    now: datetime
    by_prompt: dict[uuid.UUID, PromptChange]
    before_id: uuid.UUID
    now_id: uuid.UUID
    scope: Scope = "full_check"
    """The scope of the later check."""


async def read_prompt_changes(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, platform: str = ""
) -> PromptChanges | None:
    """Return the changes between the two latest Full Checks; None while there are fewer than two."""
    source = await find_latest_source(db, workspace_id, domain_id)
    if source is None:
        return None
    checks = await queries.list_latest_full_checks(db, workspace_id, domain_id, source, limit=2)
    if len(checks) < 2:
        return None
    now, before = (CheckRow(*each) for each in checks)
    return await compare_prompts(db, workspace_id, domain_id, before, now, platform=platform)


async def compare_prompts(
    db: Reader,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    before: CheckRow,
    now: CheckRow,
    *,
    platform: str = "",
) -> PromptChanges:
    """Return the changes between two checks, on one platform or on all."""
    rows = await queries.list_prompt_scans_of(db, workspace_id, domain_id, [now.id, before.id])
    later = {row.prompt_id: row for row in rows if row.scan_id == now.id}
    earlier = {row.prompt_id: row for row in rows if row.scan_id == before.id}
    changes = {key: compare_prompt(earlier[key], later[key], platform) for key in later.keys() & earlier.keys()}
    matched = {key: each for key, each in changes.items() if each.matched}
    return PromptChanges(before.completed_at, now.completed_at, matched, before.id, now.id, now.scope)


def compare_prompt(before: PromptScanRow, now: PromptScanRow, platform: str = "") -> PromptChange:
    """Compare the valid answers of the platforms that both checks asked, or of one of them. Pure."""
    was, has = decode_comparable_facts([before.cells, now.cells])
    earlier = {each.platform: each.mentioned for each in was if each.status == "ok"}
    pairs = [
        (each.platform, earlier[each.platform], each.mentioned)
        for each in has
        if each.status == "ok" and each.platform in earlier and platform in ("", each.platform)
    ]
    return PromptChange(
        tuple(platform for platform, was, is_named in pairs if is_named and not was),
        tuple(platform for platform, was, is_named in pairs if was and not is_named),
        len(pairs),
    )
