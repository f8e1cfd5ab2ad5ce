"""Responses that are read as they arrive: files and server-sent events."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Generic

import httpx2
import msgspec

from sightline_sdk._calls import Call
from sightline_sdk._errors import UnreadableResponseError
from sightline_sdk._events import EventParser, LineSplitter, ServerEvent
from sightline_sdk._models import M, ResponseInfo
from sightline_sdk._transport import AsyncTransport, Transport, explain_failure, read_info


class _Opened:
    """What a stream knows of the response that it reads."""

    def __init__(self) -> None:
        self._info: ResponseInfo | None = None

    @property
    def response(self) -> ResponseInfo:
        """Status and headers of the response, once reading has begun."""
        if self._info is None:
            raise AttributeError("the stream was not read yet")
        return self._info


class ByteStream(_Opened):
    """A file of the API. Nothing is requested before it is read; each way of reading requests it again."""

    def __init__(self, transport: Transport, call: Call) -> None:
        super().__init__()
        self._transport = transport
        self._call = call

    @contextmanager
    def _open(self) -> Iterator[httpx2.Response]:
        response = self._transport.send(self._call, stream=True)
        self._info = read_info(response)
        try:
            yield response
        except httpx2.HTTPError as failure:
            raise explain_failure(failure) from failure
        finally:
            response.close()

    def __iter__(self) -> Iterator[bytes]:
        """Yield the content in chunks. An incomplete response raises `ConnectionFailedError`."""
        with self._open() as response:
            yield from response.iter_bytes()

    def lines(self) -> Iterator[str]:
        """Yield the lines of a text, such as the rows of a CSV file, without their ends."""
        splitter = LineSplitter()
        for chunk in self:
            yield from splitter.feed(chunk)
        yield from splitter.finish()

    def read(self) -> bytes:
        return b"".join(self)

    def save(self, path: str | Path) -> None:
        """Write the content to a file, chunk by chunk."""
        with Path(path).open("wb") as file:
            file.writelines(self)


class AsyncByteStream(_Opened):
    """A file of the API. Nothing is requested before it is read; each way of reading requests it again."""

    def __init__(self, transport: AsyncTransport, call: Call) -> None:
        super().__init__()
        self._transport = transport
        self._call = call

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[httpx2.Response]:
        response = await self._transport.send(self._call, stream=True)
        self._info = read_info(response)
        try:
            yield response
        except httpx2.HTTPError as failure:
            raise explain_failure(failure) from failure
        finally:
            await response.aclose()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the content in chunks. An incomplete response raises `ConnectionFailedError`."""
        async with self._open() as response:
            async for chunk in response.aiter_bytes():
                yield chunk

    async def lines(self) -> AsyncIterator[str]:
        """Yield the lines of a text, such as the rows of a CSV file, without their ends."""
        splitter = LineSplitter()
        async for chunk in self:
            for line in splitter.feed(chunk):
                yield line
        for line in splitter.finish():
            yield line

    async def read(self) -> bytes:
        return b"".join([chunk async for chunk in self])

    async def save(self, path: str | Path) -> None:
        """Write the content to a file, chunk by chunk."""
        with Path(path).open("wb") as file:  # noqa: ASYNC230 - a chunk is written in microseconds
            async for chunk in self:
                file.write(chunk)


class EventStream(Generic[M]):
    """Server-sent events of one connection. To follow a scan to its end, use `scans.wait`."""

    def __init__(self, transport: Transport, call: Call, model: type[M]) -> None:
        self._lines = ByteStream(transport, call)
        self._model = model

    def __iter__(self) -> Iterator[ServerEvent[M]]:
        for event in self.signals():
            if event is not None:
                yield event

    def signals(self) -> Generator[ServerEvent[M] | None, None, None]:
        """Yield every event, and None for every sign that the connection is alive."""
        parser = EventParser()
        for line in self._lines.lines():
            if line.startswith(":"):
                yield None
            elif (received := parser.feed(line)) is not None:
                yield _decode(received, self._model)


class AsyncEventStream(Generic[M]):
    """Server-sent events of one connection. To follow a scan to its end, use `scans.wait`."""

    def __init__(self, transport: AsyncTransport, call: Call, model: type[M]) -> None:
        self._lines = AsyncByteStream(transport, call)
        self._model = model

    async def __aiter__(self) -> AsyncIterator[ServerEvent[M]]:
        async for event in self.signals():
            if event is not None:
                yield event

    async def signals(self) -> AsyncGenerator[ServerEvent[M] | None, None]:
        """Yield every event, and None for every sign that the connection is alive."""
        parser = EventParser()
        async for line in self._lines.lines():
            if line.startswith(":"):
                yield None
            elif (received := parser.feed(line)) is not None:
                yield _decode(received, self._model)


def _decode(received: ServerEvent[str], model: type[M]) -> ServerEvent[M]:
    try:
        return ServerEvent(received.type, received.id, msgspec.json.decode(received.data, type=model))
    except msgspec.DecodeError as error:
        raise UnreadableResponseError(f"The event {received.type} cannot be read: {error}.") from error
