"""Reading what changed in a Full Check."""

import uuid

import msgspec

from sightline.db.engine import Reader
from sightline.scoreboard import queries
from sightline.scoreboard.check_changes.schemas import CheckChanges

_decode = msgspec.json.Decoder(CheckChanges).decode


async def read_check_changes(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> CheckChanges | None:
    """Return the changes of a Full Check; None if it was the first, or from before changes were stored."""
    stored = await queries.find_check_changes(db, workspace_id, scan_id)
    return None if stored is None else _decode(stored)
