"""Storing the facts of the answers of a completed scan."""

import asyncio

from sightline.db.engine import Database
from sightline.scans.models import CellKey
from sightline.scans.outcome import queries
from sightline.scoreboard.answer_list.facts import list_facts
from sightline.scoreboard.completed_scans import CompletedScan
from sightline.scoreboard.models import decode_facts
from sightline.scoreboard.queries import list_prompt_scans_of

_BATCH = 200  # splitting a text into words takes about a millisecond


async def store_facts(db: Database, current: CompletedScan, previous: CompletedScan | None) -> None:
    """Store the facts of all answers, in short transactions of their own. Repeating it changes nothing."""
    scan = current.scan
    before = {} if previous is None else await _find_mentions(db, previous)
    facts = await asyncio.to_thread(list_facts, scan, current.plan, current.answers, before)
    for start in range(0, len(facts), _BATCH):
        batch = facts[start : start + _BATCH]
        async with db.transaction() as tx:
            await queries.update_labels(tx, scan.workspace_id, scan.domain_id, scan.id, batch)
            await queries.insert_facts(tx, scan.workspace_id, scan.domain_id, scan.id, batch)


async def _find_mentions(db: Database, previous: CompletedScan) -> dict[CellKey, bool]:
    """Return for each valid answer of a scan whether it names the brand, also if the answers are gone."""
    if previous.scan.answers_expired_at is None:
        return {
            answer.key: answer.analysis.brands[0].mentioned
            for answer in previous.answers
            if answer.analysis is not None
        }
    countries = {prompt.id: prompt.country for prompt in previous.plan.prompts}
    scan = previous.scan
    rows = await list_prompt_scans_of(db, scan.workspace_id, scan.domain_id, scan.id)
    return {
        (str(row.prompt_id), cell.platform, countries.get(str(row.prompt_id))): cell.mentioned
        for row in rows
        for cell in decode_facts(row.cells)
        if cell.status == "ok"
    }
