"""Finishing a scan: its results, its new state and its event, in one transaction."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
import structlog

from sightline.credits.ledger import CreditRules
from sightline.db.engine import Database, Transaction
from sightline.domains.queries import update_domain
from sightline.events import record_event
from sightline.jobs.queue import enqueue
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.platforms.models import Fault
from sightline.scans.jobs import ScanJob, build_follow_job
from sightline.scans.outcome.queries import insert_results, rewrite_records
from sightline.scans.queries import drop_lanes, find_scan, lock_scan, move_scan
from sightline.scans.refunds import find_failed_platforms, refund_failed_platforms, refund_whole_scan
from sightline.scans.running import queries
from sightline.scans.running.analysis import ScanContext, ScanSummary
from sightline.scans.running.analyzers import AnalysisFailed, Analyzer
from sightline.scans.running.client_pool import ClientPool
from sightline.scans.running.running_scans import build_plan
from sightline.scans.schemas.scan_events import to_completed_scan, to_scan_event
from sightline.scans.states import ScanStatus
from sightline.scans.stored import AnswerRow, ScanRow, decode_record
from sightline.tables.stored_rows import store_scan_rows

log = structlog.get_logger()

_NO_RESULTS = "The results could not be computed from the answers."
_NO_PROMPTS = "No prompts could be prepared before the check ran out of time."


class FinishDependencies(msgspec.Struct, frozen=True):
    """What finishing a scan needs in addition to the scan."""

    rules: CreditRules
    base_url: str
    clients: ClientPool
    analyzer: Analyzer


async def finish_scan(db: Database, job: ScanJob, dependencies: FinishDependencies, *, clock: Clock) -> None:
    """Complete the scan, or fail and refund it when it has no valid answer or its answers cannot be summarized.

    A completed scan is refunded the credits of platforms without a valid answer. Running it again changes nothing.
    """
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is not None and scan.status is ScanStatus.RUNNING and scan.prompts is None:
        await _fail(db, scan, {}, _NO_PROMPTS, dependencies, clock=clock)  # it ran out of time
        return
    if scan is None or not scan.is_answered:
        return
    plan = build_plan(scan, dependencies.clients.open(scan).uncited)
    rows = await queries.read_answers(db, scan.workspace_id, scan.id)
    if all(row.status == "failed" for row in rows):
        faults = _find_faults(rows)
        await _fail(db, scan, faults, _explain(faults), dependencies, clock=clock)
        return
    try:
        summary = await dependencies.analyzer.summarize(plan, rows, ScanContext.from_row(scan))
    except AnalysisFailed as failure:
        log.error("scan_not_summarized", scan_id=str(scan.id), reason=str(failure))  # noqa: TRY400 - no text of answers
        await _fail(db, scan, {}, _NO_RESULTS, dependencies, clock=clock)
        return
    async with db.transaction() as tx:
        now = clock()
        completed = await complete_scan(tx, scan, summary, now=now)
        if completed is not None and scan.measurement_scope == "console_check":
            failed = find_failed_platforms(scan, rows)
            completed = await refund_failed_platforms(tx, completed, failed, rules=dependencies.rules, now=now)
            await _announce(tx, completed, summary, base_url=dependencies.base_url, now=now)
        crash_point("before_finish_commit")
    crash_point("after_finish_commit")


async def complete_scan(tx: Transaction, scan: ScanRow, summary: ScanSummary, *, now: datetime) -> ScanRow | None:
    """Store the results of a running scan and complete it. Return None if it is no longer running; it stays as it is.

    The tracked domain of a scheduled check is updated by a job of its own.
    """
    completed = await move_scan(
        tx,
        scan.workspace_id,
        scan.id,
        from_=ScanStatus.RUNNING,
        to=ScanStatus.COMPLETED,
        now=now,
        metrics=summary.metrics,
    )
    if completed is None:  # cancelled, or finished by another worker, in the meantime
        return None
    if summary.updated_records:
        await rewrite_records(tx, scan.workspace_id, scan.id, summary.updated_records)
    await insert_results(tx, scan.workspace_id, scan.id, summary.results, summary.name_index)
    await drop_lanes(tx, scan.workspace_id, scan.id)
    if scan.measurement_scope != "console_check":
        await store_scan_rows(tx, scan.workspace_id, scan.domain_id, scan.id, summary.table_rows)
        await enqueue(tx, build_follow_job(ScanJob(scan.workspace_id, scan.id), scan.priority))
    return completed


async def _announce(tx: Transaction, scan: ScanRow, summary: ScanSummary, *, base_url: str, now: datetime) -> None:
    """Show the figures of a completed Console scan at its domain, and record the event."""
    figures = summary.metrics
    await update_domain(
        tx,
        scan.workspace_id,
        scan.domain_id,
        latest_visibility_score=figures.visibility_score,
        latest_brand_coverage_pct=figures.brand_coverage_pct,
        latest_ai_mentions=figures.ai_mentions,
        latest_market_position=figures.market_position,
    )
    await record_event(tx, "scan.completed", to_completed_scan(scan, base_url), cause=str(scan.id), now=now)


async def _fail(
    db: Database,
    scan: ScanRow,
    faults: Mapping[str, Fault],
    reason: str,
    dependencies: FinishDependencies,
    *,
    clock: Clock,
) -> None:
    """Fail the scan for a reason, with the faults of its platforms if they caused it. Refund a paid scan."""
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
        codes = {platform: fault.kind for platform, fault in faults.items()}
        log.warning("scan_failed", workspace_id=str(scan.workspace_id), scan_id=str(scan.id), platforms=codes)
        await drop_lanes(tx, scan.workspace_id, scan.id)
        if scan.measurement_scope != "console_check":
            return
        failed = await refund_whole_scan(
            tx, failed, description=f"Refund: the check of {scan.domain} failed", rules=dependencies.rules, now=now
        )
        await record_event(tx, "scan.failed", to_scan_event(failed), cause=str(scan.id), now=now)
        crash_point("before_finish_commit")
    crash_point("after_finish_commit")


def _find_faults(rows: Sequence[AnswerRow]) -> dict[str, Fault]:
    """Return the most frequent fault of each platform."""
    by_platform: dict[str, Counter[Fault]] = {}
    for row in rows:
        if (fault := decode_record(row.record).fault) is not None:
            by_platform.setdefault(row.platform, Counter())[fault] += 1
    return {platform: found.most_common(1)[0][0] for platform, found in sorted(by_platform.items())}


def _explain(faults: Mapping[str, Fault]) -> str:
    messages = "; ".join(f"{platform}: {fault.message}" for platform, fault in faults.items())
    return f"Every answer failed. {messages}"[:1_000]
