"""Reads the JSON of providers leniently: what fits is taken, what does not fit is left out.

Only faults are raised. Only the outermost object has to be right. Everything below it is read piece by piece, so that a
field that changed its type costs that field and not a paid answer.
"""

from typing import Annotated, Any, TypeVar

import msgspec

from sightline.platforms.models import HttpReply, PlatformFault

T = TypeVar("T")
# Absent, until the provider sends it. `read` and `read_all` take it as it is.
ABSENT = msgspec.Raw()
# A figure that a 32-bit column can hold; anything else is a mistake.
MOST = 2**31 - 1
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Money = Annotated[float, msgspec.Meta(ge=0, le=10_000)]
# Deeply nested input makes the decoder itself run out of stack.
_UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)
_LISTERS: dict[Any, msgspec.json.Decoder[Any]] = {}


class PageLink(msgspec.Struct):
    """A page, in the two fields by which nearly every provider names it."""

    url: str | None = None
    title: msgspec.Raw = ABSENT


def read_reply(reply: HttpReply, kind: type[T]) -> T:
    """Decode the whole payload. Blank lines before it are skipped: some servers send them as keep-alive."""
    try:
        return msgspec.json.decode(reply.body.strip(), type=kind)
    except _UNREADABLE as error:
        raise PlatformFault("malformed", "the response is not the expected JSON") from error


def read(raw: msgspec.Raw, kind: type[T]) -> T | None:
    """Return the value, or None if it is absent, null or of another type."""
    try:
        return None if raw is ABSENT else msgspec.json.decode(raw, type=kind)
    except _UNREADABLE:
        return None


def read_all(raw: msgspec.Raw, kind: type[T]) -> tuple[T, ...]:
    """Return the members of a list that have this type; none if it is not a list."""
    if raw is ABSENT:
        return ()
    try:  # nearly always all of them are, and one step reads them faster
        return tuple(_lister(kind).decode(raw))
    except _UNREADABLE:
        return tuple(member for each in read_members(raw) if (member := read(each, kind)) is not None)


def read_members(raw: msgspec.Raw) -> list[msgspec.Raw]:
    """Return all members of a list, undecoded.

    Where positions matter, a member that cannot be read keeps its place.
    """
    try:
        members: list[msgspec.Raw] = [] if raw is ABSENT else _lister(msgspec.Raw).decode(raw)
    except _UNREADABLE:
        return []
    return members


def read_pages(raw: msgspec.Raw) -> tuple[PageLink, ...]:
    """Return the pages of a list that contains addresses, or objects with one."""
    return (*map(PageLink, read_all(raw, str)), *read_all(raw, PageLink))


def _lister(kind: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder for a list of a type. Cached, because building it costs more than decoding with it."""
    if kind not in _LISTERS:
        _LISTERS[kind] = msgspec.json.Decoder(list[kind])
    return _LISTERS[kind]
