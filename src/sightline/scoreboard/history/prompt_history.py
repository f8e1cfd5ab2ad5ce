"""The history of one prompt, and the scans before and after one of its answers.

The cost of reading them does not grow with the length of the history.
"""

import uuid
from collections.abc import Iterable

import msgspec

from sightline.db.engine import Reader
from sightline.scans.stored import ScanRow
from sightline.scoreboard.history import queries
from sightline.scoreboard.models import CellFacts, LatestScans, PromptAnswers, PromptScanRow, decode_facts
from sightline.scoreboard.queries import find_latest_source

# A platform that was switched off for longer than this many scans has no neighbor worth a comparison.
_MAX_DISTANCE = 30


class CellResult(msgspec.Struct, frozen=True):
    """What one scan found in one cell."""

    prompt_scan: PromptScanRow
    facts: CellFacts


class AdjacentResults(msgspec.Struct, frozen=True):
    """The same cell in a scan, in an earlier scan that it is compared with, and in the scan after it."""

    current: CellResult | None
    previous: CellResult | None
    next: CellResult | None


async def read_prompt_history(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, prompt_id: uuid.UUID, latest: LatestScans
) -> list[PromptScanRow]:
    """Return the latest scans that asked the prompt, oldest first.

    They all have the source of the latest scan: made-up answers and real ones are never mixed.
    """
    source = await find_latest_source(db, workspace_id, domain_id)
    if source is None:
        return []
    prompt = PromptAnswers(workspace_id, domain_id, prompt_id, source)
    return (await queries.list_latest_prompt_scans(db, prompt, latest))[::-1]


async def find_neighbors(
    db: Reader, scan: ScanRow, prompt_id: uuid.UUID, platform: str, *, against: uuid.UUID | None = None
) -> AdjacentResults:
    """Find the results of a cell in a scan and around it; all are None while the scan has not completed.

    `against` is the earlier scan to compare with. Without it, or if it did not ask the cell, it is the scan before.
    """
    if scan.completed_at is None:
        return AdjacentResults(None, None, None)
    prompt = PromptAnswers(scan.workspace_id, scan.domain_id, prompt_id, scan.answers_source)
    position = (scan.completed_at, scan.id)
    earlier = await queries.list_prompt_scans_before(db, prompt, position, limit=_MAX_DISTANCE)
    chosen = [each for each in earlier if each.scan_id == against]
    later = await queries.list_prompt_scans_from(db, prompt, position, limit=_MAX_DISTANCE)
    return AdjacentResults(
        current=_find_first_result((each for each in later if each.scan_id == scan.id), platform),
        previous=_find_first_result([*chosen, *earlier], platform),
        next=_find_first_result((each for each in later if each.scan_id != scan.id), platform),
    )


def _find_first_result(prompt_scans: Iterable[PromptScanRow], platform: str) -> CellResult | None:
    for prompt_scan in prompt_scans:
        for facts in decode_facts(prompt_scan.cells):
            if facts.platform == platform:
                return CellResult(prompt_scan, facts)
    return None
