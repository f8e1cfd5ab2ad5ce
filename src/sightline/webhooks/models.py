"""Endpoints, deliveries and attempts, as rows; the job that delivers."""

import uuid
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from sightline.jobs.queue import NewJob

JOB = "webhook.deliver"

EndpointStatus = Literal["enabled", "disabled"]
DisabledReason = Literal["manual", "gone", "failing"]
DeliveryStatus = Literal["pending", "succeeded", "failed"]
FailureReason = Literal["attempts_exhausted", "gone", "webhook_disabled", "webhook_removed"]


class Endpoint(msgspec.Struct, frozen=True):
    """Where a customer wants to be told. Without its secrets: only sending and rotating read those."""

    id: uuid.UUID
    livemode: bool
    url: str
    description: str
    events: list[str]
    status: EndpointStatus
    disabled_reason: DisabledReason | None
    created_at: datetime
    updated_at: datetime


class PendingDelivery(msgspec.Struct, frozen=True):
    """All that one attempt needs, read in one statement."""

    status: DeliveryStatus
    attempts: int
    attempts_before: int
    event_id: uuid.UUID
    body: bytes
    endpoint_id: uuid.UUID
    endpoint_status: Literal["enabled", "disabled", "removed"]
    url: str
    secret: bytes
    old_secret: bytes | None
    old_secret_until: datetime | None
    failing_since: datetime | None


class AttemptResult(msgspec.Struct, frozen=True):
    """What came of one attempt. Without an answer, `error` says why."""

    attempted_at: datetime
    request_headers: dict[str, str]
    response_status: int | None
    response_body: bytes
    error: str | None
    duration_ms: int

    @property
    def succeeded(self) -> bool:
        return self.response_status is not None and 200 <= self.response_status < 300


class DeliveryAttempt(msgspec.Struct, frozen=True):
    delivery_id: uuid.UUID
    attempt: int
    attempted_at: datetime
    request_headers: dict[str, str]
    response_status: int | None
    response_body: bytes
    error: str | None
    duration_ms: int


class Delivery(msgspec.Struct, frozen=True):
    """One event on its way to one endpoint. `body` is the event's."""

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
    """Payload of the job that makes one attempt. When that attempt was made already, the job does nothing."""

    workspace_id: uuid.UUID
    delivery_id: uuid.UUID
    attempt: int


def build_delivery_job(
    workspace_id: uuid.UUID, delivery_id: uuid.UUID, attempt: int, *, before: int, delay: timedelta = timedelta(0)
) -> NewJob:
    """One job per attempt and round. `before` are the attempts of earlier rounds: a redelivery must not find its key
    taken by the job that waits for the old round's pause. The sweep's query spells the same key."""
    return NewJob(
        kind=JOB,
        payload=DeliverJob(workspace_id, delivery_id, attempt),
        key=f"webhook:{delivery_id}:{attempt}:{before}",
        delay=delay,
    )
