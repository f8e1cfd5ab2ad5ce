"""The end of a scan: all that its answers amount to, in one transaction with its new state and its event."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import msgspec
import structlog

from sightline.answers.analyze import EXTRACTOR_VERSION
from sightline.credits.ledger import CreditRules, refund_scan
from sightline.db.engine import Database, Transaction
from sightline.events import record_event
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.metrics.registry import METRICS_VERSION
from sightline.scans.queries import drop_lanes, find_scan, lock_scan, move_scan
from sightline.scans.running import queries
from sightline.scans.running.checks import plan_of
from sightline.scans.running.desks import Desks
from sightline.scans.running.readers import Reader, ReadingFailed
from sightline.scans.running.reading import Concluded, Ended
from sightline.scans.schemas.scan import to_completed_scan, to_scan
from sightline.scans.states import ScanStatus
from sightline.scans.stored import AnswerRow, ScanJob, ScanRow, decode_record

log = structlog.get_logger()

FOLLOW_JOB = "scan.follow"


class Ending(msgspec.Struct, frozen=True):
    """What finishing needs beside the scan itself."""

    rules: CreditRules
    base_url: str
    desks: Desks
    reader: Reader


async def finish_scan(db: Database, job: ScanJob, ending: Ending, *, clock: Clock) -> None:
    """Completes the scan, or fails and refunds it when no answer came at all, or when nothing can be made of them.

    Running it again changes nothing.
    """
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or not _is_whole(scan):
        return
    plan = plan_of(scan, ending.desks.open(scan).uncited)
    rows = await queries.read_answers(db, scan.workspace_id, scan.id)
    if all(row.status == "failed" for row in rows):
        await _fail(db, scan, _explain(rows), ending, clock=clock)
        return
    try:
        concluded = await ending.reader.conclude(plan, rows, Ended.of(scan))
    except ReadingFailed as failure:
        log.error("scan_not_concluded", scan=str(scan.id), reason=str(failure))  # noqa: TRY400 - no text of answers
        await _fail(db, scan, "The results could not be computed from the answers.", ending, clock=clock)
        return
    async with db.transaction() as tx:
        await complete_scan(tx, scan, concluded, base_url=ending.base_url, now=clock())
        crash_point("before_finish_commit")
    crash_point("after_finish_commit")


def follow_job(scan: ScanRow) -> NewJob:
    """What a completed check of a tracked domain leads to."""
    job = ScanJob(scan.workspace_id, scan.id)
    return NewJob(kind=FOLLOW_JOB, payload=job, key=f"follow:{scan.id}", priority=scan.priority)


def _is_whole(scan: ScanRow) -> bool:
    answered = scan.answers_completed + scan.answers_failed
    return scan.status is ScanStatus.RUNNING and answered == scan.answers_total


async def complete_scan(tx: Transaction, scan: ScanRow, concluded: Concluded, *, base_url: str, now: datetime) -> None:
    """A scan that is not running any more is left as it is."""
    metrics = concluded.metrics
    completed = await move_scan(
        tx,
        scan.workspace_id,
        scan.id,
        from_=ScanStatus.RUNNING,
        to=ScanStatus.COMPLETED,
        now=now,
        metrics=metrics,
    )
    if completed is None:  # cancelled, or finished by another worker, in the meantime
        return
    if concluded.settled:
        await queries.rewrite_records(tx, scan.workspace_id, scan.id, concluded.settled)
    await queries.insert_results(tx, scan.workspace_id, scan.id, concluded.results, METRICS_VERSION, EXTRACTOR_VERSION)
    await drop_lanes(tx, scan.workspace_id, scan.id)
    if scan.measurement_scope != "console_check":  # what it changes of a tracked domain is a matter of its own
        await enqueue(tx, follow_job(scan))
        return
    await queries.set_latest_of_domain(
        tx,
        scan.workspace_id,
        scan.domain_id,
        visibility_score=metrics.visibility_score,
        brand_coverage_pct=metrics.brand_coverage_pct,
        ai_mentions=metrics.ai_mentions,
        market_position=metrics.market_position,
    )
    await record_event(
        tx,
        scan.workspace_id,
        "scan.completed",
        to_completed_scan(completed, base_url),
        livemode=scan.livemode,
        cause=str(scan.id),
        now=now,
    )


async def _fail(db: Database, scan: ScanRow, reason: str, ending: Ending, *, clock: Clock) -> None:
    async with db.transaction() as tx:
        now = clock()
        await lock_scan(tx, scan.workspace_id, scan.id)
        failed = await move_scan(
            tx,
            scan.workspace_id,
            scan.id,
            from_=ScanStatus.RUNNING,
            to=ScanStatus.FAILED,
            now=now,
            error_message=reason,
        )
        if failed is None:
            return
        await drop_lanes(tx, scan.workspace_id, scan.id)
        if scan.measurement_scope != "console_check":
            return
        await refund_scan(
            tx,
            scan.workspace_id,
            scan.id,
            livemode=scan.livemode,
            description=f"Refund: the check of {scan.domain} failed",
            rules=ending.rules,
            now=now,
        )
        await record_event(
            tx,
            scan.workspace_id,
            "scan.failed",
            to_scan(failed),
            livemode=scan.livemode,
            cause=str(scan.id),
            now=now,
        )
        crash_point("before_finish_commit")
    crash_point("after_finish_commit")


def _explain(rows: Sequence[AnswerRow]) -> str:
    """The most frequent fault of each platform, in a sentence or two."""
    by_platform: dict[str, Counter[str]] = {}
    for row in rows:
        if (fault := decode_record(row.record).fault) is not None:
            by_platform.setdefault(row.platform, Counter())[fault.message] += 1
    faults = "; ".join(f"{platform}: {found.most_common(1)[0][0]}" for platform, found in sorted(by_platform.items()))
    return f"Every answer failed. {faults}"[:1_000]
