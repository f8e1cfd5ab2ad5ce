"""One attempt of one delivery, and its consequences.

Sending happens outside any transaction. A process that dies between sending and recording sends again: a receiver may
get an event twice, with the same id. An attempt is recorded once.
"""

from datetime import datetime

import structlog

from sightline.db.engine import Database, Transaction
from sightline.jobs.queue import enqueue
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.mail.emails import enqueue_emails
from sightline.webhooks import queries as endpoint_queries
from sightline.webhooks.deliveries import queries
from sightline.webhooks.deliveries.emails import build_disabled_emails
from sightline.webhooks.deliveries.models import (
    AttemptOutcome,
    AttemptResult,
    DeliverJob,
    FailureReason,
    PendingDelivery,
    SentAttempt,
    build_delivery_job,
)
from sightline.webhooks.deliveries.retry import RetryDecision, decide_after_failure
from sightline.webhooks.deliveries.sender import WebhookSender
from sightline.webhooks.models import DisabledReason, EndpointHealth

log = structlog.get_logger()


async def deliver(db: Database, sender: WebhookSender, job: DeliverJob, *, clock: Clock) -> None:
    """Make an attempt; this is the worker's handler of `models.JOB`.

    Does nothing when the attempt was made already or is no longer needed.
    """
    pending = await queries.find_pending_delivery(db, job.workspace_id, job.delivery_id)
    if pending is None or pending.status != "pending" or pending.attempts != job.attempt - 1:
        return
    if pending.endpoint_status != "enabled":
        reason: FailureReason = "webhook_removed" if pending.endpoint_status == "removed" else "webhook_disabled"
        async with db.transaction() as tx:
            await queries.fail_delivery(tx, job.workspace_id, job.delivery_id, reason, now=clock())
        return
    if sender.keeps_inside(pending):
        async with db.transaction() as tx:
            await queries.fail_delivery(tx, job.workspace_id, job.delivery_id, "sandbox", now=clock())
        return
    result = await sender.send(job.workspace_id, pending, now=clock())
    crash_point("after_webhook_sent")
    if result.succeeded and pending.failing_since is None:
        # The usual case takes one statement.
        await queries.record_attempt(db, job, result, AttemptOutcome("succeeded"), now=clock())
        return
    async with db.transaction() as tx:
        await _settle(tx, job, pending, result, sender.random_share(), now=clock())


async def _settle(
    tx: Transaction,
    job: DeliverJob,
    pending: PendingDelivery,
    result: SentAttempt,
    random_share: float,
    *,
    now: datetime,
) -> None:
    """Record the result under the endpoint's lock, so that it is disabled once and its results stay in order."""
    endpoint = await endpoint_queries.lock_health(tx, job.workspace_id, pending.endpoint_id)
    if endpoint is None:
        return
    if result.succeeded:
        if await queries.record_attempt(tx, job, result, AttemptOutcome("succeeded"), now=now):
            await endpoint_queries.set_failing_since(tx, job.workspace_id, pending.endpoint_id, None)
        return
    if endpoint.status != "enabled":  # it was disabled or removed during the attempt
        reason: FailureReason = "webhook_removed" if endpoint.status == "removed" else "webhook_disabled"
        await queries.record_attempt(tx, job, result, AttemptOutcome("failed", failure_reason=reason), now=now)
        return
    attempt = job.attempt - pending.attempts_before
    decision = decide_after_failure(
        result.response_status,
        attempt,
        endpoint.failing_since,
        random_share,
        now=now,
        kind=endpoint.kind,
        retry_after=result.retry_after,
    )
    if not await _record_failure(tx, job, pending, result, decision, now=now):
        return
    if endpoint.failing_since is None:
        await endpoint_queries.set_failing_since(tx, job.workspace_id, pending.endpoint_id, now)
    if decision.disable is not None:
        await _disable(tx, job, pending, endpoint, decision.disable, result.error, now=now)


async def _record_failure(
    tx: Transaction,
    job: DeliverJob,
    pending: PendingDelivery,
    result: AttemptResult,
    decision: RetryDecision,
    *,
    now: datetime,
) -> bool:
    if decision.delay is None:
        reason: FailureReason = "rejected" if decision.is_rejected else "attempts_exhausted"
        if decision.disable is not None:
            reason = "gone" if decision.disable == "gone" else "webhook_disabled"
        return await queries.record_attempt(tx, job, result, AttemptOutcome("failed", failure_reason=reason), now=now)
    if not await queries.record_attempt(
        tx, job, result, AttemptOutcome("pending", next_attempt_at=now + decision.delay), now=now
    ):
        return False
    await enqueue(
        tx,
        build_delivery_job(
            job.workspace_id,
            pending.endpoint_id,
            job.delivery_id,
            job.attempt + 1,
            before=pending.attempts_before,
            delay=decision.delay,
        ),
    )
    return True


async def _disable(
    tx: Transaction,
    job: DeliverJob,
    pending: PendingDelivery,
    endpoint: EndpointHealth,
    reason: DisabledReason,
    error: str | None,
    *,
    now: datetime,
) -> None:
    """Disable the endpoint and end its pending deliveries.

    Owners get an e-mail if the endpoint failed for days or Slack removed it, but not if a receiver answered 410, which
    asks us to stop.
    """
    await endpoint_queries.mark_disabled(tx, job.workspace_id, pending.endpoint_id, reason, now=now)
    log.warning(
        "webhook_disabled", workspace_id=str(job.workspace_id), webhook_id=str(pending.endpoint_id), code=reason
    )
    await queries.fail_pending_deliveries(tx, job.workspace_id, pending.endpoint_id, "webhook_disabled", now=now)
    if reason == "failing" or endpoint.kind == "slack":
        owners = await endpoint_queries.list_owners(tx, job.workspace_id)
        await enqueue_emails(tx, *build_disabled_emails(owners, pending.endpoint_id, endpoint, reason, error))
