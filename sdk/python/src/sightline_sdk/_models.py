"""What all models share: unknown members and values are accepted, and a model knows the response that it came with."""

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import msgspec

if TYPE_CHECKING:
    Known = TypeVar("Known")
    OneOf: TypeAlias = Known | str
    """One of the known values, or one that a newer server has added."""
else:

    class OneOf:
        """Text at run time: a value that a newer server has added is accepted."""

        def __class_getitem__(cls, known: object) -> type[str]:
            return str


class ResponseInfo(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The response that a model, a page or a stream came with."""

    status: int
    headers: dict[str, str]
    """The headers, with names in lower case."""
    body: bytes
    """The body as it was sent, after decompression. Empty for a stream."""

    @cached_property
    def data(self) -> Any:
        """What the server sent as `data`, as plain objects of Python. None for a stream."""
        return msgspec.json.decode(self.body)["data"] if self.body else None

    @property
    def request_id(self) -> str | None:
        """The id of the request in the server's log."""
        return self.headers.get("x-request-id")

    @property
    def degraded(self) -> bool:
        """Whether the database was down: the data is a copy of an earlier response, or an empty list."""
        return self.headers.get("x-data-degraded") == "true"

    @property
    def stale_at(self) -> datetime | None:
        """When the copy was saved, in a degraded response. None where there was no copy."""
        saved = self.headers.get("x-data-stale-at")
        return None if saved is None else datetime.fromisoformat(saved)

    @property
    def resume_cursor(self) -> str | None:
        """The cursor to read a table with the next time, for what changed since. None where there is none yet."""
        return self.headers.get("x-next-cursor")

    @property
    def replayed(self) -> bool:
        """Whether this is the stored response of an earlier attempt with the same idempotency key."""
        return self.headers.get("x-idempotent-replay") == "true"


class Model(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """An object of the API. Members that this version does not know are ignored."""

    @property
    def response(self) -> ResponseInfo:
        """The response that this object came with. Only objects that a method returns or lists have one."""
        try:
            info: ResponseInfo = self.__dict__["_response"]
        except KeyError:
            raise AttributeError("an object inside of another one has no response of its own") from None
        return info

    @property
    def members(self) -> dict[str, Any]:
        """Every member as the server sent it, with those that this version does not know, and columns of tables."""
        sent, place = self.response.data, self.__dict__["_place"]
        members: dict[str, Any] = sent if place is None else sent[place]
        return members

    def to_dict(self) -> dict[str, Any]:
        """Return the members that this version knows as plain data, with times as text, ready for JSON."""
        members: dict[str, Any] = msgspec.to_builtins(self)
        return members


M = TypeVar("M", bound=Model)


class PageMeta(msgspec.Struct, frozen=True):
    has_more: bool
    next_cursor: str | None = None


class Page(Model, Generic[M], frozen=True, kw_only=True):
    """One page of a list."""

    data: list[M]
    meta: PageMeta

    @property
    def has_more(self) -> bool:
        return self.meta.has_more

    @property
    def next_cursor(self) -> str | None:
        """The value to pass as `cursor` to begin with the next page. None on the last page."""
        return self.meta.next_cursor


class Envelope(msgspec.Struct, Generic[M], frozen=True):
    data: M


def attach_response(model: Model, info: ResponseInfo, place: int | None = None) -> None:
    """Remember the response of an object, and its place in the list that the response has."""
    model.__dict__.update(_response=info, _place=place)
