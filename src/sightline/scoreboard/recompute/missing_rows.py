"""Building the rows in flat tables of checks that an earlier version of Sightline completed."""

import asyncio
import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Database, Transaction
from sightline.db.jsonb import to_jsonb
from sightline.scans.queries import find_results, find_scan
from sightline.scans.retention.queries import is_expired
from sightline.scans.running.running_scans import build_plan
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.stored import AnswerRow, ScanRow, to_answer
from sightline.scans.table_rows import build_table_rows
from sightline.scoreboard.models import UncitedPlatforms
from sightline.scoreboard.queries import read_answers_without_text
from sightline.tables.queries import has_scan_rows, list_scans_without_rows_any_workspace, stamp_unit
from sightline.tables.stored_rows import store_scan_rows

_MAX_SCANS = 1_000  # at a time

_decode_results = msgspec.json.Decoder(ScanMeasurements).decode


async def build_missing_rows_any_workspace(db: Database, uncited: UncitedPlatforms, *, now: datetime) -> int:  # noqa: ARG001 - periodic steps get the time
    """Build the rows of checks without rows, the newest first, and return for how many.

    Any number of workers may do this at once, and each may die in between.
    """
    done = 0
    while scans := await list_scans_without_rows_any_workspace(db, limit=_MAX_SCANS):
        for workspace_id, scan_id in scans:
            async with db.transaction() as tx:
                await add_missing_rows(tx, workspace_id, scan_id, uncited)
        done += len(scans)
    return done


async def add_missing_rows(
    tx: Transaction, workspace_id: uuid.UUID, scan_id: uuid.UUID, uncited: UncitedPlatforms
) -> None:
    """Build the rows of a check if it has none, from what is stored. Readers of changes get them."""
    expired = await is_expired(tx, workspace_id, scan_id)
    if await has_scan_rows(tx, workspace_id, scan_id):
        return
    scan, stored = await find_scan(tx, workspace_id, scan_id), await find_results(tx, workspace_id, scan_id)
    assert scan is not None and stored is not None
    rows = [] if expired else await read_answers_without_text(tx, workspace_id, scan_id)
    built = await asyncio.to_thread(_build, scan, stored.results, rows, uncited)
    await store_scan_rows(tx, workspace_id, scan.domain_id, scan_id, built)
    await stamp_unit(tx, workspace_id, scan.domain_id, "scan", scan_id)


def _build(scan: ScanRow, results: bytes, rows: Sequence[AnswerRow], uncited: UncitedPlatforms) -> dict[str, str]:
    plan = build_plan(scan, uncited[scan.answers_source])
    answers = ((to_answer(row, plan.prompts[row.prompt_index]), row.answered_at) for row in rows)
    built = build_table_rows(scan.id, scan.measurement_scope, plan, _decode_results(results), answers)
    return {name: to_jsonb(each) for name, each in built.items()}
