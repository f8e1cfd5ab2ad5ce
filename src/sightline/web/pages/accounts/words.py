"""How these pages say things: roles, refusals, browsers and times."""

from collections.abc import Sequence
from datetime import datetime

from sightline.accounts.models import Role
from sightline.errors import Problem

ROLES = {
    Role.VIEWER: "Sees everything, changes nothing.",
    Role.EDITOR: "Also sets domains up, and decides what is asked and against whom.",
    Role.ADMIN: "Also manages members, keys and webhooks.",
    Role.OWNER: "Also decides about owners and who pays.",
}

_FIELDS = {
    "name": "Name",
    "email": "E-mail",
    "password": "Password",
    "current_password": "The current password",
    "new_password": "New password",
    "workspace_name": "Workspace",
    "role": "Role",
}
# As they name themselves; the first that fits is right, for each also names those that it wants to be taken for.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
    ("python", "Python"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def say_faults(problem: Problem | None) -> Sequence[str]:
    """In sentences, each with the name of its field as the form has it."""
    if problem is None:
        return ()
    errors = problem.members.get("errors", ())
    said = [f"{_FIELDS.get(error['field'], error['field'])} {error['message']}." for error in errors]
    return said or [f"{problem.kind.title}. {problem.detail}"]


def say_agent(agent: str | None) -> str:
    """A browser and its system, as far as it says so."""
    if agent is None:
        return "Unknown browser"
    browser = next((name for mark, name in _BROWSERS if mark in agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in agent), None)
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or agent[:60]


def say_day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b %Y}"


def say_moment(moment: datetime) -> str:
    """Of the last days."""
    return f"{moment.day} {moment:%b, %H:%M} UTC"


def say_when(moment: datetime) -> str:
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"
