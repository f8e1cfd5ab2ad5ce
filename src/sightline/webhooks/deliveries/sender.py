"""Sending one delivery: signed, through the egress guard, once. Failures are returned, never raised."""

import random
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

import aiohttp
import msgspec
from aiohttp.abc import AbstractResolver

from sightline.http.egress import EgressGuard, EgressRefused, open_guarded_session, send_guarded
from sightline.settings import Settings
from sightline.webhooks.addresses import build_webhook_guard
from sightline.webhooks.deliveries.models import AttemptResult, PendingDelivery
from sightline.webhooks.deliveries.signing import sign_headers
from sightline.webhooks.secrets import SecretBox, SecretUnreadable

_MAX_RESPONSE_BYTES = 4_096


class WebhookSender(msgspec.Struct, frozen=True):
    """What all deliveries of a process share: one session, so that connections to busy receivers stay open."""

    session: aiohttp.ClientSession
    guard: EgressGuard
    box: SecretBox
    timeout: float
    random_share: Callable[[], float] = random.random

    async def send(self, workspace_id: UUID, pending: PendingDelivery, *, now: datetime) -> AttemptResult:
        try:
            secrets = self._secrets(workspace_id, pending, now)
        except SecretUnreadable:
            return AttemptResult(now, {}, None, b"", "the signing secret cannot be opened: rotate it", 0)
        headers = sign_headers(pending.event_id, pending.body, secrets, now=now)
        started = time.perf_counter()
        status, answer, error = await self._post(pending, headers)
        return AttemptResult(now, headers, status, answer, error, round((time.perf_counter() - started) * 1_000))

    def _secrets(self, workspace_id: UUID, pending: PendingDelivery, now: datetime) -> list[bytes]:
        sealed = [pending.secret]
        if pending.old_secret is not None and pending.old_secret_until is not None and now < pending.old_secret_until:
            sealed.append(pending.old_secret)
        return [self.box.open(one, workspace_id, pending.endpoint_id) for one in sealed]

    async def _post(self, pending: PendingDelivery, headers: dict[str, str]) -> tuple[int | None, bytes, str | None]:
        try:
            reply = await send_guarded(
                self.session,
                self.guard,
                "POST",
                pending.url,
                headers=headers,
                body=pending.body,
                timeout=self.timeout,
                max_bytes=_MAX_RESPONSE_BYTES,
            )
        except (EgressRefused, aiohttp.ClientError, OSError, ValueError) as failure:  # a timeout is an OSError
            return None, b"", self._explain(failure)
        error = "redirects are not followed" if 300 <= reply.status < 400 else None
        return reply.status, reply.body, error

    def _explain(self, failure: Exception) -> str:
        """Describe the failure for the customer. The exception itself may name addresses of our network."""
        if isinstance(failure, EgressRefused):
            return f"not sent: {failure}"
        if isinstance(failure, TimeoutError):
            return f"no complete answer within {self.timeout:g} seconds"
        if isinstance(failure, aiohttp.ClientSSLError | ssl.SSLError):
            return "no safe connection: the certificate, or the TLS of the receiver, is not acceptable"
        if isinstance(failure, aiohttp.ClientConnectorDNSError):
            return "the host name cannot be resolved"
        if isinstance(failure, aiohttp.ClientConnectorError):
            return "no connection could be made"
        if isinstance(failure, aiohttp.ServerDisconnectedError | ConnectionError):
            return "the connection was closed before the answer was complete"
        return "the answer cannot be read"


@asynccontextmanager
async def open_webhook_sender(
    settings: Settings, *, resolver: AbstractResolver | None = None
) -> AsyncIterator[WebhookSender]:
    """Open a sender for the duration of the block. The worker limits the number of concurrent deliveries."""
    guard = build_webhook_guard(settings)
    async with open_guarded_session(guard, resolver=resolver, connections=0) as session:
        yield WebhookSender(session, guard, SecretBox(*settings.signing_keys), settings.webhook_timeout)
