"""doctor: what ends with the sandbox when the first platform is connected, and what has ended."""

from typing import Any

from sightline.cli.context import open_database
from sightline.onboarding.sandbox_end.leave import find_endings
from sightline.onboarding.sandbox_end.models import WorkspaceEnding, describe_ending
from sightline.platforms.access import is_sandbox
from sightline.presentation.dates import format_date
from sightline.settings import Settings


async def check_sandbox_end(url: str, settings: Settings) -> list[dict[str, Any]]:
    """Return one finding for the installation, and one for each workspace in which something ends or has ended."""
    async with open_database(url, settings) as db:
        has_ended, endings = await find_endings(db)
    if has_ended:
        return [
            _finding("fine", "ended when the first platform was connected"),
            *(_finding("note", _describe(ending)) for ending in endings),
        ]
    if not is_sandbox(settings):
        return [
            _finding("note", "ends at the next start of serve, api or worker: a platform is connected"),
            *(_finding("note", f"will end: {_describe(ending)}") for ending in endings),
        ]
    return [
        _finding("fine", "no platform is connected; test money and demonstrations end when the first one is connected"),
        *(_finding("note", f"will end: {_describe(ending)}") for ending in endings),
    ]


def _describe(ending: WorkspaceEnding) -> str:
    when = "" if ending.ended_at is None else f" on {format_date(ending.ended_at)}"
    return f"{ending.name} ({ending.workspace_id}): {', '.join(describe_ending(ending))}{when}"


def _finding(state: str, text: str) -> dict[str, Any]:
    return {"state": state, "what": "Sandbox", "text": text, "remedy": None}
