"""Which cells of checks name competitors, from what is stored of each answer."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence

from sightline.db.engine import Reader
from sightline.scans.stored import decode_measured
from sightline.scoreboard.answer_list import queries

CellKey = tuple[str, str]
"""A prompt id and a platform. A prompt has one country, so this identifies a cell."""
NamedCompetitors = Mapping[uuid.UUID, Mapping[str, frozenset[CellKey]]]
"""By scan, the cells whose answers name each competitor. A competitor that the scan did not measure is missing."""


async def read_named_competitors(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_ids: Sequence[uuid.UUID]
) -> NamedCompetitors:
    """Return the cells that name each competitor, for the scans whose facts are stored."""
    measured = await queries.list_measured_brands(db, workspace_id, scan_ids)
    if not any(decode_measured(stored).competitors for stored in measured.values()):
        return {}
    mentions = await queries.list_competitor_mentions(db, workspace_id, domain_id, list(measured))
    return await asyncio.to_thread(_group, measured, mentions)


def _group(
    measured: dict[uuid.UUID, str], mentions: Sequence[tuple[uuid.UUID, uuid.UUID, str, str]]
) -> dict[uuid.UUID, dict[str, frozenset[CellKey]]]:
    cells: dict[tuple[uuid.UUID, str], set[CellKey]] = {
        (scan_id, brand.name): set()
        for scan_id, stored in measured.items()
        for brand in decode_measured(stored).competitors
    }
    for scan_id, prompt_id, platform, name in mentions:
        if (scan_id, name) in cells:
            cells[scan_id, name].add((str(prompt_id), platform))
    found: dict[uuid.UUID, dict[str, frozenset[CellKey]]] = {}
    for (scan_id, name), keys in cells.items():
        found.setdefault(scan_id, {})[name] = frozenset(keys)
    return found
