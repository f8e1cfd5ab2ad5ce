"""Lists that fetch their pages as they are read."""

from collections.abc import AsyncIterator, Iterator
from typing import Generic

import msgspec

from sightline_sdk._calls import Call
from sightline_sdk._models import M, Page
from sightline_sdk._transport import AsyncTransport, Transport


class PagedList(Generic[M]):
    """A list of the API. Iterate over it for all rows, or over `pages()` for whole pages. Each pass starts over."""

    def __init__(self, transport: Transport, call: Call, model: type[M]) -> None:
        self._transport = transport
        self._call = call
        self._model = model

    def __iter__(self) -> Iterator[M]:
        for page in self.pages():
            yield from page.data

    def pages(self) -> Iterator[Page[M]]:
        """Yield the pages, each with its `response`, from the given cursor to the last one."""
        call: Call | None = self._call
        while call is not None:
            page = self._transport.fetch_page(call, self._model)
            yield page
            call = _continue(call, page.next_cursor)

    def first_page(self) -> Page[M]:
        """Fetch one page only: the first one, or the one at the given cursor."""
        return self._transport.fetch_page(self._call, self._model)


class AsyncPagedList(Generic[M]):
    """A list of the API. Iterate over it for all rows, or over `pages()` for whole pages. Each pass starts over."""

    def __init__(self, transport: AsyncTransport, call: Call, model: type[M]) -> None:
        self._transport = transport
        self._call = call
        self._model = model

    async def __aiter__(self) -> AsyncIterator[M]:
        async for page in self.pages():
            for row in page.data:
                yield row

    async def pages(self) -> AsyncIterator[Page[M]]:
        """Yield the pages, each with its `response`, from the given cursor to the last one."""
        call: Call | None = self._call
        while call is not None:
            page = await self._transport.fetch_page(call, self._model)
            yield page
            call = _continue(call, page.next_cursor)

    async def first_page(self) -> Page[M]:
        """Fetch one page only: the first one, or the one at the given cursor."""
        return await self._transport.fetch_page(self._call, self._model)


def _continue(call: Call, cursor: str | None) -> Call | None:
    return None if cursor is None else msgspec.structs.replace(call, query={**call.query, "cursor": cursor})
