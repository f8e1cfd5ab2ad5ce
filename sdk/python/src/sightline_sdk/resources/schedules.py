"""When the reports of a client are sent.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from typing import Literal

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Removed, ReportEmail, Schedule


class SchedulesResource(Resource):
    """When the reports of a client are sent (Data API)."""

    def retrieve(self, client_id: str) -> Schedule:
        """Return when the reports of a client are sent next, and what happened the last time.

        Args:
            client_id: Id of the client.
        """
        call = build_call("data", "GET", f"/clients/{to_segment(client_id)}/schedule")
        return self._transport.fetch(call, Schedule)

    def set(
        self,
        client_id: str,
        *,
        rhythm: OneOf[Literal["monthly", "weekly"]],
        day: int,
        hour: int,
        idempotency_key: str | None = None,
    ) -> Schedule:
        """Send the reports of a client on a schedule, in place of the one before.

        Nothing is sent before the first Full Check of a domain, or if no report is new.

        Args:
            client_id: Id of the client.
            rhythm: How often reports are sent.
            day: Day of the week, from 1 for Monday to 7, if weekly; day of the month, from 1 to 28, if monthly.
            hour: Hour of the client's time zone, from 0 to 23.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/clients/{to_segment(client_id)}/schedule",
            body={"rhythm": rhythm, "day": day, "hour": hour},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Schedule)

    def remove(self, client_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Send no more reports of the client.

        E-mails that are written already are still sent.

        Args:
            client_id: Id of the client.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "DELETE", f"/clients/{to_segment(client_id)}/schedule", idempotency_key=idempotency_key
        )
        return self._transport.fetch(call, Removed)

    def emails(self, client_id: str, *, cursor: str | None = None) -> PagedList[ReportEmail]:
        """List the e-mails to the recipients of a client, the latest first, 50 per page.

        They are kept for 400 days.

        Args:
            client_id: Id of the client.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/clients/{to_segment(client_id)}/report-emails", query={"cursor": cursor})
        return PagedList(self._transport, call, ReportEmail)


class AsyncSchedulesResource(AsyncResource):
    """When the reports of a client are sent (Data API)."""

    async def retrieve(self, client_id: str) -> Schedule:
        """Return when the reports of a client are sent next, and what happened the last time.

        Args:
            client_id: Id of the client.
        """
        call = build_call("data", "GET", f"/clients/{to_segment(client_id)}/schedule")
        return await self._transport.fetch(call, Schedule)

    async def set(
        self,
        client_id: str,
        *,
        rhythm: OneOf[Literal["monthly", "weekly"]],
        day: int,
        hour: int,
        idempotency_key: str | None = None,
    ) -> Schedule:
        """Send the reports of a client on a schedule, in place of the one before.

        Nothing is sent before the first Full Check of a domain, or if no report is new.

        Args:
            client_id: Id of the client.
            rhythm: How often reports are sent.
            day: Day of the week, from 1 for Monday to 7, if weekly; day of the month, from 1 to 28, if monthly.
            hour: Hour of the client's time zone, from 0 to 23.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/clients/{to_segment(client_id)}/schedule",
            body={"rhythm": rhythm, "day": day, "hour": hour},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Schedule)

    async def remove(self, client_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Send no more reports of the client.

        E-mails that are written already are still sent.

        Args:
            client_id: Id of the client.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "DELETE", f"/clients/{to_segment(client_id)}/schedule", idempotency_key=idempotency_key
        )
        return await self._transport.fetch(call, Removed)

    def emails(self, client_id: str, *, cursor: str | None = None) -> AsyncPagedList[ReportEmail]:
        """List the e-mails to the recipients of a client, the latest first, 50 per page.

        They are kept for 400 days.

        Args:
            client_id: Id of the client.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/clients/{to_segment(client_id)}/report-emails", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, ReportEmail)
