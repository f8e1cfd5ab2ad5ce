"""Which letters of a workspace a member gets. Each chooses for themself, and nobody for another."""

from sightline.accounts import notification_queries as queries
from sightline.accounts.models import Actor, EmailPreferences
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem


async def read_letters_wanted(db: Reader, actor: Actor) -> EmailPreferences:
    found = await queries.find_wanted(db, actor.workspace_id, actor.user_id)
    if found is None:
        raise Problem("workspace_not_found")
    return found


async def choose_letters(tx: Transaction, actor: Actor, wanted: EmailPreferences) -> None:
    """Letters that are under way are sent still."""
    if not await queries.set_wanted(tx, actor.workspace_id, actor.user_id, wanted):
        raise Problem("workspace_not_found")
