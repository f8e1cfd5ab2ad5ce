"""Schemas of the audit log in the Console API."""

import uuid
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from sightline.audit.models import ActorType, AuditEntry
from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import EVENT_TIME, REQUEST_ID, USER_ID, Example


class AuditActor(msgspec.Struct, frozen=True):
    """Who acted."""

    type: Annotated[
        ActorType,
        Meta(
            description="`person` (signed in), `key` (an API key), `operator` (a command on the server) or `system` "
            "(Sightline itself, or nobody who is known)."
        ),
    ]
    id: Annotated[uuid.UUID | None, Meta(description="Id of the person or the key. Null for others.")]
    name: Annotated[
        str | None, Meta(description="Present name of the person or the key. A deleted person has a pseudonym.")
    ]


class AuditRow(msgspec.Struct, frozen=True):
    """One action in the workspace."""

    id: Annotated[uuid.UUID, Meta(description="Id of the entry.")]
    recorded_at: Annotated[Timestamp, Meta(description="When it happened.")]
    action: Annotated[str, Meta(description="What happened, such as `key_created`.")]
    actor: Annotated[AuditActor, Meta(description="Who acted.")]
    name: Annotated[
        str | None,
        Meta(description="Name of what was changed, such as a key or a member. Null if it has none."),
    ]
    details: Annotated[
        dict[str, Any],
        Meta(description="Ids, names of settings and counts. Never secrets, e-mail addresses or texts of answers."),
    ]
    address: Annotated[str | None, Meta(description="IP address of the request. Null if there was none.")]
    request_id: Annotated[str | None, Meta(description="Id of the API request. Null for pages and commands.")]


def to_audit_row(entry: AuditEntry) -> AuditRow:
    return AuditRow(
        id=entry.id,
        recorded_at=to_iso(entry.recorded_at),
        action=entry.action,
        actor=AuditActor(entry.by_type, entry.by_id, entry.by_name),
        name=entry.name,
        details=entry.details,
        address=entry.address,
        request_id=entry.request_id,
    )


# Examples

_ENTRY = AuditRow(
    id=uuid.UUID("01990f72-3a41-7c05-9b7e-64d2e8f1a093"),
    recorded_at=EVENT_TIME,
    action="key_created",
    actor=AuditActor("person", USER_ID, "Ada Cole"),
    name="CI pipeline",
    details={"key_id": "01990f6e-84b1-7a2c-9f43-d05b7e61c8a2", "kind": "console", "livemode": True, "scopes": ["read"]},
    address="203.0.113.7",
    request_id=REQUEST_ID,
)
EXAMPLES = {"list_audit_entries": Example([_ENTRY])}
