"""What is stored of an uploaded file and of the second opinion on it."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

from sightline.answers.models import Brand
from sightline.scans.answer_files.columns import FileLayout

JOB = "opinion.form"
MAX_FILE_BYTES = 50 * 1024 * 1024
MAX_ANSWERS = 20_000
"""More answers would keep a worker busy for many minutes. The command line takes more."""
MAX_WAITING = 3
MAX_A_DAY = 20
MAX_COMPETITORS = 20

OpinionState = Literal["uploaded", "queued", "done", "failed"]


class OpinionJob(msgspec.Struct, frozen=True):
    """Payload of the job that measures a file."""

    workspace_id: uuid.UUID
    opinion_id: uuid.UUID

    @property
    def key(self) -> str:
        return f"{JOB}:{self.opinion_id}"


class OpinionRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which brands to measure in a file. Without competitors, the most named brands are compared."""

    brand: Brand
    competitors: tuple[Brand, ...] = ()


class FileHead(msgspec.Struct, frozen=True, kw_only=True):
    """The beginning of a file, for people to see what its columns hold."""

    layout: FileLayout
    samples: dict[str, str] = {}
    """The first value of each column, shortened."""


class OpinionRow(msgspec.Struct, frozen=True):
    """One row of `second_opinions` without the file and the result."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    file_name: str
    state: OpinionState
    request: bytes
    head: bytes
    fault: str | None
    created_at: datetime
    expires_at: datetime

    def read_request(self) -> OpinionRequest:
        return _decode_request(self.request)

    def read_head(self) -> FileHead:
        return _decode_head(self.head)


_decode_request = msgspec.json.Decoder(OpinionRequest).decode
_decode_head = msgspec.json.Decoder(FileHead).decode
