"""Changing the domain of a set-up that is not complete."""

import uuid
from datetime import datetime

from sightline.accounts.queries import lock_workspace
from sightline.db.engine import Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.domains.names import first_label
from sightline.domains.tracking import queries
from sightline.domains.tracking.read import lock_domain
from sightline.domains.tracking.track import TrackInput, clean_tracked_name, track_domain
from sightline.errors import Problem
from sightline.plans.table import PlanTable
from sightline.prompts.remove import remove_tracked_domain


async def change_setup_domain(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, name: str, *, plans: PlanTable, now: datetime
) -> TrackedDomainRow:
    """Set up another domain instead, in the same slot of the plan. The same name changes nothing.

    The record is renamed. If either domain has a history, this record is removed and the other domain gets its own. A
    domain whose set-up was left unfinished is continued. Refused: an invalid name (422), and a domain that is tracked
    already (409); then the domain stays as it was.
    """
    await lock_workspace(tx, workspace_id)  # before the domain, as everywhere, to avoid deadlocks
    current = await lock_domain(tx, workspace_id, domain_id)
    if current.status != "setup":
        raise Problem("domain_not_found")
    domain = clean_tracked_name(name)
    if domain == current.domain:
        return current
    if await queries.rename_unused(tx, workspace_id, domain_id, domain, first_label(domain)):
        renamed = await queries.find_tracked_domain(tx, workspace_id, domain_id)
        assert renamed is not None  # renamed in this transaction
        return renamed
    await remove_tracked_domain(tx, workspace_id, domain_id, now=now)
    try:
        return await track_domain(tx, workspace_id, TrackInput(domain), plans=plans, now=now)
    except Problem as problem:
        if problem.code != "domain_exists":
            raise
        known = await queries.find_tracked_domain(tx, workspace_id, uuid.UUID(problem.members["domain_id"]))
        if known is None or known.status != "setup":
            raise
        return known
