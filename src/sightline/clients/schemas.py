"""Clients, as stored, sent and shown."""

import uuid
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example

MAX_DOMAINS = 500

ClientName = Annotated[str, Meta(min_length=1, max_length=100, description="Its name, unique in the workspace.")]
DomainIds = Annotated[
    list[str],
    Meta(
        max_length=MAX_DOMAINS,
        description="Ids of its domains. A domain belongs to one client at most: naming it here takes it from another.",
    ),
]


class ClientRow(msgspec.Struct, frozen=True):
    """A client, and the ids of its tracked domains."""

    id: uuid.UUID
    name: str
    created_at: datetime
    domain_ids: list[uuid.UUID]


class ClientInput(msgspec.Struct, frozen=True):
    """A client to add."""

    name: ClientName
    domain_ids: DomainIds = []


class ClientChanges(msgspec.Struct, frozen=True):
    """Changes of a client. What is left out stays as it is."""

    name: ClientName | UnsetType = UNSET
    domain_ids: DomainIds | UnsetType = UNSET


class Client(msgspec.Struct, frozen=True):
    """A client of an agency: a group of tracked domains. Guests of a client see its domains and nothing else."""

    id: Annotated[uuid.UUID, Meta(description="Id of the client.")]
    name: Annotated[str, Meta(description="Its name, unique in the workspace.")]
    domain_ids: Annotated[list[uuid.UUID], Meta(description="Ids of its tracked domains.")]
    created_at: Annotated[Timestamp, Meta(description="When the client was added.")]


def to_client(row: ClientRow) -> Client:
    return Client(row.id, row.name, row.domain_ids, to_iso(row.created_at))


_ID = uuid.UUID("0197a7a1-52fd-7c11-8b1e-0d3c6f1c2a90")

_CLIENT = Client(_ID, "Acme Group", [TRACKED_DOMAIN_ID], "2026-11-02T08:22:10.118240+00:00")

PATH_IDS = {"data": {"client_id": str(_ID)}}

EXAMPLES = {
    "list_clients": Example([_CLIENT]),
    "read_client": Example(_CLIENT),
    "create_client": Example(_CLIENT, {"name": "Acme Group", "domain_ids": [str(TRACKED_DOMAIN_ID)]}),
    "change_client": Example(_CLIENT, {"domain_ids": [str(TRACKED_DOMAIN_ID)]}),
}
