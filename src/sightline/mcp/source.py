"""What tools read from: the operations of both APIs, run in this process or called through the SDK."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

import msgspec
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Resolve

from sightline.mcp.spending import ScanQuote, SpendGuard


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """The response of an operation: what it returned, and the cursor of the next page."""

    data: Any
    next_cursor: str | None = None
    stale_at: str | None = None
    """When the data was saved, for a copy that was sent because the database is down."""

    @property
    def notes(self) -> list[str]:
        return [f"The database is unavailable. These figures were saved at {self.stale_at}."] if self.stale_at else []


class Source(Protocol):
    """The operations that the key of a caller may run."""

    @property
    def spending(self) -> SpendGuard:
        """Return what issues and checks quotes for scans of this caller."""
        ...

    async def allows(self, operation: str) -> bool:
        """Return whether the caller's key, plan, role and scopes allow the operation."""
        ...

    async def call(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | None] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Reply:
        """Run an operation by its name. Its refusal is raised as `Refused`."""
        ...

    async def submit_scan(self, quote: ScanQuote, body: Mapping[str, Any]) -> Reply:
        """Submit the scan of a quote, at most once. Refused: more than the key may spend in a day."""
        ...


class SourceProvider(Protocol):
    """What the server holds while it runs: it knows the source of the current request."""

    def find_source(self) -> Source: ...


async def find_source(context: Context[Any, Any]) -> Source:
    provider: SourceProvider = context.request_context.lifespan_context
    return provider.find_source()


CurrentSource = Annotated[Source, Resolve(find_source)]
"""The parameter of a tool that gets the source of the request. It is not part of the tool's input."""


class Refused(ToolError):
    """An operation was refused: what happened, when to try again, and how to find it in the logs."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        retry_after: float | None = None,
        request_id: str | None = None,
        errors: Sequence[Mapping[str, str]] | None = None,
    ) -> None:
        self.code = code
        detail += "".join(f" {error['field']}: {error['message']}." for error in errors or ())
        wait = f" Try again after {retry_after:g} seconds." if retry_after is not None else ""
        found_by = f", request id: {request_id}" if request_id else ""
        super().__init__(f"{detail}{wait} (code: {code}{found_by})")


async def call_first(source: Source, operations: Sequence[str], path: Mapping[str, str], *, missing: str) -> Reply:
    """Call the first of these operations that knows the id. They belong to different APIs, and so to different keys.

    `missing` is the error code of an operation that does not know the id.
    """
    refused: Refused | None = None
    for operation in operations:
        if await source.allows(operation):
            try:
                return await source.call(operation, path=path)
            except Refused as refusal:
                if refusal.code != missing:
                    raise
                refused = refusal
    raise refused or ToolError("The key may not read this.")
