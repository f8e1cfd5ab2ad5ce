"""What a person typed into a form: read as text, and judged by the same shapes as a body of the API."""

from typing import Any, TypeVar

import msgspec

from sightline.api.edge.body import decode_body
from sightline.web.visits import Asked

Given = TypeVar("Given", bound=msgspec.Struct)


class Form:
    """The fields of one form. What is missing reads as empty."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self._fields = fields

    def text(self, name: str) -> str:
        return self._fields.get(name, [""])[-1].strip()

    def every(self, name: str) -> list[str]:
        """All that were ticked."""
        return [value for value in self._fields.get(name, []) if value]

    def lines(self, name: str) -> list[str]:
        """One each line; empty ones say nothing."""
        return [line.strip() for line in self.text(name).splitlines() if line.strip()]

    def spell(self) -> bytes:
        """The same fields, the same bytes."""
        return msgspec.json.encode(self._fields, order="sorted")


async def read_form(request: Asked) -> Form:
    given = await request.form()
    fields: dict[str, list[str]] = {}
    for name, value in given.multi_items():
        if isinstance(value, str):  # a file has no place in any of our forms
            fields.setdefault(name, []).append(value)
    return Form(fields)


def fit(model: type[Given], **members: Any) -> Given:
    """The shape of the API's body; 422 that names the field where it does not fit."""
    return decode_body(msgspec.json.encode(members), model)
