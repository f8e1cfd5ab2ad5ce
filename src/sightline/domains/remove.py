"""Removing a Console domain from the list. Its checks stay; registering the name again revives the record."""

import uuid
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.db.engine import Transaction
from sightline.domains import queries
from sightline.domains.register import read_domain


async def remove_domain(tx: Transaction, actor: Actor, domain_id: uuid.UUID | None, *, now: datetime) -> uuid.UUID:
    domain = await read_domain(tx, actor, domain_id, lock=True)
    await queries.mark_removed(tx, actor.workspace_id, domain.id, now=now)
    return domain.id
