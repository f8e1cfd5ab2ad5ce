"""Phrases of the account pages: what each role may do, and browsers."""

from collections.abc import Mapping

from sightline.accounts.models import Role
from sightline.presentation.language import gettext, translatable

ROLES: Mapping[Role, str] = {
    Role.VIEWER: translatable(
        "Can view everything except keys, webhooks and the cost of platform calls. Cannot change anything."
    ),
    Role.EDITOR: translatable("Can also set up domains and change prompts and competitors."),
    Role.ADMIN: translatable("Can also manage members, keys and webhooks."),
    Role.OWNER: translatable("Can also manage owners and choose the payer."),
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


def describe_browser(agent: str | None) -> str:
    """Name the browser and the system of a User-Agent, as far as they are known."""
    if agent is None:
        return gettext("Unknown browser")
    browser = next((name for mark, name in _BROWSERS if mark in agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in agent), None)
    if browser and system:
        return gettext("%(browser)s on %(system)s", browser=browser, system=system)
    return browser or system or agent[:60]
