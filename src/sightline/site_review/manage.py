"""Reading the latest review and its findings, and what people decide about a finding."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.audit.record import record_audit
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, SortKey, cut_page
from sightline.errors import Problem
from sightline.site_review import queries
from sightline.site_review.models import (
    GROUP_OF,
    GROUPS,
    FindingRow,
    Group,
    ReviewedPage,
    SiteFacts,
    SiteReviewRow,
    decode_site,
)


class LatestReview(msgspec.Struct, frozen=True, kw_only=True):
    """The review that is shown: the latest that has ended, and whether another one runs."""

    review: SiteReviewRow | None = None
    site: SiteFacts | None = None
    pages: Sequence[ReviewedPage] = ()
    running: SiteReviewRow | None = None
    running_read: int = 0
    running_pages: int = 0
    open: Mapping[Group, int] = {}
    """The number of open findings in each group."""


async def read_latest_review(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> LatestReview:
    rows = await queries.list_reviews(db, workspace_id, domain_id, limit=2)
    running = next((row for row in rows if row.completed_at is None), None)
    review = next((row for row in rows if row.completed_at is not None), None)
    waiting = [] if running is None else await queries.list_pages(db, workspace_id, running.id)
    counted = Counter(
        GROUP_OF[row.kind] for row in await queries.list_findings(db, workspace_id, domain_id, states=("open",))
    )
    return LatestReview(
        review=review,
        site=None if review is None or review.site is None else decode_site(review.site),
        pages=[] if review is None else await queries.list_pages(db, workspace_id, review.id),
        running=running,
        running_read=sum(page.page is not None for page in waiting),
        running_pages=len(waiting),
        open={group: counted[group] for group in GROUPS},
    )


async def list_findings(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: SortKey | None, page_size: int
) -> Slice[FindingRow]:
    """Return the findings, open ones first, each state by importance."""
    numbered = list(enumerate(await queries.list_findings(db, workspace_id, domain_id)))
    passed = -1 if after is None else int(after[0])
    page = cut_page(numbered[passed + 1 : passed + page_size + 2], page_size, lambda each: (str(each[0]),))
    return page.map(lambda each: each[1])


async def ignore_finding(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, finding_id: uuid.UUID | None, reason: str, *, now: datetime
) -> FindingRow:
    """Ignore a finding, also in later reviews. Ignoring it again changes the reason. Refused: unknown ones (404)."""
    row = await _lock(tx, actor, domain_id, finding_id)
    cleaned = " ".join(reason.split()) or None
    at = row.ignored_at if row.state == "ignored" else now
    by = row.ignored_by if row.state == "ignored" else actor.user_id
    await queries.set_ignored(tx, actor.workspace_id, row.id, by=by, reason=cleaned, at=at)
    if row.state != "ignored":
        await record_audit(tx, actor.workspace_id, "site_finding_ignored", domain_id=domain_id, finding_id=row.id)
    return await _lock(tx, actor, domain_id, row.id)


async def reopen_finding(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, finding_id: uuid.UUID | None
) -> FindingRow:
    """Open an ignored finding again. Nothing changes for one that is not ignored. Refused: unknown ones (404)."""
    row = await _lock(tx, actor, domain_id, finding_id)
    if row.state != "ignored":
        return row
    await queries.set_ignored(tx, actor.workspace_id, row.id, by=None, reason=None, at=None)
    await record_audit(tx, actor.workspace_id, "site_finding_reopened", domain_id=domain_id, finding_id=row.id)
    return await _lock(tx, actor, domain_id, row.id)


async def _lock(tx: Transaction, actor: Actor, domain_id: uuid.UUID, finding_id: uuid.UUID | None) -> FindingRow:
    row = finding_id and await queries.lock_finding(tx, actor.workspace_id, domain_id, finding_id)
    if not row:
        raise Problem("not_found")
    return row
