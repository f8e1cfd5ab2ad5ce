"""A source that calls the operations of a server through the SDK, with a Data key, a Console key or both."""

import asyncio
import secrets
import time
from collections.abc import Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any

import msgspec
from mcp.server.mcpserver.exceptions import ToolError

from sightline.api_keys.format import digest_key, parse_key
from sightline.kit.clock import Clock, start_of_day
from sightline.mcp.source import Refused, Reply
from sightline.mcp.spending import (
    REFERENCES,
    ScanQuote,
    SpendGuard,
    SpendLimits,
    describe_day_limit,
    shorten_digest,
)
from sightline.mcp.stdio.sdk_methods import METHODS, PROBES, Right
from sightline_sdk import (
    AsyncPagedList,
    AsyncSightline,
    NotFoundError,
    PermissionDeniedError,
    ProblemError,
    ResponseInfo,
    SightlineError,
)

_RIGHTS_SECONDS = 300


class SdkSource:
    """The operations that the keys of this process may run. It is its own provider: there is one caller."""

    def __init__(
        self, data: AsyncSightline | None, console: AsyncSightline | None, key: str, limits: SpendLimits, clock: Clock
    ) -> None:
        self._clients = {"data": data, "console": console}
        self._rights: dict[Right, tuple[bool, float]] = {}
        self._submitting = asyncio.Lock()
        self._clock = clock
        # The key belongs to one workspace. This process knows neither its id nor that of the key.
        known, caller = parse_key(key), shorten_digest(digest_key(key))
        livemode = known is not None and known.livemode
        self.spending = SpendGuard(caller, "", [secrets.token_bytes(32)], limits, clock, livemode=livemode)

    def find_source(self) -> "SdkSource":
        return self

    async def allows(self, operation: str) -> bool:
        return await self.has_right(METHODS[operation].right)

    async def has_right(self, right: Right) -> bool:
        """Return whether the key has the right, as the server said within the last five minutes."""
        known, until = self._rights.get(right, (False, 0.0))
        if time.monotonic() >= until:
            known = await self._ask_right(right)
            self._rights[right] = (known, time.monotonic() + _RIGHTS_SECONDS)
        return known

    async def _ask_right(self, right: Right) -> bool:
        if self._clients[right.partition("_")[0]] is None:
            return False
        operation, parameters = PROBES[right]
        try:
            await self._send(operation, parameters)
        except PermissionDeniedError:
            return False
        except NotFoundError:
            return True
        return True

    async def call(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | None] | None = None,
        body: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Reply:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        parameters = {**(path or {}), **given, **(body or {})}
        if idempotency_key is not None:
            parameters["idempotency_key"] = idempotency_key
        try:
            response = await self._send(operation, parameters)
        except ProblemError as problem:
            errors = [{"field": error.field, "message": error.message} for error in problem.errors]
            raise Refused(
                problem.code,
                problem.detail or problem.title,
                retry_after=problem.retry_after,
                request_id=problem.request_id,
                errors=errors,
            ) from problem
        except (SightlineError, ValueError) as failure:
            raise ToolError(str(failure)) from failure
        content = msgspec.json.decode(response.body)
        stale_at = response.headers.get("x-data-stale-at")
        return Reply(data=content["data"], next_cursor=content["meta"].get("next_cursor"), stale_at=stale_at)

    async def submit_scan(self, quote: ScanQuote, body: Mapping[str, Any]) -> Reply:
        """Submit the scan of a quote, unless the scans of today leave too little of the day's limit."""
        async with self._submitting:
            spent = await self._sum_today(quote)
            if spent + quote.credits > self.spending.limits.per_day:
                raise ToolError(describe_day_limit(self.spending.limits, spent, "in this workspace"))
            return await self.call("submit_scan", body=body, idempotency_key=quote.idempotency_key)

    async def _sum_today(self, quote: ScanQuote) -> int:
        """Return the credits of today's scans that assistants submitted, except the scan of the quote.

        Scans of other keys count, too: one of them may be this key before it was rotated.
        """
        today, spent, cursor = start_of_day(self._clock()), 0, None
        while True:
            page = await self.call("list_scans", query={"cursor": cursor})
            for scan in page.data:
                if datetime.fromisoformat(scan["created_at"]) < today:
                    return spent
                reference = scan["content_project_id"] or ""
                if reference.startswith(REFERENCES) and reference != quote.reference:
                    spent += scan["credits_charged"]
            cursor = page.next_cursor
            if cursor is None:
                return spent

    async def _send(self, operation: str, parameters: Mapping[str, Any]) -> ResponseInfo:
        method = METHODS[operation]
        client = self._clients[method.right.partition("_")[0]]
        if client is None:
            raise ToolError("The key for this API is not set.")
        called = attrgetter(method.name)(client)(**parameters)
        found = await (called.first_page() if isinstance(called, AsyncPagedList) else called)
        response: ResponseInfo = found.response
        return response
