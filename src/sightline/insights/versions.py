"""Whether anything of a domain has changed since it was last looked at, told without reading any of it."""

import uuid

from sightline.db.engine import Reader
from sightline.insights import queries


async def read_version(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> str:
    """Another word whenever the scoreboard, an alert, a mute, a task, a mark or a competitor is another one.

    Past checks need no word of their own: whatever rewrites them writes the scoreboard afterwards.
    """
    return await queries.read_row_versions(db, workspace_id, domain_id)
