"""Your endpoints that receive events.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._unwrapping import AsyncWebhookUnwrapping, WebhookUnwrapping
from sightline_sdk.models import Removed, Webhook, WebhookDelivery, WebhookWithSecret


class WebhooksResource(WebhookUnwrapping):
    """Your endpoints that receive events (Console API)."""

    def list(self, *, cursor: str | None = None) -> PagedList[Webhook]:
        """List webhooks, most recently registered first, including disabled ones.

        Live and test webhooks are listed separately.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", "/webhooks", query={"cursor": cursor})
        return PagedList(self._transport, call, Webhook)

    def register(
        self,
        *,
        url: str,
        description: str | UnsetType = UNSET,
        events: Sequence[
            OneOf[
                Literal[
                    "alert.raised",
                    "check.completed",
                    "credits.low",
                    "report.ready",
                    "scan.cancelled",
                    "scan.completed",
                    "scan.failed",
                    "webhook.test",
                ]
            ]
        ]
        | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecret:
        """Register a webhook.

        The `secret` that signs deliveries is returned only in this response. `url` must be https on port 443 of
        a public host, without a user name, password or fragment. Nothing is sent to the URL yet. A workspace
        has at most 20 webhooks per mode; one more is refused (422 `validation_failed`).

        Args:
            url: An https URL on port 443 of a public host, without user name, password or fragment.
            description: Your own description of the webhook.
            events: Event types to send. Empty or omitted means all types.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/webhooks",
            body={"url": url, "description": description, "events": events},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, WebhookWithSecret)

    def retrieve(self, webhook_id: str) -> Webhook:
        """Return one webhook.

        Returns 404 if the webhook was removed.

        Args:
            webhook_id: Id of the webhook.
        """
        call = build_call("console", "GET", f"/webhooks/{to_segment(webhook_id)}")
        return self._transport.fetch(call, Webhook)

    def update(
        self,
        webhook_id: str,
        *,
        url: str | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        events: Sequence[
            OneOf[
                Literal[
                    "alert.raised",
                    "check.completed",
                    "credits.low",
                    "report.ready",
                    "scan.cancelled",
                    "scan.completed",
                    "scan.failed",
                    "webhook.test",
                ]
            ]
        ]
        | UnsetType = UNSET,
        status: OneOf[Literal["disabled", "enabled"]] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Webhook:
        """Change the fields that you send.

        Disabling a webhook cancels its pending deliveries. Enabling it restarts the five days after which a
        failing webhook is disabled. If you change `url`, pending deliveries go to the new URL.

        Args:
            webhook_id: Id of the webhook.
            url: New address.
            description: New description.
            events: New list of event types; it replaces the old list. Empty means all types.
            status: `disabled` stops deliveries, `enabled` starts them again.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "PATCH",
            f"/webhooks/{to_segment(webhook_id)}",
            body={"url": url, "description": description, "events": events, "status": status},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Webhook)

    def remove(self, webhook_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a webhook.

        Deliveries stop immediately, including pending ones.

        Args:
            webhook_id: Id of the webhook.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("console", "DELETE", f"/webhooks/{to_segment(webhook_id)}", idempotency_key=idempotency_key)
        return self._transport.fetch(call, Removed)

    def rotate_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookWithSecret:
        """Replace the secret.

        The new `secret` is returned only in this response. For 24 hours, deliveries are signed with both the
        new and the previous secret; after that, only with the new one.

        Args:
            webhook_id: Id of the webhook.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console", "POST", f"/webhooks/{to_segment(webhook_id)}/rotate-secret", idempotency_key=idempotency_key
        )
        return self._transport.fetch(call, WebhookWithSecret)

    def send_test(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Send the event `webhook.test` to this webhook only, even if its `events` do not include it.

        The response is the delivery before its first attempt; the list of deliveries shows the result. If the
        webhook is disabled, the request is refused (422 `validation_failed`). Test events and redeliveries
        share one limit: 30 per minute for each workspace (429).

        Args:
            webhook_id: Id of the webhook.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console", "POST", f"/webhooks/{to_segment(webhook_id)}/test", idempotency_key=idempotency_key
        )
        return self._transport.fetch(call, WebhookDelivery)

    def deliveries(self, webhook_id: str, *, cursor: str | None = None) -> PagedList[WebhookDelivery]:
        """List the deliveries of the last 30 days, newest first, each with its latest 20 attempts and their
        results.

        Args:
            webhook_id: Id of the webhook.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", f"/webhooks/{to_segment(webhook_id)}/deliveries", query={"cursor": cursor})
        return PagedList(self._transport, call, WebhookDelivery)

    def redeliver(self, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Send the same event again immediately, with the same event id (header `webhook-id`).

        If this fails, Sightline tries again up to seven times within about 28 hours, as with every delivery.
        The numbering of attempts continues. You can also repeat a delivery that succeeded. If the webhook is
        disabled, the request is refused (422 `validation_failed`). Test events and redeliveries share one
        limit: 30 per minute for each workspace (429).

        Args:
            webhook_id: Id of the webhook.
            delivery_id: Id of the delivery.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            f"/webhooks/{to_segment(webhook_id)}/deliveries/{to_segment(delivery_id)}/redeliver",
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, WebhookDelivery)


class AsyncWebhooksResource(AsyncWebhookUnwrapping):
    """Your endpoints that receive events (Console API)."""

    def list(self, *, cursor: str | None = None) -> AsyncPagedList[Webhook]:
        """List webhooks, most recently registered first, including disabled ones.

        Live and test webhooks are listed separately.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", "/webhooks", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Webhook)

    async def register(
        self,
        *,
        url: str,
        description: str | UnsetType = UNSET,
        events: Sequence[
            OneOf[
                Literal[
                    "alert.raised",
                    "check.completed",
                    "credits.low",
                    "report.ready",
                    "scan.cancelled",
                    "scan.completed",
                    "scan.failed",
                    "webhook.test",
                ]
            ]
        ]
        | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecret:
        """Register a webhook.

        The `secret` that signs deliveries is returned only in this response. `url` must be https on port 443 of
        a public host, without a user name, password or fragment. Nothing is sent to the URL yet. A workspace
        has at most 20 webhooks per mode; one more is refused (422 `validation_failed`).

        Args:
            url: An https URL on port 443 of a public host, without user name, password or fragment.
            description: Your own description of the webhook.
            events: Event types to send. Empty or omitted means all types.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/webhooks",
            body={"url": url, "description": description, "events": events},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, WebhookWithSecret)

    async def retrieve(self, webhook_id: str) -> Webhook:
        """Return one webhook.

        Returns 404 if the webhook was removed.

        Args:
            webhook_id: Id of the webhook.
        """
        call = build_call("console", "GET", f"/webhooks/{to_segment(webhook_id)}")
        return await self._transport.fetch(call, Webhook)

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        events: Sequence[
            OneOf[
                Literal[
                    "alert.raised",
                    "check.completed",
                    "credits.low",
                    "report.ready",
                    "scan.cancelled",
                    "scan.completed",
                    "scan.failed",
                    "webhook.test",
                ]
            ]
        ]
        | UnsetType = UNSET,
        status: OneOf[Literal["disabled", "enabled"]] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Webhook:
        """Change the fields that you send.

        Disabling a webhook cancels its pending deliveries. Enabling it restarts the five days after which a
        failing webhook is disabled. If you change `url`, pending deliveries go to the new URL.

        Args:
            webhook_id: Id of the webhook.
            url: New address.
            description: New description.
            events: New list of event types; it replaces the old list. Empty means all types.
            status: `disabled` stops deliveries, `enabled` starts them again.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "PATCH",
            f"/webhooks/{to_segment(webhook_id)}",
            body={"url": url, "description": description, "events": events, "status": status},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Webhook)

    async def remove(self, webhook_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a webhook.

        Deliveries stop immediately, including pending ones.

        Args:
            webhook_id: Id of the webhook.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("console", "DELETE", f"/webhooks/{to_segment(webhook_id)}", idempotency_key=idempotency_key)
        return await self._transport.fetch(call, Removed)

    async def rotate_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookWithSecret:
        """Replace the secret.

        The new `secret` is returned only in this response. For 24 hours, deliveries are signed with both the
        new and the previous secret; after that, only with the new one.

        Args:
            webhook_id: Id of the webhook.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console", "POST", f"/webhooks/{to_segment(webhook_id)}/rotate-secret", idempotency_key=idempotency_key
        )
        return await self._transport.fetch(call, WebhookWithSecret)

    async def send_test(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookDelivery:
        """Send the event `webhook.test` to this webhook only, even if its `events` do not include it.

        The response is the delivery before its first attempt; the list of deliveries shows the result. If the
        webhook is disabled, the request is refused (422 `validation_failed`). Test events and redeliveries
        share one limit: 30 per minute for each workspace (429).

        Args:
            webhook_id: Id of the webhook.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console", "POST", f"/webhooks/{to_segment(webhook_id)}/test", idempotency_key=idempotency_key
        )
        return await self._transport.fetch(call, WebhookDelivery)

    def deliveries(self, webhook_id: str, *, cursor: str | None = None) -> AsyncPagedList[WebhookDelivery]:
        """List the deliveries of the last 30 days, newest first, each with its latest 20 attempts and their
        results.

        Args:
            webhook_id: Id of the webhook.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", f"/webhooks/{to_segment(webhook_id)}/deliveries", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, WebhookDelivery)

    async def redeliver(
        self, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None
    ) -> WebhookDelivery:
        """Send the same event again immediately, with the same event id (header `webhook-id`).

        If this fails, Sightline tries again up to seven times within about 28 hours, as with every delivery.
        The numbering of attempts continues. You can also repeat a delivery that succeeded. If the webhook is
        disabled, the request is refused (422 `validation_failed`). Test events and redeliveries share one
        limit: 30 per minute for each workspace (429).

        Args:
            webhook_id: Id of the webhook.
            delivery_id: Id of the delivery.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            f"/webhooks/{to_segment(webhook_id)}/deliveries/{to_segment(delivery_id)}/redeliver",
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, WebhookDelivery)
