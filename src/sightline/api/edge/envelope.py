"""The envelope of every success: `data`, and `meta` with the request's id."""

from contextvars import ContextVar
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")

current_request_id: ContextVar[str] = ContextVar("current_request_id")


class Meta(msgspec.Struct, frozen=True):
    request_id: str = msgspec.field(default_factory=current_request_id.get)


class PageMeta(msgspec.Struct, frozen=True):
    has_more: bool
    next_cursor: str | None
    # Last on purpose: a saved copy is the body up to here, completed with the id of the request that reads it.
    request_id: str = msgspec.field(default_factory=current_request_id.get)


class One(msgspec.Struct, Generic[T], frozen=True):
    """A single resource."""

    data: T
    meta: Meta = msgspec.field(default_factory=Meta)


class Page(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list."""

    data: list[T]
    meta: PageMeta


def without_request_id(body: bytes, request_id: str) -> bytes | None:
    """The body up to the value of its request id; None when it is not one of our envelopes."""
    tail = b'"request_id":"%b"}}' % request_id.encode()
    return body[: -len(tail)] + b'"request_id":"' if body.endswith(tail) else None


def with_request_id(start: bytes, request_id: str) -> bytes:
    return start + request_id.encode() + b'"}}'
