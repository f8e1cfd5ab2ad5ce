"""Clients, as stored, sent and shown."""

import uuid
from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import TRACKED_DOMAIN_ID, Example
from sightline.kit.structs import convert_struct

MAX_DOMAINS = 500
MAX_RECIPIENTS = 20

ClientName = Annotated[str, Meta(min_length=1, max_length=100, description="Its name, unique in the workspace.")]
DomainIds = Annotated[
    list[str],
    Meta(
        max_length=MAX_DOMAINS,
        description="Ids of its domains. A domain belongs to one client at most: naming it here takes it from another.",
    ),
]


_COLOR = "Color of headings, links and buttons, such as `#0e6e78`. It must be readable on white. Null: Sightline's."
_SENDER = "Name that stands where Sightline's would, and that e-mails come from. Null: Sightline."
_SHOWS_MAKER = 'Whether "Made with Sightline" stands below reports and e-mails.'
_RECIPIENTS = "E-mail addresses that receive the scheduled reports of its domains."
_LANGUAGE = "Language of its scheduled reports. Null: English."
_TIMEZONE = "Time zone of its schedule and of the times in its reports, such as `Europe/Berlin`. Null: the workspace's."

Recipients = Annotated[
    list[Annotated[str, Meta(max_length=254)]], Meta(max_length=MAX_RECIPIENTS, description=_RECIPIENTS)
]


class ClientRow(msgspec.Struct, frozen=True):
    """A client, and the ids of its tracked domains."""

    id: uuid.UUID
    name: str
    created_at: datetime
    domain_ids: list[uuid.UUID]
    has_logo: bool = False
    color: str | None = None
    sender_name: str | None = None
    shows_maker: bool = True
    recipients: list[str] = []
    language: str | None = None
    timezone: str | None = None


class ClientDetails(msgspec.Struct, frozen=True, kw_only=True):
    """How a client's reports look, and who receives them. What is left out stays as it is."""

    color: Annotated[Annotated[str, Meta(max_length=7)] | UnsetType | None, Meta(description=_COLOR)] = UNSET
    sender_name: Annotated[Annotated[str, Meta(max_length=80)] | UnsetType | None, Meta(description=_SENDER)] = UNSET
    shows_maker: Annotated[bool | UnsetType, Meta(description=_SHOWS_MAKER)] = UNSET
    recipients: Recipients | UnsetType = UNSET
    language: Annotated[Annotated[str, Meta(max_length=10)] | UnsetType | None, Meta(description=_LANGUAGE)] = UNSET
    timezone: Annotated[Annotated[str, Meta(max_length=64)] | UnsetType | None, Meta(description=_TIMEZONE)] = UNSET


class ClientInput(ClientDetails, frozen=True):
    """A client to add."""

    name: ClientName
    domain_ids: DomainIds = []


class ClientChanges(ClientDetails, frozen=True, kw_only=True):
    """Changes of a client. What is left out stays as it is."""

    name: ClientName | UnsetType = UNSET
    domain_ids: DomainIds | UnsetType = UNSET


class LogoInput(msgspec.Struct, frozen=True):
    """A logo to use."""

    logo: Annotated[
        str, Meta(max_length=280_000, description="A PNG or SVG file of at most 200 KB, encoded with Base64.")
    ]


class Client(msgspec.Struct, frozen=True):
    """A client of an agency: a group of tracked domains. Guests of a client see its domains and nothing else."""

    id: Annotated[uuid.UUID, Meta(description="Id of the client.")]
    name: Annotated[str, Meta(description="Its name, unique in the workspace.")]
    domain_ids: Annotated[list[uuid.UUID], Meta(description="Ids of its tracked domains.")]
    created_at: Annotated[Timestamp, Meta(description="When the client was added.")]
    has_logo: Annotated[bool, Meta(description="Whether it has a logo.")]
    color: Annotated[str | None, Meta(description=_COLOR)]
    sender_name: Annotated[str | None, Meta(description=_SENDER)]
    shows_maker: Annotated[bool, Meta(description=_SHOWS_MAKER)]
    recipients: Annotated[list[str], Meta(description=_RECIPIENTS)]
    language: Annotated[str | None, Meta(description=_LANGUAGE)]
    timezone: Annotated[str | None, Meta(description=_TIMEZONE)]


def to_client(row: ClientRow) -> Client:
    return convert_struct(Client, row, created_at=to_iso(row.created_at))


_ID = uuid.UUID("0197a7a1-52fd-7c11-8b1e-0d3c6f1c2a90")

_CLIENT = Client(
    id=_ID,
    name="Acme Group",
    domain_ids=[TRACKED_DOMAIN_ID],
    created_at="2026-11-02T08:22:10.118240+00:00",
    has_logo=True,
    color="#7a1f5c",
    sender_name="Northlight Agency",
    shows_maker=False,
    recipients=["marketing@acme.com"],
    language="de",
    timezone="Europe/Berlin",
)
_CHANGES = {"color": "#7a1f5c", "sender_name": "Northlight Agency", "recipients": ["marketing@acme.com"]}

PATH_IDS = {"data": {"client_id": str(_ID)}}

EXAMPLES = {
    "list_clients": Example([_CLIENT]),
    "read_client": Example(_CLIENT),
    "create_client": Example(_CLIENT, {"name": "Acme Group", "domain_ids": [str(TRACKED_DOMAIN_ID)]}),
    "change_client": Example(_CLIENT, {"domain_ids": [str(TRACKED_DOMAIN_ID)], **_CHANGES}),
    "set_client_logo": Example(_CLIENT, {"logo": "iVBORw0KGgo\u2026"}),
    "read_client_logo": Example("\u2030PNG\u2026"),
    "remove_client_logo": Example(_CLIENT),
}
