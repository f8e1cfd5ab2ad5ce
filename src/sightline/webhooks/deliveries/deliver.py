"""One attempt of one delivery, and what follows from it.

Sending happens outside of any transaction. A process that dies between sending and recording sends again: a receiver
may see an event twice, with the same id. An attempt is recorded once, whoever makes it.
"""

from datetime import datetime

from sightline.db.engine import Database, Transaction
from sightline.jobs.queue import enqueue
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.mail.emails import enqueue_emails
from sightline.webhooks import queries as endpoint_queries
from sightline.webhooks.deliveries import queries
from sightline.webhooks.deliveries.emails import write_notices
from sightline.webhooks.deliveries.retry import Verdict, judge_failure
from sightline.webhooks.deliveries.sender import Courier
from sightline.webhooks.models import DeliverJob, DisabledReason, FailureReason, Sending, Sent, job_for


async def deliver(db: Database, courier: Courier, job: DeliverJob, *, clock: Clock) -> None:
    """The worker's handler of `models.JOB`. Does nothing when the attempt was made already, or is wanted no more."""
    sending = await queries.find_sending(db, job.workspace_id, job.delivery_id)
    if sending is None or sending.status != "pending" or sending.attempts != job.attempt - 1:
        return
    if sending.endpoint_status != "enabled":
        reason: FailureReason = "webhook_removed" if sending.endpoint_status == "removed" else "webhook_disabled"
        async with db.transaction() as tx:
            await queries.fail_delivery(tx, job.workspace_id, job.delivery_id, reason, now=clock())
        return
    sent = await courier.send(job.workspace_id, sending, now=clock())
    crash_point("after_webhook_sent")
    if sent.succeeded and sending.failing_since is None:
        await _record(db, job, sent, "succeeded", None, None, now=clock())  # one statement, the usual case
        return
    async with db.transaction() as tx:
        await _settle(tx, job, sending, sent, courier.chance(), now=clock())


async def _settle(
    tx: Transaction, job: DeliverJob, sending: Sending, sent: Sent, chance: float, *, now: datetime
) -> None:
    """Under the endpoint's lock, so that it is disabled once, and that its failures and successes are seen in turn."""
    status, failing_since, url, livemode = await endpoint_queries.lock_health(tx, job.workspace_id, sending.endpoint_id)
    if sent.succeeded:
        if await _record(tx, job, sent, "succeeded", None, None, now=now):
            await endpoint_queries.set_failing_since(tx, job.workspace_id, sending.endpoint_id, None)
        return
    if status != "enabled":  # it was disabled or removed while we were sending
        reason: FailureReason = "webhook_removed" if status == "removed" else "webhook_disabled"
        await _record(tx, job, sent, "failed", None, reason, now=now)
        return
    attempt = job.attempt - sending.attempts_before
    verdict = judge_failure(sent.response_status, attempt, failing_since, chance, now=now)
    if not await _record_failure(tx, job, sending, sent, verdict, now=now):
        return
    if failing_since is None:
        await endpoint_queries.set_failing_since(tx, job.workspace_id, sending.endpoint_id, now)
    if verdict.disable is not None:
        await _disable(tx, job, sending, verdict.disable, url, livemode=livemode, now=now)


async def _record_failure(
    tx: Transaction, job: DeliverJob, sending: Sending, sent: Sent, verdict: Verdict, *, now: datetime
) -> bool:
    if verdict.pause is None:
        reason: FailureReason = "attempts_exhausted"
        if verdict.disable is not None:
            reason = "gone" if verdict.disable == "gone" else "webhook_disabled"
        return await _record(tx, job, sent, "failed", None, reason, now=now)
    if not await _record(tx, job, sent, "pending", now + verdict.pause, None, now=now):
        return False
    await enqueue(
        tx,
        job_for(
            job.workspace_id,
            job.delivery_id,
            job.attempt + 1,
            before=sending.attempts_before,
            delay=verdict.pause,
        ),
    )
    return True


async def _disable(
    tx: Transaction,
    job: DeliverJob,
    sending: Sending,
    reason: DisabledReason,
    url: str,
    *,
    livemode: bool,
    now: datetime,
) -> None:
    """Nothing more is sent. Owners are told of an endpoint that failed for days; one that is gone said so itself."""
    await endpoint_queries.mark_disabled(tx, job.workspace_id, sending.endpoint_id, reason, now=now)
    await queries.fail_deliveries_of(tx, job.workspace_id, sending.endpoint_id, "webhook_disabled", now=now)
    if reason == "failing":
        owners = await endpoint_queries.list_owner_emails(tx, job.workspace_id)
        await enqueue_emails(tx, *write_notices(owners, sending.endpoint_id, url, livemode=livemode))


async def _record(
    db: Database | Transaction,
    job: DeliverJob,
    sent: Sent,
    status: str,
    next_attempt_at: datetime | None,
    failure_reason: FailureReason | None,
    *,
    now: datetime,
) -> bool:
    return await queries.record_attempt(
        db,
        job.workspace_id,
        job.delivery_id,
        job.attempt,
        sent,
        status=status,
        next_attempt_at=next_attempt_at,
        failure_reason=failure_reason,
        now=now,
    )
