"""Reading what changed in a Full Check, and in the one that the board of a domain is based on."""

import uuid

import msgspec

from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.scoreboard import queries
from sightline.scoreboard.check_changes.schemas import CheckChanges, LatestChanges
from sightline.scoreboard.check_changes.sentences import describe_changes

NOTHING_TO_COMPARE = "There is nothing to compare yet: changes show from the second Full Check on."

_decode = msgspec.json.Decoder(CheckChanges).decode


async def read_check_changes(db: Reader, workspace_id: uuid.UUID, scan_id: uuid.UUID) -> CheckChanges | None:
    """Return the changes of a Full Check; None if it was the first, or from before changes were stored."""
    stored = await queries.find_check_changes(db, workspace_id, scan_id)
    return None if stored is None else _decode(stored)


async def read_latest_changes(db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow) -> LatestChanges:
    """Return the changes of the latest Full Check, with the sentences that people read."""
    board = await queries.find_board(db, workspace_id, domain.id)
    scan_id = None if board is None else board.base_scan_id
    changes = None if scan_id is None else await read_check_changes(db, workspace_id, scan_id)
    summary = [NOTHING_TO_COMPARE] if changes is None else describe_changes(changes, domain.brand_name)
    return LatestChanges(domain_id=domain.id, summary=summary, changes=changes)
