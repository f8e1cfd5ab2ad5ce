"""Requesting that stored answers are analyzed again after an update has changed the extractor or the formulas."""

from datetime import datetime

from sightline.db.engine import Database
from sightline.domains.recomputations.request import request_recompute
from sightline.scoreboard.cells import TRACKED_SCOPES
from sightline.scoreboard.queries import lock_domain
from sightline.scoreboard.recompute import queries

_MAX_DOMAINS = 1_000  # at a time; the next ones follow when these are done


async def request_outdated_any_workspace(db: Database, *, now: datetime) -> int:
    """Request a recomputation of every tracked domain that has results of another version. Return how many.

    Nothing is asked again and nothing is charged. A domain whose recomputation waits or runs is left alone, so any
    number of workers may do this at once.
    """
    domains = await queries.list_outdated_domains_any_workspace(db, scopes=TRACKED_SCOPES, limit=_MAX_DOMAINS)
    for workspace_id, domain_id in domains:
        async with db.transaction() as tx:
            if await lock_domain(tx, workspace_id, domain_id):
                await request_recompute(tx, workspace_id, domain_id, "version_changed", now=now)
    return len(domains)
