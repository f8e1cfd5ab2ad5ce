"""Reading forms: fields as text, validated by the same Structs as a body of the API, and refusals as sentences."""

from typing import Any, TypeVar

import msgspec

from sightline.accounts.passwords import MAX_LENGTH
from sightline.api.edge.body import decode_body
from sightline.web.page_requests import PageRequest
from sightline.web.returned_forms import list_fields

T = TypeVar("T", bound=msgspec.Struct)


class Form:
    """The text fields of one form. A missing field reads as empty."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self._fields = fields

    def text(self, name: str) -> str:
        return self._fields.get(name, [""])[-1].strip()

    def password(self, name: str) -> str:
        """Return a password as typed, including white space at its ends, cut just beyond the maximum length."""
        return self._fields.get(name, [""])[-1][: MAX_LENGTH + 1]

    def values(self, name: str) -> list[str]:
        """Return every non-empty value of a field, such as all boxes that were ticked."""
        return [value for value in self._fields.get(name, []) if value]

    def lines(self, name: str) -> list[str]:
        return split_lines(self.text(name))

    def canonical_bytes(self) -> bytes:
        """Return bytes that are equal if and only if all fields are."""
        return msgspec.json.encode(self._fields, order="sorted")


async def read_form(request: PageRequest) -> Form:
    """Read the text fields of a request's form; files are ignored: the import of prompts reads its own."""
    return Form(list_fields(await request.form()))


def decode_form(model: type[T], **members: Any) -> T:
    """Return the members as the API's input type; raise a 422 problem that names the invalid field."""
    return decode_body(msgspec.json.encode(members), model)


def split_lines(text: str) -> list[str]:
    """Return the stripped lines of a text, without blank ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def split_names(text: str) -> list[str]:
    """Return names that are separated by commas or line breaks."""
    return [name.strip() for line in text.splitlines() for name in line.split(",") if name.strip()]
