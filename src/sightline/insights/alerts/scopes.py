"""The scope of an alert, and the text in which it is stored."""

import uuid
from typing import Literal

from sightline.kit.ids import parse_id

Scope = Literal["overall", "platform", "country", "cell"]


def parse_scope(text: str) -> tuple[Scope, str | None, str | None, uuid.UUID | None]:
    kind, _, rest = text.partition(":")
    if kind == "platform":
        return "platform", rest, None, None
    if kind == "country":
        return "country", None, None if rest == "global" else rest, None
    if kind == "cell":
        prompt_id, _, platform = rest.partition(":")
        return "cell", platform, None, parse_id(prompt_id)
    return "overall", None, None, None
