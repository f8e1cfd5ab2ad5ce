"""What ends with the sandbox, by workspace."""

import uuid
from datetime import datetime

import msgspec


class WorkspaceEnding(msgspec.Struct, frozen=True):
    """What ends in one workspace, or has ended: then `ended_at` says when."""

    workspace_id: uuid.UUID
    name: str
    closes: bool
    """The workspace was made for a demonstration and is closed."""
    domains: list[str]
    """Demonstration domains that are no longer tracked."""
    credits: int
    """Live credits that are removed: all of a closed workspace, otherwise those bought with test money."""
    ended_at: datetime | None = None


def describe_ending(ending: WorkspaceEnding) -> list[str]:
    """Return what ends in the workspace as phrases, such as "10 credits removed"."""
    phrases = ["closed"] if ending.closes else []
    if ending.domains:
        phrases.append(f"demonstration of {', '.join(ending.domains)} ended")
    if ending.credits:
        bought = "" if ending.closes else " bought with test money"
        phrases.append(f"{ending.credits:,} credits{bought} removed")
    return phrases
