"""Reads JSON of providers. What fits is taken, what does not fit is left out, and nothing but a fault is raised.

Only the outermost object has to be right. Everything below it is read piece by piece, so that a field that changed its
type costs that field and not an answer that was paid for.
"""

from typing import Annotated, Any, TypeVar

import msgspec

from sightline.platforms.models import HttpReply, PlatformFault

T = TypeVar("T")
# Absent, until the provider sends it. `read` and `read_all` take it as it is.
ABSENT = msgspec.Raw()
# A figure that a 32-bit column can hold; anything else is a figure that nobody meant.
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Money = Annotated[float, msgspec.Meta(ge=0, le=10_000)]
# Deeply nested input makes the decoder itself run out of stack.
_UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)


def read_reply(reply: HttpReply, kind: type[T]) -> T:
    """The whole payload. Blank lines before it are skipped: some servers send them to keep a connection alive."""
    try:
        return msgspec.json.decode(reply.body.strip(), type=kind)
    except _UNREADABLE as error:
        raise PlatformFault("malformed", "the reply is not the JSON that was expected") from error


def read(raw: msgspec.Raw, kind: type[T]) -> T | None:
    """The value, or None when it is absent, null or of another type."""
    try:
        return msgspec.json.decode(raw, type=kind) if bytes(raw) else None
    except _UNREADABLE:
        return None


def read_all(raw: msgspec.Raw, kind: type[T]) -> tuple[T, ...]:
    """The members of a list that are of this type; no list, no members."""
    members = read(raw, list[msgspec.Raw]) or []
    return tuple(member for each in members if (member := read(each, kind)) is not None)


def read_any(raw: msgspec.Raw) -> Any:
    """The value of whatever type, or None."""
    return read(raw, object)
