"""The version of a domain's data, which tells whether anything has changed without reading the data."""

import uuid

from sightline.db.engine import Reader
from sightline.insights import queries


async def read_version(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> str:
    """Return a text that changes with the board, an alert, a task, a competitor, a prompt or a decision of people.

    Past scans need no version of their own: whatever changes them also changes the board afterwards.
    """
    return await queries.read_row_versions(db, workspace_id, domain_id)
