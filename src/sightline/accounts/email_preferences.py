"""Which e-mails of a workspace a member receives. Members choose for themselves only."""

from sightline.accounts import queries
from sightline.accounts.models import Actor, EmailPreferences
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem


async def read_email_preferences(db: Reader, actor: Actor) -> EmailPreferences:
    found = await queries.find_email_preferences(db, actor.workspace_id, actor.user_id)
    if found is None:
        raise Problem("workspace_not_found")
    return found


async def set_email_preferences(tx: Transaction, actor: Actor, preferences: EmailPreferences) -> None:
    """Change the actor's choice. E-mails that are queued already are still sent."""
    if not await queries.set_email_preferences(tx, actor.workspace_id, actor.user_id, preferences):
        raise Problem("workspace_not_found")
