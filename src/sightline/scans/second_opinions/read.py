"""Reading the second opinions of a workspace."""

import uuid
import zlib
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.errors import Problem
from sightline.scans.record import ScanRecord
from sightline.scans.second_opinions import queries
from sightline.scans.second_opinions.models import OpinionRow

_decode = msgspec.msgpack.Decoder(ScanRecord).decode


async def read_opinion(db: Reader, workspace_id: uuid.UUID, opinion_id: uuid.UUID | None, now: datetime) -> OpinionRow:
    """Return a second opinion; one that is unknown or has expired is a 404 problem."""
    row = None if opinion_id is None else await queries.find_opinion(db, workspace_id, opinion_id, now=now)
    if row is None:
        raise Problem("not_found")
    return row


async def read_record(db: Reader, row: OpinionRow) -> ScanRecord | None:
    """Return the result of a second opinion; None if there is none yet."""
    saved = await queries.find_record(db, row.workspace_id, row.id)
    return None if saved is None else _decode(zlib.decompress(saved))
