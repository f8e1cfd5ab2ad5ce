"""All SQL of the letters that members get."""

import uuid
from typing import Literal

from sightline.accounts.models import EmailPreferences
from sightline.db.engine import Reader, Transaction, columns, to_row_or_none

Kind = Literal["alert_letters", "report_letters"]
_ROW = columns(EmailPreferences)


async def list_readers(db: Reader, workspace_id: uuid.UUID, kind: Kind) -> list[str]:
    """The addresses of those who can do something about it, and want to hear of it."""
    rows = await db.fetch(
        f"""SELECT u.email FROM members m JOIN users u ON u.id = m.user_id
            WHERE m.workspace_id = $1 AND m.role IN ('editor', 'admin', 'owner') AND m.{kind} ORDER BY u.email""",
        workspace_id,
    )
    return [row[0] for row in rows]


async def find_wanted(db: Reader, workspace_id: uuid.UUID, user_id: uuid.UUID) -> EmailPreferences | None:
    row = await db.fetchrow(
        f"SELECT {_ROW} FROM members WHERE workspace_id = $1 AND user_id = $2", workspace_id, user_id
    )
    return to_row_or_none(EmailPreferences, row)


async def set_wanted(tx: Transaction, workspace_id: uuid.UUID, user_id: uuid.UUID, wanted: EmailPreferences) -> bool:
    """False: the person is no member."""
    done = await tx.fetchval(
        """UPDATE members SET alert_letters = $3, report_letters = $4 WHERE workspace_id = $1 AND user_id = $2
           RETURNING true""",
        workspace_id,
        user_id,
        wanted.alert_letters,
        wanted.report_letters,
    )
    return done is not None
