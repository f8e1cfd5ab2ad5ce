"""Phrases of the account pages: roles, errors of a form, and browsers."""

from collections.abc import Sequence

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
# By a part of the User-Agent. The order matters: each browser also names those that it is compatible with.
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


def describe_errors(problem: Problem | None) -> Sequence[str]:
    """Return the errors as sentences, each with the label that its field has in the form."""
    if problem is None:
        return ()
    errors = problem.members.get("errors", ())
    sentences = [f"{_FIELDS.get(error['field'], error['field'])} {error['message']}." for error in errors]
    return sentences or [f"{problem.kind.title}. {problem.detail}"]


def list_field_faults(problem: Problem | None) -> dict[str, str]:
    """Return the errors by field, each as a sentence to be shown next to the field."""
    errors = problem.members.get("errors", ()) if problem else ()
    return {error["field"]: f"{_FIELDS.get(error['field'], error['field'])} {error['message']}." for error in errors}


def describe_browser(agent: str | None) -> str:
    """Name the browser and the system of a User-Agent, as far as they are known."""
    if agent is None:
        return "Unknown browser"
    browser = next((name for mark, name in _BROWSERS if mark in agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in agent), None)
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or agent[:60]
