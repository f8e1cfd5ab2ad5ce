"""The sandbox's own small wire format: what the connector sends and what the transport answers, both JSON."""

from typing import Literal

import msgspec

from sightline.platforms.models import Source, Usage


class AskPayload(msgspec.Struct, frozen=True):
    platform: str
    prompt: str
    country: str | None = None
    language: str | None = None


class AnswerPayload(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    model: str
    status: Literal["ok", "no_surface"]
    text: str
    cited: tuple[Source, ...]
    retrieved: tuple[Source, ...]
    queries: tuple[str, ...]
    usage: Usage


class ErrorBody(msgspec.Struct, frozen=True):
    type: str
    message: str


class ErrorPayload(msgspec.Struct, frozen=True):
    error: ErrorBody
