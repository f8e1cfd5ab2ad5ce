"""Granting and removing the role of an installation operator."""

import uuid
from datetime import datetime

from sightline.accounts.models import User
from sightline.accounts.operators import queries
from sightline.db.engine import Database, Reader, Transaction
from sightline.kit.security_log import record_security_event


async def grant_operator(tx: Transaction, user_id: uuid.UUID, *, now: datetime) -> bool:
    """Make the user an operator; return False if they were one already."""
    if not await queries.insert_operator(tx, user_id, now=now):
        return False
    record_security_event("operator_granted", user_id=user_id)
    return True


async def remove_operator(tx: Transaction, user_id: uuid.UUID) -> bool:
    """End the role, from the next request on; return False if the user was not an operator."""
    if not await queries.delete_operator(tx, user_id):
        return False
    record_security_event("operator_removed", user_id=user_id)
    return True


async def list_operators(db: Reader) -> list[User]:
    """Return the operators, in the order in which they became one."""
    return await queries.list_operators(db)


async def grant_first_operator(tx: Transaction, *, now: datetime) -> None:
    """Make the first owner the operator, once in the life of an installation.

    Nothing happens before there is an owner. Demonstration workspaces do not count.
    """
    if not await queries.lock_first_operator(tx):
        return
    owner = await queries.find_first_owner_any_workspace(tx)
    if owner is not None:
        await grant_operator(tx, owner, now=now)
        await queries.mark_first_operator(tx, now=now)


async def ensure_first_operator(db: Database, *, now: datetime) -> None:
    """Make the first owner the operator of an installation that is older than this role."""
    async with db.transaction() as tx:
        await grant_first_operator(tx, now=now)
