"""Rows of deliveries and attempts, and the job that makes an attempt."""

import uuid
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from sightline.jobs.queue import NewJob
from sightline.webhooks.models import EndpointKind

JOB = "webhook.deliver"

DeliveryStatus = Literal["pending", "succeeded", "failed"]
FailureReason = Literal["attempts_exhausted", "gone", "rejected", "sandbox", "webhook_disabled", "webhook_removed"]


class PendingDelivery(msgspec.Struct, frozen=True):
    """Everything that one attempt needs, read in one statement."""

    status: DeliveryStatus
    attempts: int
    attempts_before: int
    event_id: uuid.UUID
    body: bytes
    endpoint_id: uuid.UUID
    endpoint_status: Literal["enabled", "disabled", "removed"]
    kind: EndpointKind
    url: str
    secret: bytes
    old_secret: bytes | None
    old_secret_until: datetime | None
    failing_since: datetime | None


class AttemptOutcome(msgspec.Struct, frozen=True):
    """What an attempt means for its delivery."""

    status: str
    next_attempt_at: datetime | None = None
    failure_reason: FailureReason | None = None


class AttemptResult(msgspec.Struct, frozen=True):
    """The result of one attempt. Without a response, `error` says why."""

    attempted_at: datetime
    request_headers: dict[str, str]
    response_status: int | None
    response_body: bytes
    error: str | None
    duration_ms: int

    @property
    def succeeded(self) -> bool:
        return self.response_status is not None and 200 <= self.response_status < 300


class SentAttempt(AttemptResult, frozen=True):
    """An attempt that was just made."""

    retry_after: timedelta | None = None
    """The wait that the receiver asks for."""


class DeliveryAttempt(AttemptResult, frozen=True):
    delivery_id: uuid.UUID
    attempt: int


class Delivery(msgspec.Struct, frozen=True):
    """One event on its way to one endpoint. `body` is that of the event."""

    id: uuid.UUID
    endpoint_id: uuid.UUID
    event_id: uuid.UUID
    event_type: str
    status: DeliveryStatus
    failure_reason: FailureReason | None
    attempts: int
    attempts_before: int
    next_attempt_at: datetime | None
    created_at: datetime
    body: bytes


class DeliveryHistory(msgspec.Struct, frozen=True):
    """A delivery with its latest attempts, oldest first."""

    delivery: Delivery
    attempts: list[DeliveryAttempt]


class DeliverJob(msgspec.Struct, frozen=True):
    """The payload of the job that makes one attempt. A repeated job does nothing."""

    workspace_id: uuid.UUID
    delivery_id: uuid.UUID
    attempt: int


def build_delivery_job(
    workspace_id: uuid.UUID,
    endpoint_id: uuid.UUID,
    delivery_id: uuid.UUID,
    attempt: int,
    *,
    before: int,
    delay: timedelta = timedelta(0),
) -> NewJob:
    """Build the job of one attempt in one round.

    `before` is the number of attempts of earlier rounds: a redelivery must not find its key taken by the job that
    waits for the old round. The query of the sweep builds the same key.
    """
    return NewJob(
        kind=JOB,
        payload=DeliverJob(workspace_id, delivery_id, attempt),
        key=f"webhook:{delivery_id}:{attempt}:{before}",
        delay=delay,
        share=f"{workspace_id}/{endpoint_id}",
    )
