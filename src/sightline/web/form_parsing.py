"""Parsing the body of a form within limits.

The framework's own parser keeps the last thousand bodies in memory, with the passwords in them, and decodes a part with
any codec that its sender names.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from litestar import Request
from litestar.datastructures import FormMultiDict, State
from litestar.enums import RequestEncodingType
from multipart import MultipartError, MultipartSegment, ParserLimitReached, PushMultipartParser

from sightline.errors import Problem
from sightline.presentation.language import gettext
from sightline.web.fault_texts import refuse_input

MAX_FIELDS = 2_000
"""Several times as many as the largest form has."""


class FormFile(NamedTuple):
    """A file that was sent with a form."""

    name: str
    content: bytes


_Field = tuple[str, str | FormFile]


class FormRequest(Request[Any, Any, State]):
    """A request whose form is parsed once, and within limits."""

    async def form(self) -> FormMultiDict:
        """Return the fields. Refused: too many fields (413), and a body that cannot be parsed (422)."""
        if "parsed_form" not in self.state:
            self.state.parsed_form = FormMultiDict(_parse(await self.body(), *self.content_type))
        form: FormMultiDict = self.state.parsed_form
        return form


def _parse(body: bytes, content_type: str, options: dict[str, str]) -> list[_Field]:
    if content_type == RequestEncodingType.URL_ENCODED:
        return _parse_url_encoded(body)
    if content_type == RequestEncodingType.MULTI_PART:
        return list(_parse_multipart(body, options.get("boundary", "")))
    return []


def _parse_url_encoded(body: bytes) -> list[_Field]:
    if body.count(b"&") >= MAX_FIELDS:
        raise Problem("payload_too_large")
    return [*parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)]


def _parse_multipart(body: bytes, boundary: str) -> Iterator[_Field]:
    """Yield the fields. A part with the name of a file is a file, and every other part is text in UTF-8."""
    try:
        with PushMultipartParser(boundary, max_segment_count=MAX_FIELDS, strict=True) as parser:
            segment, content = None, bytearray()
            for part in parser.parse(body):
                if isinstance(part, MultipartSegment):
                    segment, content = part, bytearray()
                elif part:
                    content += part
                elif segment is not None:
                    yield segment.name, _read_content(segment, bytes(content))
    except ParserLimitReached as error:
        raise Problem("payload_too_large") from error
    except (MultipartError, UnicodeDecodeError) as error:
        sentence = gettext("The form cannot be read. Nothing was saved. Go back and try again.")
        raise refuse_input("form", sentence) from error


def _read_content(segment: MultipartSegment, content: bytes) -> str | FormFile:
    return FormFile(segment.filename, content) if segment.filename else content.decode()
