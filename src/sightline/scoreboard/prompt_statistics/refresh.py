"""Recomputing the statistics of a domain's prompts from the scans of the last thirty days."""

import asyncio
import uuid

from sightline.db.engine import Database
from sightline.kit.clock import Clock
from sightline.prompts import queries
from sightline.scans.stored import decode_measured
from sightline.scoreboard import queries as scoreboard_queries
from sightline.scoreboard.cells import TRACKED_SCOPES
from sightline.scoreboard.prompt_statistics.summarize import period_start, summarize_prompts


async def refresh_statistics(db: Database, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, clock: Clock) -> None:
    """Recompute the statistics of all tracked prompts for the period that ends now."""
    source = await scoreboard_queries.find_latest_source(db, workspace_id, domain_id)
    if source is None:
        return
    period_end = clock()
    latest = await scoreboard_queries.find_latest_scan(db, workspace_id, domain_id, source, scopes=TRACKED_SCOPES)
    assert latest is not None
    owned = decode_measured(latest.brand).brand.domains
    prompts = await queries.list_active_prompt_ids(db, workspace_id, domain_id)
    prompt_scans = await scoreboard_queries.list_prompt_scans_between(
        db, latest, since=period_start(period_end), until=period_end
    )
    found = await asyncio.to_thread(summarize_prompts, prompt_scans, prompt_ids=prompts, owned=owned)
    async with db.transaction() as tx:
        await queries.store_statistics(tx, workspace_id, found, period_end=period_end)
