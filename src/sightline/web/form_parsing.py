"""Parsing the body of a form within limits, as it arrives.

The framework's own parser decodes a part with any codec that its sender names.
"""

from collections.abc import AsyncIterator, Sequence
from tempfile import SpooledTemporaryFile
from urllib.parse import parse_qsl

from multipart import (
    MultipartError,
    MultipartSegment,
    ParserLimitReached,
    PushMultipartParser,
    parse_options_header,
)
from starlette.datastructures import ImmutableMultiDict

from sightline.api.edge.body import stream_body
from sightline.api.site_routes import SiteRequest
from sightline.errors import Problem
from sightline.presentation.language import gettext
from sightline.web.fault_texts import refuse_input

_IN_MEMORY = 1 << 20
MAX_FIELDS = 2_000
"""Several times as many as the largest form has."""


class FormFile:
    """A file that was sent with a form. A large one is on disk and never in memory as a whole, unless asked for."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.file = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed with the request

    @property
    def content(self) -> bytes:
        self.file.seek(0)
        return self.file.read()


_Field = tuple[str, str | FormFile]


FormFields = ImmutableMultiDict[str, str | FormFile]


class PageRequest(SiteRequest):
    """A request for a page or with a form, which is parsed once, and within limits."""

    needs_recent_sign_in = False
    parsed_form: FormFields | None = None
    files: Sequence[FormFile] = ()

    def close_files(self) -> None:
        """Delete the files that were sent. Called once the request was answered."""
        for sent in self.files:
            sent.file.close()

    async def form(self) -> FormFields:  # type: ignore[override]  # files are closed with the request
        """Return the fields. Refused: too many fields (413), and a body that cannot be parsed (422)."""
        if self.parsed_form is None:
            content_type, options = parse_options_header(self.headers.get("content-type", ""))
            if content_type == "multipart/form-data":
                chunks = stream_body(self.receive, self.headers.get("content-length"), self.max_body_bytes)
                reader = _PartReader()
                self.files = reader.files
                fields = await _parse_multipart(reader, chunks, options.get("boundary", ""))
            else:
                body = await self.body()
                fields = _parse_url_encoded(body) if content_type == "application/x-www-form-urlencoded" else []
            self.parsed_form = FormFields(fields)
        return self.parsed_form


def _parse_url_encoded(body: bytes) -> list[_Field]:
    if body.count(b"&") >= MAX_FIELDS:
        raise Problem("payload_too_large")
    return [*parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)]


async def _parse_multipart(reader: "_PartReader", chunks: AsyncIterator[bytes], boundary: str) -> list[_Field]:
    """Return the fields. A part with the name of a file is a file, and every other part is text in UTF-8."""
    try:
        with PushMultipartParser(boundary, max_segment_count=MAX_FIELDS, strict=True) as parser:
            async for chunk in chunks:
                for part in parser.parse(chunk) if chunk else ():  # an empty chunk would be the end
                    reader.read(part)
    except ParserLimitReached as error:
        raise Problem("payload_too_large") from error
    except (MultipartError, UnicodeDecodeError) as error:
        sentence = gettext("The form cannot be read. Nothing was saved. Go back and try again.")
        raise refuse_input("form", sentence) from error
    return reader.fields


class _PartReader:
    """The fields of a form, from the parts that the parser finds: the head of a field, its content, and its end."""

    def __init__(self) -> None:
        self.fields: list[_Field] = []
        self.files: list[FormFile] = []
        self._segment: MultipartSegment | None = None
        self._file: FormFile | None = None
        self._content = bytearray()

    def read(self, part: MultipartSegment | bytearray | None) -> None:
        if isinstance(part, MultipartSegment):
            self._segment, self._content = part, bytearray()
            self._file = FormFile(part.filename) if part.filename else None
            if self._file is not None:
                self.files.append(self._file)
        elif part and self._file is not None:
            self._file.file.write(part)
        elif part:
            self._content += part
        elif part is None and self._segment is not None:
            self.fields.append((self._segment.name, self._file or self._content.decode()))
            self._segment = self._file = None
