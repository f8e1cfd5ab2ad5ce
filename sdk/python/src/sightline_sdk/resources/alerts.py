"""Alerts of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Alert


class AlertsResource(Resource):
    """Alerts of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[Alert]:
        """List alerts about changes between Daily Checks, newest first, 50 per page.

        An alert says that answers name the brand less or more often, or a competitor more often. In the state
        `watch`, it waits for the next Daily Check to confirm it. Members are notified of confirmed alerts only.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/alerts", query={"cursor": cursor})
        return PagedList(self._transport, call, Alert)


class AsyncAlertsResource(AsyncResource):
    """Alerts of a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[Alert]:
        """List alerts about changes between Daily Checks, newest first, 50 per page.

        An alert says that answers name the brand less or more often, or a competitor more often. In the state
        `watch`, it waits for the next Daily Check to confirm it. Members are notified of confirmed alerts only.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/alerts", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Alert)
