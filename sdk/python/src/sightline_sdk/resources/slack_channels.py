"""Slack channels that hear of checks, findings and reports.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Removed, SlackChannel, WebhookDelivery


class SlackChannelsResource(Resource):
    """Slack channels that hear of checks, findings and reports (Data API)."""

    def list(self, *, cursor: str | None = None) -> PagedList[SlackChannel]:
        """List Slack channels, most recently added first, including disabled ones.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/slack-channels", query={"cursor": cursor})
        return PagedList(self._transport, call, SlackChannel)

    def retrieve(self, channel_id: str) -> SlackChannel:
        """Return one Slack channel, without its address.

        Args:
            channel_id: Id of the channel.
        """
        call = build_call("data", "GET", f"/slack-channels/{to_segment(channel_id)}")
        return self._transport.fetch(call, SlackChannel)

    def create(
        self,
        *,
        name: str,
        url: str,
        client_id: str | None = None,
        events: Sequence[OneOf[Literal["alert.raised", "check.completed", "report.ready"]]] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> SlackChannel:
        """Add a Slack channel by the address of an incoming webhook that you create in your Slack app.

        Nothing is posted yet. A workspace has at most 200 channels; one more is refused (422
        `validation_failed`).

        Args:
            name: What you call it, such as the channel's name.
            url: Address of an incoming webhook of Slack: `https://hooks.slack.com/…`. It is stored encrypted
                and never returned.
            client_id: Id of the client whose domains the channel hears of. Null for all domains of the
                workspace.
            events: What is posted: `check.completed` (a Full Check with its findings), `alert.raised` (a
                confirmed change between Daily Checks) and `report.ready`. Empty means all three.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/slack-channels",
            body={"name": name, "url": url, "client_id": omit_none(client_id), "events": events},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, SlackChannel)

    def update(
        self,
        channel_id: str,
        *,
        name: str | UnsetType = UNSET,
        url: str | UnsetType = UNSET,
        client_id: str | UnsetType | None = UNSET,
        events: Sequence[OneOf[Literal["alert.raised", "check.completed", "report.ready"]]] | UnsetType = UNSET,
        status: OneOf[Literal["disabled", "enabled"]] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> SlackChannel:
        """Change the fields that you send.

        Disabling a channel cancels messages that wait.

        Args:
            channel_id: Id of the channel.
            name: What you call it, such as the channel's name.
            url: Address of an incoming webhook of Slack: `https://hooks.slack.com/…`. It is stored encrypted
                and never returned.
            client_id: Id of the client whose domains the channel hears of. Null for all domains of the
                workspace.
            events: What is posted: `check.completed` (a Full Check with its findings), `alert.raised` (a
                confirmed change between Daily Checks) and `report.ready`. Empty means all three.
            status: `disabled` stops messages, `enabled` starts them again.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/slack-channels/{to_segment(channel_id)}",
            body={"name": name, "url": url, "client_id": client_id, "events": events, "status": status},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, SlackChannel)

    def remove(self, channel_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a Slack channel and its address.

        Nothing is posted to it anymore.

        Args:
            channel_id: Id of the channel.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "DELETE", f"/slack-channels/{to_segment(channel_id)}", idempotency_key=idempotency_key
        )
        return self._transport.fetch(call, Removed)

    def send_test(self, channel_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Post a test message, on the path of every real message.

        The response is the delivery before its first attempt; the list of deliveries shows the result. A
        disabled channel is refused (422 `validation_failed`), as are more than 30 tests and redeliveries per
        minute of the workspace (429).

        Args:
            channel_id: Id of the channel.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "POST", f"/slack-channels/{to_segment(channel_id)}/test", idempotency_key=idempotency_key
        )
        return self._transport.fetch(call, WebhookDelivery)

    def deliveries(self, channel_id: str, *, cursor: str | None = None) -> PagedList[WebhookDelivery]:
        """List the messages of the last 30 days, newest first, with attempts and Slack's responses.

        `request_body` is the event from which the message was written.

        Args:
            channel_id: Id of the channel.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/slack-channels/{to_segment(channel_id)}/deliveries", query={"cursor": cursor}
        )
        return PagedList(self._transport, call, WebhookDelivery)


class AsyncSlackChannelsResource(AsyncResource):
    """Slack channels that hear of checks, findings and reports (Data API)."""

    def list(self, *, cursor: str | None = None) -> AsyncPagedList[SlackChannel]:
        """List Slack channels, most recently added first, including disabled ones.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/slack-channels", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, SlackChannel)

    async def retrieve(self, channel_id: str) -> SlackChannel:
        """Return one Slack channel, without its address.

        Args:
            channel_id: Id of the channel.
        """
        call = build_call("data", "GET", f"/slack-channels/{to_segment(channel_id)}")
        return await self._transport.fetch(call, SlackChannel)

    async def create(
        self,
        *,
        name: str,
        url: str,
        client_id: str | None = None,
        events: Sequence[OneOf[Literal["alert.raised", "check.completed", "report.ready"]]] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> SlackChannel:
        """Add a Slack channel by the address of an incoming webhook that you create in your Slack app.

        Nothing is posted yet. A workspace has at most 200 channels; one more is refused (422
        `validation_failed`).

        Args:
            name: What you call it, such as the channel's name.
            url: Address of an incoming webhook of Slack: `https://hooks.slack.com/…`. It is stored encrypted
                and never returned.
            client_id: Id of the client whose domains the channel hears of. Null for all domains of the
                workspace.
            events: What is posted: `check.completed` (a Full Check with its findings), `alert.raised` (a
                confirmed change between Daily Checks) and `report.ready`. Empty means all three.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/slack-channels",
            body={"name": name, "url": url, "client_id": omit_none(client_id), "events": events},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, SlackChannel)

    async def update(
        self,
        channel_id: str,
        *,
        name: str | UnsetType = UNSET,
        url: str | UnsetType = UNSET,
        client_id: str | UnsetType | None = UNSET,
        events: Sequence[OneOf[Literal["alert.raised", "check.completed", "report.ready"]]] | UnsetType = UNSET,
        status: OneOf[Literal["disabled", "enabled"]] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> SlackChannel:
        """Change the fields that you send.

        Disabling a channel cancels messages that wait.

        Args:
            channel_id: Id of the channel.
            name: What you call it, such as the channel's name.
            url: Address of an incoming webhook of Slack: `https://hooks.slack.com/…`. It is stored encrypted
                and never returned.
            client_id: Id of the client whose domains the channel hears of. Null for all domains of the
                workspace.
            events: What is posted: `check.completed` (a Full Check with its findings), `alert.raised` (a
                confirmed change between Daily Checks) and `report.ready`. Empty means all three.
            status: `disabled` stops messages, `enabled` starts them again.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/slack-channels/{to_segment(channel_id)}",
            body={"name": name, "url": url, "client_id": client_id, "events": events, "status": status},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, SlackChannel)

    async def remove(self, channel_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a Slack channel and its address.

        Nothing is posted to it anymore.

        Args:
            channel_id: Id of the channel.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "DELETE", f"/slack-channels/{to_segment(channel_id)}", idempotency_key=idempotency_key
        )
        return await self._transport.fetch(call, Removed)

    async def send_test(self, channel_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Post a test message, on the path of every real message.

        The response is the delivery before its first attempt; the list of deliveries shows the result. A
        disabled channel is refused (422 `validation_failed`), as are more than 30 tests and redeliveries per
        minute of the workspace (429).

        Args:
            channel_id: Id of the channel.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "POST", f"/slack-channels/{to_segment(channel_id)}/test", idempotency_key=idempotency_key
        )
        return await self._transport.fetch(call, WebhookDelivery)

    def deliveries(self, channel_id: str, *, cursor: str | None = None) -> AsyncPagedList[WebhookDelivery]:
        """List the messages of the last 30 days, newest first, with attempts and Slack's responses.

        `request_body` is the event from which the message was written.

        Args:
            channel_id: Id of the channel.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/slack-channels/{to_segment(channel_id)}/deliveries", query={"cursor": cursor}
        )
        return AsyncPagedList(self._transport, call, WebhookDelivery)
