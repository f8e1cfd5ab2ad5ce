"""Adding and changing Slack channels. The address is the secret: anyone who has it can post, so it is sealed."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec
from yarl import URL

from sightline.accounts.models import Actor
from sightline.clients.manage import read_client
from sightline.db.engine import Transaction
from sightline.errors import Problem, invalid_field
from sightline.http.egress import EgressGuard, is_loopback_host
from sightline.kit.ids import new_id, parse_id
from sightline.plans.entitlements import require_clients
from sightline.webhooks import queries
from sightline.webhooks.addresses import clean_url, refuse_url
from sightline.webhooks.endpoints import change_status, read_endpoint, record_change, require_place
from sightline.webhooks.models import Endpoint
from sightline.webhooks.secrets import SecretBox
from sightline.webhooks.slack.schemas import SLACK_EVENTS, SlackChannelChanges, SlackChannelInput, SlackEvent

MAX_CHANNELS = 200
_HOSTS = frozenset({"hooks.slack.com", "hooks.slack-gov.com"})


async def add_channel(
    tx: Transaction, actor: Actor, channel: SlackChannelInput, *, guard: EgressGuard, box: SecretBox, now: datetime
) -> Endpoint:
    """Add a channel. Nothing is sent to it.

    Refused: a plan without clients (403), an address that is not one of Slack, and an unknown client (422).
    """
    require_clients(actor.plan)
    url = clean_slack_url(channel.url, guard)
    await require_place(tx, actor, "slack", most=MAX_CHANNELS)
    endpoint = Endpoint(
        id=new_id(),
        livemode=actor.livemode,
        url=str(url.origin()),
        description=_clean_name(channel.name),
        events=_list_events(channel.events),
        status="enabled",
        disabled_reason=None,
        created_at=now,
        updated_at=now,
        kind="slack",
        client_id=await _read_client(tx, actor, channel.client_id),
    )
    sealed = box.seal(str(url).encode(), actor.workspace_id, endpoint.id)
    await queries.insert_endpoint(tx, actor.workspace_id, endpoint, sealed)
    await record_change(tx, "slack_channel_added", actor, endpoint)
    return endpoint


async def change_channel(
    tx: Transaction,
    actor: Actor,
    channel_id: uuid.UUID | None,
    changes: SlackChannelChanges,
    *,
    guard: EgressGuard,
    box: SecretBox,
    now: datetime,
) -> Endpoint:
    """Change a channel. Refused as in `add_channel`. A new address, or enabling it, forgets earlier failures."""
    require_clients(actor.plan)
    current = await read_endpoint(tx, actor, channel_id, "slack", lock=True)
    changed = current
    if isinstance(changes.name, str):
        changed = msgspec.structs.replace(changed, description=_clean_name(changes.name))
    if not isinstance(changes.events, msgspec.UnsetType):
        changed = msgspec.structs.replace(changed, events=_list_events(changes.events))
    if not isinstance(changes.client_id, msgspec.UnsetType):
        changed = msgspec.structs.replace(changed, client_id=await _read_client(tx, actor, changes.client_id))
    if isinstance(changes.url, str):
        url = clean_slack_url(changes.url, guard)
        changed = msgspec.structs.replace(changed, url=str(url.origin()))
        sealed = box.seal(str(url).encode(), actor.workspace_id, current.id)
        await queries.set_secrets(tx, actor.workspace_id, current.id, sealed, None)
    has_new_url = isinstance(changes.url, str)
    return await change_status(tx, actor, current, changed, changes.status, is_new_url=has_new_url, now=now)


def clean_slack_url(text: str, guard: EgressGuard) -> URL:
    """Return the address of an incoming webhook. Refused: another host than Slack's (422 `invalid_webhook_url`)."""
    url = URL(clean_url(text.strip(), guard), encoded=True)
    host = url.raw_host or ""
    if host not in _HOSTS and not (guard.allow_loopback and is_loopback_host(host)):
        raise refuse_url("must be the address of an incoming webhook of Slack: https://hooks.slack.com/…")
    if url.path in {"", "/"}:
        raise refuse_url("is incomplete: copy all of it from your Slack app")
    return url


def _clean_name(name: str) -> str:
    cleaned = " ".join(name.split())
    if not cleaned or not cleaned.isprintable():
        raise invalid_field("name", "must have 1 to 100 visible characters", "length")
    return cleaned


def _list_events(chosen: Sequence[SlackEvent]) -> list[str]:
    """Return each chosen event once; all of them if none is chosen."""
    return list(dict.fromkeys(chosen or SLACK_EVENTS))


async def _read_client(tx: Transaction, actor: Actor, client_id: str | None) -> uuid.UUID | None:
    if not client_id:
        return None
    try:
        return (await read_client(tx, actor, parse_id(client_id))).id
    except Problem as problem:
        raise invalid_field("client_id", "is no client of the workspace", "unknown") from problem
