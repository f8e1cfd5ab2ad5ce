"""Storing the facts of the answers of a completed scan."""

import asyncio

from sightline.db.engine import Database
from sightline.scoreboard.answer_list import queries
from sightline.scoreboard.answer_list.facts import list_facts
from sightline.scoreboard.completed_scans import CompletedScan

_BATCH = 200  # splitting a text into words takes about a millisecond


async def store_facts(db: Database, current: CompletedScan, previous: CompletedScan | None) -> None:
    """Store the facts of all answers, in short transactions of their own. Repeating it changes nothing."""
    scan = current.scan
    before = () if previous is None else previous.answers
    facts = await asyncio.to_thread(list_facts, scan, current.plan, current.answers, before)
    for start in range(0, len(facts), _BATCH):
        batch = facts[start : start + _BATCH]
        async with db.transaction() as tx:
            await queries.update_labels(tx, scan.workspace_id, scan.domain_id, scan.id, batch)
            await queries.insert_facts(tx, scan.workspace_id, scan.domain_id, scan.id, batch)
