"""Muting alerts: muted ones are stored and shown, but nobody is notified of them.

A mute applies to a type and scope of a domain ("named less on ChatGPT"), not only to the alert it was chosen on. It
takes effect with the next confirmation. Unmuting sends no notifications about the past.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.db.engine import Transaction
from sightline.errors import Problem
from sightline.insights.alerts import queries
from sightline.insights.alerts.models import MuteRow
from sightline.insights.alerts.schemas import Alert
from sightline.insights.alerts.scopes import AlertScope, format_scope


async def mute_alert(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, alert_id: uuid.UUID | None, *, now: datetime
) -> None:
    """Mute the type and scope of an alert; muting twice changes nothing. Refused: an unknown alert (404)."""
    if alert_id is None or not await queries.mute_alert(
        tx, actor.workspace_id, domain_id, alert_id, actor.user_id, now=now
    ):
        raise Problem("not_found")


async def unmute_alert(tx: Transaction, actor: Actor, domain_id: uuid.UUID, alert_id: uuid.UUID | None) -> None:
    if alert_id is None or not await queries.unmute_alert(tx, actor.workspace_id, domain_id, alert_id):
        raise Problem("not_found")


def find_muted(alerts: Sequence[Alert], mutes: Sequence[MuteRow]) -> frozenset[uuid.UUID]:
    """Return the ids of the alerts with a muted type and scope."""
    muted = {(mute.type, mute.scope) for mute in mutes}
    return frozenset(alert.id for alert in alerts if (alert.type, format_scope(_get_scope(alert))) in muted)


def _get_scope(alert: Alert) -> AlertScope:
    return AlertScope(
        kind=alert.scope,
        platform=alert.platform,
        country=alert.country_iso_2,
        prompt_id=alert.prompt_id,
        competitor=alert.competitor,
    )
