"""What the owners of workspaces read about the end of the sandbox."""

import uuid
from datetime import datetime, timedelta

from sightline.db.engine import Reader
from sightline.onboarding.sandbox_end import queries
from sightline.onboarding.sandbox_end.models import WorkspaceEnding
from sightline.presentation.dates import format_date

_SHOWN_FOR = timedelta(days=30)


async def list_sandbox_notices(
    db: Reader,
    user_id: uuid.UUID,
    workspace_id: uuid.UUID | None,
    *,
    sandbox_ended_at: datetime | None,
    now: datetime,
) -> list[str]:
    """Return sentences for an owner, for a month: what ended in the workspace, and which workspaces were closed."""
    if sandbox_ended_at is None or sandbox_ended_at <= now - _SHOWN_FOR:
        return []
    endings = await queries.list_endings_of_owner(db, user_id, workspace_id, since=now - _SHOWN_FOR)
    return [_write_notice(ending) for ending in endings]


def _write_notice(ending: WorkspaceEnding) -> str:
    assert ending.ended_at is not None  # read from the record
    begin = f"A platform was connected on {format_date(ending.ended_at)}, so the sandbox ended."
    if ending.closes:
        return f"{begin} The workspace “{ending.name}” was made for a demonstration and is closed."
    sentences = [begin]
    if ending.domains:
        sentences.append(f"The demonstration of {', '.join(ending.domains)} is no longer tracked.")
    if ending.credits:
        sentences.append(f"{ending.credits:,} credits that were bought with test money were removed.")
    return " ".join(sentences)
