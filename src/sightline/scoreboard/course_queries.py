"""SQL of the course of a domain: what past checks amounted to, without the weight of their prompts."""

import uuid
from datetime import datetime

from sightline.db.engine import Reader
from sightline.scans.models import AnswersSource


async def list_slim_boards(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, source: AnswersSource, *, since: datetime
) -> list[tuple[datetime, bytes]]:
    """Of Full Checks, old to new: when each was completed, and its board without prompts and sources.

    Those two stand side by side in the stored JSON and are most of it, so they are cut out here instead of being sent
    and thrown away. A quotation mark inside of a text is escaped, so neither key is ever found within one.
    """
    rows = await db.fetch(
        """SELECT s.completed_at,
                  substring(r.board for position('"prompts":['::bytea in r.board) - 1)
                  || substring(r.board from position('"competitors":['::bytea in r.board))
           FROM scans s JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
           WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.answers_source = $3 AND s.created_at > $4
             AND s.status = 'completed' AND s.measurement_scope = 'full_check' AND r.board IS NOT NULL
           ORDER BY s.completed_at, s.id""",
        workspace_id,
        domain_id,
        source,
        since,
    )
    return [(row[0], row[1]) for row in rows]
