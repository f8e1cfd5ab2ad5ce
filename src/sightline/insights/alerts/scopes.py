"""The scope of an alert, and the text in which it is stored."""

import uuid
from typing import Literal

import msgspec

from sightline.kit.ids import parse_id

Scope = Literal["overall", "platform", "country", "cell"]

# A part has no space in its text, and a name may have anything, so the name comes last.
_COMPETITOR = " competitor:"


class AlertScope(msgspec.Struct, frozen=True, kw_only=True):
    """What an alert is about: a part of a check, such as one platform, and the competitor, if it is about one."""

    kind: Scope = "overall"
    platform: str | None = None
    country: str | None = None
    """Null for Global, and for other parts."""
    prompt_id: uuid.UUID | None = None
    competitor: str | None = None


def parse_scope(text: str) -> AlertScope:
    part, _, name = text.partition(_COMPETITOR)
    kind, _, rest = part.partition(":")
    competitor = name or None
    if kind == "platform":
        return AlertScope(kind="platform", platform=rest, competitor=competitor)
    if kind == "country":
        return AlertScope(kind="country", country=None if rest == "global" else rest, competitor=competitor)
    if kind == "cell":
        prompt_id, _, platform = rest.partition(":")
        return AlertScope(kind="cell", platform=platform, prompt_id=parse_id(prompt_id), competitor=competitor)
    return AlertScope(competitor=competitor)


def format_scope(scope: AlertScope) -> str:
    """Return the text in which the scope is stored."""
    parts = {
        "overall": "overall",
        "platform": f"platform:{scope.platform}",
        "country": f"country:{scope.country or 'global'}",
        "cell": f"cell:{scope.prompt_id}:{scope.platform}",
    }
    return add_competitor(parts[scope.kind], scope.competitor)


def add_competitor(part: str, competitor: str | None) -> str:
    """Return the scope of a part for a competitor, or of the part itself for the own brand."""
    return f"{part}{_COMPETITOR}{competitor}" if competitor else part
