"""The two limits of prompts: those of a workspace, by its plan, and the pins of a domain.

Both are counted under locks that are held until the transaction ends, so concurrent requests cannot exceed them. A
record that exists takes no new slot, even if it was removed before.
"""

import uuid

import msgspec

from sightline.db.engine import Transaction
from sightline.domains.tracking.read import lock_domain
from sightline.errors import Problem
from sightline.plans.table import PlanTable
from sightline.prompts import queries

MAX_PINNED = 10


class LockedDomain(msgspec.Struct, frozen=True):
    """A locked tracked domain, with its locked workspace and the number of prompts that the workspace may have."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    limit: int


async def lock_workspace_and_domain(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, plans: PlanTable
) -> LockedDomain:
    """Lock both, for a change that may take a slot. Refused: an unknown domain (404)."""
    plan = await queries.lock_workspace(tx, workspace_id)
    await lock_domain(tx, workspace_id, domain_id)
    return LockedDomain(workspace_id, domain_id, plans[plan].tracked_prompts)


def prompt_not_found() -> Problem:
    return Problem("not_found", "This domain has no such active prompt.")


async def require_slots(tx: Transaction, locked: LockedDomain, wanted: int = 1) -> None:
    """Refuse `wanted` new prompts that do not fit within the plan (409 `prompt_limit_reached`)."""
    current = await queries.count_active_prompts(tx, locked.workspace_id)
    if wanted and current + wanted > locked.limit:
        raise Problem("prompt_limit_reached", current=current, limit=locked.limit)


async def require_free_pin(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """Refuse another pin when the domain has all it can have (409 `pin_limit_reached`)."""
    current = await queries.count_pinned(tx, workspace_id, domain_id)
    if current >= MAX_PINNED:
        raise Problem("pin_limit_reached", current=current, limit=MAX_PINNED)
