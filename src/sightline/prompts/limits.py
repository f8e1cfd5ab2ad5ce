"""The two limits: prompts of a workspace, by its plan, and pins of a domain.

Both are counted behind locks that are held until the transaction ends, so that any number of requests at once pass
neither limit. A record that exists takes no new slot, even when it was removed before.
"""

import uuid

import msgspec

from sightline.db.engine import Transaction
from sightline.errors import Problem
from sightline.kit.counting import count
from sightline.plans.table import PlanTable
from sightline.prompts import queries

MAX_PINNED = 10


class LockedDomain(msgspec.Struct, frozen=True):
    """A workspace and a tracked domain of it, locked; and how many prompts the workspace may have."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    limit: int


async def lock_workspace_and_domain(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, plans: PlanTable
) -> LockedDomain:
    """For whatever may take a slot: the workspace first, then the domain. 404 `domain_not_found` without one."""
    plan = await queries.lock_workspace(tx, workspace_id)
    await lock_domain(tx, workspace_id, domain_id)
    return LockedDomain(workspace_id, domain_id, plans[plan].tracked_prompts)


async def lock_domain(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """For what takes no slot."""
    if not await queries.lock_domain(tx, workspace_id, domain_id):
        raise Problem("domain_not_found")


async def require_slots(tx: Transaction, locked: LockedDomain, wanted: int = 1) -> None:
    """409 `prompt_limit_reached` unless that many new prompts fit within the plan."""
    current = await queries.count_active(tx, locked.workspace_id)
    if wanted and current + wanted > locked.limit:
        raise Problem(
            "prompt_limit_reached",
            f"The workspace tracks {current} of {count(locked.limit, 'prompt')}. Remove one or change the plan.",
            current=current,
            limit=locked.limit,
        )


async def require_free_pin(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    """409 `pin_limit_reached` when the domain has all the pins that it can have."""
    current = await queries.count_pinned(tx, workspace_id, domain_id)
    if current >= MAX_PINNED:
        raise Problem("pin_limit_reached", current=current, limit=MAX_PINNED)
