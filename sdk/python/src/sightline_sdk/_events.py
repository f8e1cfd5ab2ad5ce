"""Reading lines from chunks of bytes, and server-sent events from lines."""

from typing import Generic, TypeVar

import msgspec

D = TypeVar("D")


class ServerEvent(msgspec.Struct, Generic[D], frozen=True):
    """One event of a stream."""

    type: str
    id: str | None
    """The value to pass as `last_event_id`, to go on after this event."""
    data: D


class LineSplitter:
    """Splits bytes into lines at line feeds only: other separators of Unicode are part of the text."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes) -> list[str]:
        """Return the lines that the chunk completes, without their ends."""
        *complete, self._rest = (self._rest + chunk).split(b"\n")
        return [line.removesuffix(b"\r").decode() for line in complete]

    def finish(self) -> list[str]:
        """Return the last line, if it has no end."""
        return [self._rest.decode()] if self._rest else []


class EventParser:
    """Collects the lines of events. Lines other than `event`, `id` and `data` are ignored."""

    def __init__(self) -> None:
        self._type = ""
        self._id: str | None = None
        self._data: list[str] = []

    def feed(self, line: str) -> ServerEvent[str] | None:
        """Take the next line, without its end. Return an event when the line completes one that has data."""
        if not line:
            return self._complete()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._type = value
        elif name == "id":
            self._id = value
        elif name == "data":
            self._data.append(value)
        return None

    def _complete(self) -> ServerEvent[str] | None:
        event = ServerEvent(self._type or "message", self._id, "\n".join(self._data)) if self._data else None
        self._type, self._data = "", []
        return event
