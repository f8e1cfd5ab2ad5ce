"""The job that reads a competitor's name from its own site. Until then the name is null; it is never guessed."""

import uuid

import structlog

from sightline.competitors import queries
from sightline.competitors.fetch_site import Fetch
from sightline.competitors.site_job import SiteJob
from sightline.db.engine import Database, Transaction
from sightline.domains.home_page import SiteUnreadable
from sightline.domains.recomputations.request import request_recompute
from sightline.domains.tracking.queries import lock_tracked_domain
from sightline.jobs.retry import Retry
from sightline.kit.clock import Clock

log = structlog.get_logger()

_RETRY_DELAYS = (60.0, 1_800.0, 21_600.0)


async def read_competitor_site(db: Database, fetch: Fetch | None, job: SiteJob, attempts: int, *, clock: Clock) -> None:
    """Read the site and store its name; do nothing if `fetch` is None because nothing outside may be contacted.

    The site is read outside any transaction. The name is stored only if the competitor is still confirmed and has no
    name, so a second run does nothing. A site that cannot be read is tried again three times.
    """
    domain_id = await queries.find_tracked_domain_id(db, job.workspace_id, job.competitor_id)
    if fetch is None or domain_id is None:
        return
    row = await queries.find_confirmed(db, job.workspace_id, domain_id, job.competitor_id)
    if row is None or row.display_name is not None or row.competitor_domain is None:
        return
    try:
        name = await fetch(row.competitor_domain)
    except SiteUnreadable as unreadable:
        log.info("competitor_site_unreadable", competitor_id=str(row.id), reason=str(unreadable), attempts=attempts)
        if unreadable.temporary and attempts < len(_RETRY_DELAYS):
            raise Retry(_RETRY_DELAYS[attempts]) from unreadable
        return
    async with db.transaction() as tx:
        await _store_name(tx, job, domain_id, name, clock=clock)


async def _store_name(tx: Transaction, job: SiteJob, domain_id: uuid.UUID, name: str | None, *, clock: Clock) -> None:
    if await lock_tracked_domain(tx, job.workspace_id, domain_id) is None:
        return
    row = await queries.find_confirmed(tx, job.workspace_id, domain_id, job.competitor_id)
    if row is None or row.display_name is not None:
        return
    now = clock()
    await queries.store_site_name(tx, job.workspace_id, row.id, name, now=now)
    if name is not None:
        await request_recompute(tx, job.workspace_id, domain_id, "competitor_named", now=now)
