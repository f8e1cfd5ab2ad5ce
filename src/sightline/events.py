"""The outbox: events, written in the transaction that caused them and read by the features that react to them.

Webhooks are sent from these rows by a job. No feature knows about webhooks, and an event is neither lost nor sent for a
change that was rolled back.
"""

import uuid
from datetime import datetime
from typing import Annotated, Generic, Literal, Protocol, TypeVar, get_args

import msgspec
from msgspec import Meta

from sightline.db.engine import Transaction
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.ids import new_id

EventType = Literal[
    "scan.completed",
    "scan.failed",
    "scan.cancelled",
    "check.completed",
    "credits.low",
    "alert.raised",
    "report.ready",
    "webhook.test",
]
EVENT_TYPES: tuple[str, ...] = get_args(EventType)
JOB = "event"


class EventJob(msgspec.Struct, frozen=True):
    """The payload of the job that follows every event."""

    workspace_id: uuid.UUID
    event_id: uuid.UUID


class EventData(Protocol):
    """What the data of every event has, so that a receiver knows whom it is about."""

    @property
    def workspace_id(self) -> uuid.UUID: ...
    @property
    def livemode(self) -> bool: ...


Data = TypeVar("Data", bound=EventData)


class EventBody(msgspec.Struct, Generic[Data], frozen=True):
    """What webhooks receive about an event."""

    type: Annotated[EventType, Meta(description="Type of the event.")]
    timestamp: Annotated[Timestamp, Meta(description="When the event happened.")]
    data: Annotated[Data, Meta(description="What the event is about, as it was at that time.")]


async def record_event(
    tx: Transaction, kind: EventType, data: EventData, *, cause: str, now: datetime
) -> uuid.UUID | None:
    """Record an event of the workspace that its data name, and enqueue its job.

    Return None when this type and cause was recorded before.
    """
    event_id = new_id()
    body = msgspec.json.encode(EventBody(kind, to_iso(now), data))
    recorded = await tx.fetchval(
        """INSERT INTO events (workspace_id, id, livemode, type, cause, body, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (workspace_id, livemode, type, cause) DO NOTHING RETURNING id""",
        data.workspace_id,
        event_id,
        data.livemode,
        kind,
        cause,
        body,
        now,
    )
    if recorded is None:
        return None
    await enqueue(tx, NewJob(kind=JOB, payload=EventJob(data.workspace_id, event_id), key=f"event:{event_id}"))
    return event_id


async def delete_events_any_workspace(tx: Transaction, *, before: datetime, limit: int) -> int:
    """Delete the oldest events that no delivery of a webhook needs, and return how many."""
    status = await tx.execute(
        """DELETE FROM events WHERE (workspace_id, id) IN (
               SELECT v.workspace_id, v.id FROM events v
               WHERE v.created_at < $1 AND NOT EXISTS (
                   SELECT FROM webhook_deliveries d WHERE d.workspace_id = v.workspace_id AND d.event_id = v.id)
               ORDER BY v.created_at LIMIT $2)""",
        before,
        limit,
    )
    return int(status.rpartition(" ")[2])
