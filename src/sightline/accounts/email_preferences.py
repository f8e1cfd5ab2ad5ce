"""Which e-mails of a workspace a member receives. Members choose for themselves only."""

import uuid

from sightline.accounts import queries
from sightline.accounts.models import Actor, EmailKind, EmailPreferences
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem
from sightline.mail.emails import Recipient


async def read_email_preferences(db: Reader, actor: Actor) -> EmailPreferences:
    found = await queries.find_email_preferences(db, actor.workspace_id, actor.user_id)
    if found is None:
        raise Problem("workspace_not_found")
    return found


async def set_email_preferences(tx: Transaction, actor: Actor, preferences: EmailPreferences) -> None:
    """Change the actor's choice. E-mails that are queued already are still sent."""
    if not await queries.set_email_preferences(tx, actor.workspace_id, actor.user_id, preferences):
        raise Problem("workspace_not_found")


async def list_recipients(db: Reader, workspace_id: uuid.UUID, kind: EmailKind) -> list[Recipient]:
    """Return the members who can act on e-mails of this kind and want to receive them."""
    return await queries.list_recipients(db, workspace_id, kind)
