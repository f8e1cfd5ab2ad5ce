"""Removing a Console domain from the list. Its scans stay; registering the name again restores the record."""

import uuid
from datetime import datetime

from sightline.accounts.models import Actor
from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.domains import queries
from sightline.domains.register import read_domain
from sightline.errors import Problem


async def remove_domain(tx: Transaction, actor: Actor, domain_id: uuid.UUID | None, *, now: datetime) -> uuid.UUID:
    """Remove the domain. Refused: while a scan of it is active (409).

    Submitting a scan takes the same lock, so the two cannot overlap.
    """
    domain = await read_domain(tx, actor, domain_id, lock=True)
    if (active := await queries.find_active_scan(tx, actor.workspace_id, domain.id)) is not None:
        raise Problem("scan_in_progress", active_scan_id=str(active))
    await queries.mark_removed(tx, actor.workspace_id, domain.id, now=now)
    await record_audit(tx, actor.workspace_id, "domain_removed", domain.domain, domain_id=domain.id)
    return domain.id
