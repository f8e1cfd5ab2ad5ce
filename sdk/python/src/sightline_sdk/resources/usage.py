"""Request counts, and what calls to platforms cost.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import PlatformCost, UsageFigures


class UsageResource(Resource):
    """Request counts, and what calls to platforms cost (Console API)."""

    def retrieve(self) -> UsageFigures:
        """Return how many requests the keys of the workspace have made.

        The figures may be up to 60 seconds old; `as_of` is when they were computed. The month is the calendar
        month in UTC. Requests of the web app are not counted.
        """
        call = build_call("console", "GET", "/usage")
        return self._transport.fetch(call, UsageFigures)

    def costs(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        cursor: str | None = None,
        page_size: int | None = None,
    ) -> PagedList[PlatformCost]:
        """List the calls to AI platforms and their cost, by day, domain and platform, newest day first.

        Console domains and tracked domains are included. All calls count, including retries and failed calls:
        calls for answers, for suggested prompts and for analyzing answers. Test mode and the sandbox call no
        platform, so they add nothing to the list. The operator of the service pays these costs; they are not
        credits. Requires the role admin.

        Args:
            since: First day (UTC), such as `2026-11-01`. The default is the first day of the same month as
                `until`.
            until: Last day (UTC), such as `2026-11-16`. The default is today.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "console",
            "GET",
            "/usage/costs",
            query={"since": since, "until": until, "cursor": cursor, "page_size": page_size},
        )
        return PagedList(self._transport, call, PlatformCost)


class AsyncUsageResource(AsyncResource):
    """Request counts, and what calls to platforms cost (Console API)."""

    async def retrieve(self) -> UsageFigures:
        """Return how many requests the keys of the workspace have made.

        The figures may be up to 60 seconds old; `as_of` is when they were computed. The month is the calendar
        month in UTC. Requests of the web app are not counted.
        """
        call = build_call("console", "GET", "/usage")
        return await self._transport.fetch(call, UsageFigures)

    def costs(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        cursor: str | None = None,
        page_size: int | None = None,
    ) -> AsyncPagedList[PlatformCost]:
        """List the calls to AI platforms and their cost, by day, domain and platform, newest day first.

        Console domains and tracked domains are included. All calls count, including retries and failed calls:
        calls for answers, for suggested prompts and for analyzing answers. Test mode and the sandbox call no
        platform, so they add nothing to the list. The operator of the service pays these costs; they are not
        credits. Requires the role admin.

        Args:
            since: First day (UTC), such as `2026-11-01`. The default is the first day of the same month as
                `until`.
            until: Last day (UTC), such as `2026-11-16`. The default is today.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call(
            "console",
            "GET",
            "/usage/costs",
            query={"since": since, "until": until, "cursor": cursor, "page_size": page_size},
        )
        return AsyncPagedList(self._transport, call, PlatformCost)
