"""`client.webhooks.unwrap`: the function of `sightline_sdk.webhooks` next to the methods that manage webhooks."""

from collections.abc import Mapping

from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.webhook_events import WebhookEvent
from sightline_sdk.webhooks import DEFAULT_TOLERANCE, unwrap


class _Unwrapping:
    @staticmethod
    def unwrap(
        body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance: float = DEFAULT_TOLERANCE
    ) -> WebhookEvent:
        """Verify a delivery and return its event, as `sightline_sdk.webhooks.unwrap` does. Nothing is requested."""
        return unwrap(body, headers, secret, tolerance=tolerance)


class WebhookUnwrapping(_Unwrapping, Resource):
    pass


class AsyncWebhookUnwrapping(_Unwrapping, AsyncResource):
    pass
