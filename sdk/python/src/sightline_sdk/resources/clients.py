"""Groups of tracked domains.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk._streams import AsyncByteStream, ByteStream
from sightline_sdk.models import Client, Removed


class ClientsResource(Resource):
    """Groups of tracked domains (Data API)."""

    def list(self, *, cursor: str | None = None) -> PagedList[Client]:
        """List clients, most recently added first, 50 per page.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/clients", query={"cursor": cursor})
        return PagedList(self._transport, call, Client)

    def retrieve(self, client_id: str) -> Client:
        """Return one client with the ids of its domains.

        Args:
            client_id: Id of the client.
        """
        call = build_call("data", "GET", f"/clients/{to_segment(client_id)}")
        return self._transport.fetch(call, Client)

    def create(
        self,
        *,
        name: str,
        domain_ids: Sequence[str] | UnsetType = UNSET,
        color: str | UnsetType | None = UNSET,
        sender_name: str | UnsetType | None = UNSET,
        shows_maker: bool | UnsetType = UNSET,
        recipients: Sequence[str] | UnsetType = UNSET,
        language: str | UnsetType | None = UNSET,
        timezone: str | UnsetType | None = UNSET,
        idempotency_key: str | None = None,
    ) -> Client:
        """Add a client with its domains.

        A domain that belongs to another client changes over.

        Args:
            name: Its name, unique in the workspace.
            domain_ids: Ids of its domains. A domain belongs to one client at most: naming it here takes it from
                another.
            color: Color of headings, links and buttons, such as `#0e6e78`. It must be readable on white. Null:
                Sightline's.
            sender_name: Name that stands where Sightline's would, and that e-mails come from. Null: Sightline.
            shows_maker: Whether "Made with Sightline" stands below reports and e-mails.
            recipients: E-mail addresses that receive the scheduled reports of its domains.
            language: Language of its scheduled reports. Null: English.
            timezone: Time zone of its schedule and of the times in its reports, such as `Europe/Berlin`. Null:
                the workspace's.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/clients",
            body={
                "name": name,
                "domain_ids": domain_ids,
                "color": color,
                "sender_name": sender_name,
                "shows_maker": shows_maker,
                "recipients": recipients,
                "language": language,
                "timezone": timezone,
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Client)

    def update(
        self,
        client_id: str,
        *,
        color: str | UnsetType | None = UNSET,
        sender_name: str | UnsetType | None = UNSET,
        shows_maker: bool | UnsetType = UNSET,
        recipients: Sequence[str] | UnsetType = UNSET,
        language: str | UnsetType | None = UNSET,
        timezone: str | UnsetType | None = UNSET,
        name: str | UnsetType = UNSET,
        domain_ids: Sequence[str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Client:
        """Change a client's name, the list of its domains, its look or its recipients.

        Args:
            client_id: Id of the client.
            color: Color of headings, links and buttons, such as `#0e6e78`. It must be readable on white. Null:
                Sightline's.
            sender_name: Name that stands where Sightline's would, and that e-mails come from. Null: Sightline.
            shows_maker: Whether "Made with Sightline" stands below reports and e-mails.
            recipients: E-mail addresses that receive the scheduled reports of its domains.
            language: Language of its scheduled reports. Null: English.
            timezone: Time zone of its schedule and of the times in its reports, such as `Europe/Berlin`. Null:
                the workspace's.
            name: Its name, unique in the workspace.
            domain_ids: Ids of its domains. A domain belongs to one client at most: naming it here takes it from
                another.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/clients/{to_segment(client_id)}",
            body={
                "color": color,
                "sender_name": sender_name,
                "shows_maker": shows_maker,
                "recipients": recipients,
                "language": language,
                "timezone": timezone,
                "name": name,
                "domain_ids": domain_ids,
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Client)

    def set_logo(self, client_id: str, *, logo: str, idempotency_key: str | None = None) -> Client:
        """Use a PNG or SVG file as the client's logo.

        It is drawn again as a PNG of at most 480 by 144 pixels. Scripts in it have no effect. Refused: a file
        above 200 KB, one that refers to other files or addresses, one that shows nothing, and one that takes
        too long to draw.

        Args:
            client_id: Id of the client.
            logo: A PNG or SVG file of at most 200 KB, encoded with Base64.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/clients/{to_segment(client_id)}/logo",
            body={"logo": logo},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Client)

    def logo(self, client_id: str) -> ByteStream:
        """Return the logo as it appears in reports.

        Args:
            client_id: Id of the client.
        """
        call = build_call("data", "GET", f"/clients/{to_segment(client_id)}/logo.png")
        return ByteStream(self._transport, call)

    def remove_logo(self, client_id: str, *, idempotency_key: str | None = None) -> Client:
        """Remove the logo.

        Possible on every plan.

        Args:
            client_id: Id of the client.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("data", "DELETE", f"/clients/{to_segment(client_id)}/logo", idempotency_key=idempotency_key)
        return self._transport.fetch(call, Client)

    def remove(self, client_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a client.

        Its guests lose access; its domains stay, without a client.

        Args:
            client_id: Id of the client.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("data", "DELETE", f"/clients/{to_segment(client_id)}", idempotency_key=idempotency_key)
        return self._transport.fetch(call, Removed)


class AsyncClientsResource(AsyncResource):
    """Groups of tracked domains (Data API)."""

    def list(self, *, cursor: str | None = None) -> AsyncPagedList[Client]:
        """List clients, most recently added first, 50 per page.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/clients", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Client)

    async def retrieve(self, client_id: str) -> Client:
        """Return one client with the ids of its domains.

        Args:
            client_id: Id of the client.
        """
        call = build_call("data", "GET", f"/clients/{to_segment(client_id)}")
        return await self._transport.fetch(call, Client)

    async def create(
        self,
        *,
        name: str,
        domain_ids: Sequence[str] | UnsetType = UNSET,
        color: str | UnsetType | None = UNSET,
        sender_name: str | UnsetType | None = UNSET,
        shows_maker: bool | UnsetType = UNSET,
        recipients: Sequence[str] | UnsetType = UNSET,
        language: str | UnsetType | None = UNSET,
        timezone: str | UnsetType | None = UNSET,
        idempotency_key: str | None = None,
    ) -> Client:
        """Add a client with its domains.

        A domain that belongs to another client changes over.

        Args:
            name: Its name, unique in the workspace.
            domain_ids: Ids of its domains. A domain belongs to one client at most: naming it here takes it from
                another.
            color: Color of headings, links and buttons, such as `#0e6e78`. It must be readable on white. Null:
                Sightline's.
            sender_name: Name that stands where Sightline's would, and that e-mails come from. Null: Sightline.
            shows_maker: Whether "Made with Sightline" stands below reports and e-mails.
            recipients: E-mail addresses that receive the scheduled reports of its domains.
            language: Language of its scheduled reports. Null: English.
            timezone: Time zone of its schedule and of the times in its reports, such as `Europe/Berlin`. Null:
                the workspace's.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/clients",
            body={
                "name": name,
                "domain_ids": domain_ids,
                "color": color,
                "sender_name": sender_name,
                "shows_maker": shows_maker,
                "recipients": recipients,
                "language": language,
                "timezone": timezone,
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Client)

    async def update(
        self,
        client_id: str,
        *,
        color: str | UnsetType | None = UNSET,
        sender_name: str | UnsetType | None = UNSET,
        shows_maker: bool | UnsetType = UNSET,
        recipients: Sequence[str] | UnsetType = UNSET,
        language: str | UnsetType | None = UNSET,
        timezone: str | UnsetType | None = UNSET,
        name: str | UnsetType = UNSET,
        domain_ids: Sequence[str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Client:
        """Change a client's name, the list of its domains, its look or its recipients.

        Args:
            client_id: Id of the client.
            color: Color of headings, links and buttons, such as `#0e6e78`. It must be readable on white. Null:
                Sightline's.
            sender_name: Name that stands where Sightline's would, and that e-mails come from. Null: Sightline.
            shows_maker: Whether "Made with Sightline" stands below reports and e-mails.
            recipients: E-mail addresses that receive the scheduled reports of its domains.
            language: Language of its scheduled reports. Null: English.
            timezone: Time zone of its schedule and of the times in its reports, such as `Europe/Berlin`. Null:
                the workspace's.
            name: Its name, unique in the workspace.
            domain_ids: Ids of its domains. A domain belongs to one client at most: naming it here takes it from
                another.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/clients/{to_segment(client_id)}",
            body={
                "color": color,
                "sender_name": sender_name,
                "shows_maker": shows_maker,
                "recipients": recipients,
                "language": language,
                "timezone": timezone,
                "name": name,
                "domain_ids": domain_ids,
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Client)

    async def set_logo(self, client_id: str, *, logo: str, idempotency_key: str | None = None) -> Client:
        """Use a PNG or SVG file as the client's logo.

        It is drawn again as a PNG of at most 480 by 144 pixels. Scripts in it have no effect. Refused: a file
        above 200 KB, one that refers to other files or addresses, one that shows nothing, and one that takes
        too long to draw.

        Args:
            client_id: Id of the client.
            logo: A PNG or SVG file of at most 200 KB, encoded with Base64.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/clients/{to_segment(client_id)}/logo",
            body={"logo": logo},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Client)

    def logo(self, client_id: str) -> AsyncByteStream:
        """Return the logo as it appears in reports.

        Args:
            client_id: Id of the client.
        """
        call = build_call("data", "GET", f"/clients/{to_segment(client_id)}/logo.png")
        return AsyncByteStream(self._transport, call)

    async def remove_logo(self, client_id: str, *, idempotency_key: str | None = None) -> Client:
        """Remove the logo.

        Possible on every plan.

        Args:
            client_id: Id of the client.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("data", "DELETE", f"/clients/{to_segment(client_id)}/logo", idempotency_key=idempotency_key)
        return await self._transport.fetch(call, Client)

    async def remove(self, client_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a client.

        Its guests lose access; its domains stay, without a client.

        Args:
            client_id: Id of the client.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("data", "DELETE", f"/clients/{to_segment(client_id)}", idempotency_key=idempotency_key)
        return await self._transport.fetch(call, Removed)
