"""Reading tracked domains. Setting one up is in `onboarding/`."""

import uuid

from sightline.accounts.models import Actor
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking import queries
from sightline.errors import Problem
from sightline.kit.clock import to_iso


async def list_tracked_domains(
    db: Reader, actor: Actor, *, after: queries.SortKey | None, page_size: int
) -> Slice[TrackedDomainRow]:
    """List tracked domains, most recently added first."""
    rows = await queries.list_tracked_domains(db, actor.workspace_id, actor.clients, after=after, limit=page_size + 1)
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def read_tracked_domain(db: Reader, actor: Actor, domain_id: uuid.UUID | None) -> TrackedDomainRow:
    found = domain_id and await queries.find_tracked_domain(db, actor.workspace_id, domain_id)
    if not found or (actor.clients is not None and found.client_id not in actor.clients):
        raise Problem("domain_not_found")
    return found


async def lock_domain(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID | None) -> TrackedDomainRow:
    """Lock a tracked domain until the transaction ends, for every change to it or to what belongs to it."""
    locked = domain_id and await queries.lock_tracked_domain(tx, workspace_id, domain_id)
    if not locked:
        raise Problem("domain_not_found")
    return locked
