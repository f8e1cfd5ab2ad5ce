"""Sending one delivery: signed, through the egress guard, once. Failures are returned, never raised."""

import random
import re
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple
from uuid import UUID

import aiohttp
import msgspec
from aiohttp.abc import AbstractResolver
from prometheus_client import Histogram
from yarl import URL

from sightline.http.egress import EgressGuard, EgressRefused, is_loopback_host, open_guarded_session, send_guarded
from sightline.http.session import USER_AGENT
from sightline.kit.tracing import current_traceparent, mark_failed, start_span
from sightline.platforms.access import is_sandbox
from sightline.settings import Settings
from sightline.webhooks.addresses import build_webhook_guard
from sightline.webhooks.deliveries.models import PendingDelivery, SentAttempt
from sightline.webhooks.deliveries.signing import sign_headers
from sightline.webhooks.models import EndpointKind
from sightline.webhooks.secrets import SecretBox, SecretUnreadable
from sightline.webhooks.slack.messages import build_message, explain_refusal

_MAX_RESPONSE_BYTES = 4_096
_SECONDS = Histogram(
    "sightline_webhook_attempt_seconds",
    "Time of one attempt to deliver a webhook, by outcome: ok or failed.",
    ["outcome"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30),
)


_UNREADABLE: Mapping[EndpointKind, str] = {
    "webhook": "the signing secret cannot be decrypted: rotate the secret",
    "slack": "the address cannot be decrypted: enter it again",
}


class _Request(NamedTuple):
    url: str
    headers: dict[str, str]
    body: bytes


def _read_retry_after(headers: Mapping[str, str]) -> timedelta | None:
    """Return the wait that a response asks for in seconds; dates are not read."""
    text = headers.get("retry-after", "")
    return timedelta(seconds=int(text)) if re.fullmatch(r"[0-9]{1,6}", text) else None


class WebhookSender(msgspec.Struct, frozen=True):
    """What all deliveries of a process share: one session, so that connections to busy receivers stay open."""

    session: aiohttp.ClientSession
    guard: EgressGuard
    box: SecretBox
    timeout: float
    base_url: str
    """The public address of the installation, for links in messages to Slack."""
    is_sandbox: Callable[[], bool]
    random_share: Callable[[], float] = random.random

    def keeps_inside(self, pending: PendingDelivery) -> bool:
        """Return whether the delivery stays inside: a sandbox posts nothing to Slack, only to this machine."""
        return pending.kind == "slack" and self.is_sandbox() and not is_loopback_host(URL(pending.url).host or "")

    async def send(self, workspace_id: UUID, pending: PendingDelivery, *, now: datetime) -> SentAttempt:
        try:
            request = self._build_request(workspace_id, pending, now)
        except SecretUnreadable:
            return SentAttempt(now, {}, None, b"", _UNREADABLE[pending.kind], 0)
        headers = request.headers
        started = time.perf_counter()
        about = {"sightline.event_id": str(pending.event_id)}
        with start_span("send webhook", "client", attributes=about) as span:
            if (traceparent := current_traceparent()) is not None:
                headers["traceparent"] = traceparent
            status, answer, error, retry_after = await self._post(request)
            if status is None or status >= 300:
                mark_failed(span, "no_answer" if status is None else str(status))
        seconds = time.perf_counter() - started
        if pending.kind == "slack" and error is None and status is not None and status >= 300:
            error = explain_refusal(answer)
        result = SentAttempt(now, headers, status, answer, error, round(seconds * 1_000), retry_after)
        _SECONDS.labels("ok" if result.succeeded else "failed").observe(seconds)
        return result

    def _build_request(self, workspace_id: UUID, pending: PendingDelivery, now: datetime) -> _Request:
        if pending.kind == "slack":
            url = self.box.open(pending.secret, workspace_id, pending.endpoint_id).decode()
            headers = {"content-type": "application/json", "user-agent": USER_AGENT}
            return _Request(url, headers, build_message(pending.body, self.base_url))
        secrets = self._secrets(workspace_id, pending, now)
        return _Request(pending.url, sign_headers(pending.event_id, pending.body, secrets, now=now), pending.body)

    def _secrets(self, workspace_id: UUID, pending: PendingDelivery, now: datetime) -> list[bytes]:
        sealed = [pending.secret]
        if pending.old_secret is not None and pending.old_secret_until is not None and now < pending.old_secret_until:
            sealed.append(pending.old_secret)
        return [self.box.open(one, workspace_id, pending.endpoint_id) for one in sealed]

    async def _post(self, request: _Request) -> tuple[int | None, bytes, str | None, timedelta | None]:
        try:
            reply = await send_guarded(
                self.session,
                self.guard,
                "POST",
                request.url,
                headers=request.headers,
                body=request.body,
                timeout=self.timeout,
                max_bytes=_MAX_RESPONSE_BYTES,
            )
        except (EgressRefused, aiohttp.ClientError, OSError, ValueError) as failure:  # a timeout is an OSError
            return None, b"", self._explain(failure), None
        error = "redirects are not followed" if 300 <= reply.status < 400 else None
        return reply.status, reply.body, error, _read_retry_after(reply.headers)

    def _explain(self, failure: Exception) -> str:
        """Describe the failure for the customer. The exception itself may name addresses of our network."""
        if isinstance(failure, EgressRefused):
            return f"not sent: {failure}"
        if isinstance(failure, TimeoutError):
            return f"no complete response within {self.timeout:g} seconds"
        if isinstance(failure, aiohttp.ClientSSLError | ssl.SSLError):
            return "no secure connection: the receiver's certificate or TLS version is not accepted"
        if isinstance(failure, aiohttp.ClientConnectorDNSError):
            return "the host name cannot be resolved"
        if isinstance(failure, aiohttp.ClientConnectorError):
            return "no connection could be made"
        if isinstance(failure, aiohttp.ServerDisconnectedError | ConnectionError):
            return "the connection was closed before the response was complete"
        return "the response cannot be read"


@asynccontextmanager
async def open_webhook_sender(
    settings: Settings, *, resolver: AbstractResolver | None = None
) -> AsyncIterator[WebhookSender]:
    """Open a sender for the duration of the block. The worker limits the number of concurrent deliveries."""
    guard = build_webhook_guard(settings)
    async with open_guarded_session(guard, resolver=resolver, connections=0) as session:
        yield WebhookSender(
            session,
            guard,
            SecretBox(*settings.signing_keys),
            settings.webhook_timeout,
            settings.public_url,
            partial(is_sandbox, settings),
        )
