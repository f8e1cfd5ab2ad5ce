"""Requesting a review: after a Full Check at most once a week, or by a person at most once a day."""

import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts.models import Actor
from sightline.db.engine import Transaction
from sightline.domains.tracking.read import lock_domain
from sightline.errors import Problem
from sightline.jobs.queue import NewJob, enqueue
from sightline.scans.queries import list_tracked_scans
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow
from sightline.site_review import queries

JOB = "site.review"
_WEEK = timedelta(days=6, hours=12)  # a check may start some hours earlier than the one a week before
_DAY = timedelta(days=1)
_RECENT_SCANS = 20


class ReviewJob(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    review_id: uuid.UUID


async def request_weekly_review(tx: Transaction, scan: ScanRow, *, now: datetime) -> None:
    """Request a review after a Full Check with live answers, in its transaction under the domain lock.

    Nothing happens for sandbox answers, within a week of the review before, and while one runs.
    """
    if scan.answers_source == "live" and scan.measurement_scope == "full_check":
        latest = await queries.list_reviews(tx, scan.workspace_id, scan.domain_id, limit=1)
        if not latest or now - latest[0].requested_at >= _WEEK:
            await _enqueue_review(tx, scan.workspace_id, scan.domain_id, scan.id, None, now=now)


async def request_review(tx: Transaction, actor: Actor, domain_id: uuid.UUID, *, now: datetime) -> uuid.UUID:
    """Request a review by hand and return its id.

    Refused: within a day of the review before or while one runs, and before the first Full Check with live answers
    (409).
    """
    await lock_domain(tx, actor.workspace_id, domain_id)
    latest = await queries.list_reviews(tx, actor.workspace_id, domain_id, limit=1)
    if latest and (latest[0].completed_at is None or now - latest[0].requested_at < _DAY):
        raise Problem("site_review_too_soon")
    scans = await list_tracked_scans(
        tx, actor.workspace_id, domain_id, after=None, limit=_RECENT_SCANS, scope="full_check", live_only=True
    )
    scan = next((scan for scan in scans if scan.status is ScanStatus.COMPLETED), None)
    if scan is None:
        raise Problem("site_review_without_check")
    review_id = await _enqueue_review(tx, actor.workspace_id, domain_id, scan.id, actor.user_id, now=now)
    assert review_id is not None  # the domain is locked
    return review_id


async def _enqueue_review(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    scan_id: uuid.UUID,
    requested_by: uuid.UUID | None,
    *,
    now: datetime,
) -> uuid.UUID | None:
    review_id = await queries.insert_review(tx, workspace_id, domain_id, scan_id, requested_by, now=now)
    if review_id is not None:
        job = ReviewJob(workspace_id, review_id)
        await enqueue(tx, NewJob(kind=JOB, payload=job, key=f"{JOB}:{review_id}"))
    return review_id
