"""Removing a Console domain from the list. Its checks stay; registering the name again revives the record."""

import uuid
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.db.engine import Transaction
from sightline.domains import queries
from sightline.domains.register import read_domain
from sightline.errors import Problem


async def remove_domain(tx: Transaction, actor: Actor, domain_id: uuid.UUID | None, *, now: datetime) -> uuid.UUID:
    """Refused while a scan of the domain is active. Whoever submits one holds the same lock, so the two cannot meet."""
    domain = await read_domain(tx, actor, domain_id, lock=True)
    if (active := await queries.find_active_scan(tx, actor.workspace_id, domain.id)) is not None:
        raise Problem("scan_in_progress", active_scan_id=str(active))
    await queries.mark_removed(tx, actor.workspace_id, domain.id, now=now)
    return domain.id
