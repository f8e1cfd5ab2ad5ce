"""The envelope of every successful response: `data`, and `meta` with the request's id."""

from contextvars import ContextVar
from typing import Annotated, Generic, TypeVar

import msgspec

T = TypeVar("T")

current_request_id: ContextVar[str] = ContextVar("current_request_id")


class Meta(msgspec.Struct, frozen=True):
    """Information about a response."""

    request_id: Annotated[str, msgspec.Meta(description="Same value as the header `X-Request-Id`.")] = msgspec.field(
        default_factory=current_request_id.get
    )


class PageMeta(msgspec.Struct, frozen=True):
    """Information about a page of a list, and how to get the next one."""

    has_more: Annotated[bool, msgspec.Meta(description="Whether another page follows.")]
    next_cursor: Annotated[
        str | None, msgspec.Meta(description="Value to send as `cursor` for the next page. Null on the last page.")
    ]
    # Must be the last field: a saved copy is the body up to here, completed with the id of the request that reads it.
    request_id: Annotated[str, msgspec.Meta(description="Same value as the header `X-Request-Id`.")] = msgspec.field(
        default_factory=current_request_id.get
    )


class Envelope(msgspec.Struct, Generic[T], frozen=True):
    """A single resource."""

    data: Annotated[T, msgspec.Meta(description="The resource.")]
    meta: Annotated[Meta, msgspec.Meta(description="Information about the response.")] = msgspec.field(
        default_factory=Meta
    )


class Page(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list."""

    data: Annotated[list[T], msgspec.Meta(description="Rows of this page.")]
    meta: Annotated[PageMeta, msgspec.Meta(description="Information about the response and the next page.")]


def strip_request_id(body: bytes, request_id: str) -> bytes | None:
    """Return the body up to the value of its request id; None when it is not one of our envelopes."""
    tail = b'"request_id":"%b"}}' % request_id.encode()
    return body[: -len(tail)] + b'"request_id":"' if body.endswith(tail) else None


def append_request_id(start: bytes, request_id: str) -> bytes:
    """Complete a body that `strip_request_id` has cut off."""
    return start + request_id.encode() + b'"}}'
