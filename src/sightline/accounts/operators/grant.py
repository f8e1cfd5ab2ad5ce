"""Granting and removing the role of an installation operator."""

import uuid
from datetime import datetime

from sightline.accounts.operators import queries
from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.db.installation import read_fact, store_fact


async def grant_operator(tx: Transaction, user_id: uuid.UUID, *, now: datetime) -> bool:
    """Make the user an operator; return False if they were one already."""
    return await _grant(tx, user_id, now=now)


async def grant_first_operator(tx: Transaction, user_id: uuid.UUID, *, now: datetime) -> None:
    """Make the user who used the bootstrap link an operator, unless the installation ever had one."""
    if await read_fact(tx, "first_operator_at", lock="FOR UPDATE") is None:
        await _grant(tx, user_id, now=now, by="bootstrap_link")


async def _grant(tx: Transaction, user_id: uuid.UUID, *, now: datetime, **cause: str) -> bool:
    """Store the operator, and that there was one: nobody becomes the first operator after this."""
    if await read_fact(tx, "first_operator_at", lock="FOR UPDATE") is None:
        await store_fact(tx, "first_operator_at", now)
    if not await queries.insert_operator(tx, user_id, now=now):
        return False
    await record_audit(tx, None, "operator_granted", user_id=user_id, **cause)
    return True


async def remove_operator(tx: Transaction, user_id: uuid.UUID) -> bool:
    """End the role, from the next request on; return False if the user was not an operator."""
    if not await queries.delete_operator(tx, user_id):
        return False
    await record_audit(tx, None, "operator_removed", user_id=user_id)
    return True
