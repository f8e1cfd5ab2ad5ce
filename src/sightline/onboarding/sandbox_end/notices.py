"""What the owners of workspaces read about the end of the sandbox."""

import uuid
from datetime import datetime, timedelta

from sightline.db.engine import Reader
from sightline.onboarding.sandbox_end import queries
from sightline.onboarding.sandbox_end.models import WorkspaceEnding
from sightline.presentation.dates import format_date
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number

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
    begin = gettext("A platform was connected on %(day)s, so the sandbox ended.", day=format_date(ending.ended_at))
    if ending.closes:
        closed = gettext("The demo workspace “%(name)s” is closed.", name=ending.name)
        return f"{begin} {closed}"
    sentences = [begin]
    if ending.domains:
        domains = ", ".join(ending.domains)
        sentences.append(gettext("Demo domains that are no longer tracked: %(domains)s.", domains=domains))
    if ending.credits:
        sentences.append(
            ngettext(
                "%(number)s credit that was bought with test money was removed.",
                "%(number)s credits that were bought with test money were removed.",
                ending.credits,
                number=format_number(ending.credits),
            )
        )
    return " ".join(sentences)
