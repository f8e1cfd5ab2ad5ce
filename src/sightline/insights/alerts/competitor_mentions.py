"""Which cells of Daily Checks name competitors, from what is stored of each answer."""

import asyncio
import uuid
from collections.abc import Sequence

from sightline.db.engine import Database
from sightline.insights.alerts import queries
from sightline.insights.alerts.daily_checks import CellKey, DailyCheck, NamedCompetitors
from sightline.scans.stored import ScanRow, decode_measured


async def read_named_competitors(db: Database, scan: ScanRow, daily_checks: Sequence[DailyCheck]) -> NamedCompetitors:
    """Return the cells that name each competitor, for the Daily Checks whose facts are stored."""
    if not decode_measured(scan.brand).competitors:
        return {}
    scan_ids = [each.scan_id for each in daily_checks]
    measured = await queries.list_measured_brands(db, scan.workspace_id, scan_ids)
    mentions = await queries.list_competitor_mentions(db, scan.workspace_id, scan.domain_id, list(measured))
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
