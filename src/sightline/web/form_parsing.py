"""Parsing the body of a form within limits.

The framework's own parser can write files to disk, and decodes a part with any codec that its sender names.
"""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import parse_qsl

from multipart import (
    MultipartError,
    MultipartSegment,
    ParserLimitReached,
    PushMultipartParser,
    parse_options_header,
)
from starlette.datastructures import ImmutableMultiDict

from sightline.api.site_routes import SiteRequest
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


FormFields = ImmutableMultiDict[str, str | FormFile]


class PageRequest(SiteRequest):
    """A request for a page or with a form, which is parsed once, and within limits."""

    parsed_form: FormFields | None = None

    async def form(self) -> FormFields:  # type: ignore[override]  # without files on disk, nothing has to be closed
        """Return the fields. Refused: too many fields (413), and a body that cannot be parsed (422)."""
        if self.parsed_form is None:
            content_type, options = parse_options_header(self.headers.get("content-type", ""))
            self.parsed_form = FormFields(_parse(await self.body(), content_type, options))
        return self.parsed_form


def _parse(body: bytes, content_type: str, options: dict[str, str]) -> list[_Field]:
    if content_type == "application/x-www-form-urlencoded":
        return _parse_url_encoded(body)
    if content_type == "multipart/form-data":
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
