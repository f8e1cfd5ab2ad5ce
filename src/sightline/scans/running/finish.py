"""The end of a scan: all that its answers amount to, in one transaction with its new state and its event."""

import asyncio
import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.answers.analyse import EXTRACTOR_VERSION
from sightline.credits.ledger import CreditRules, refund_scan
from sightline.db.engine import Database, Transaction
from sightline.events import record_event
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.metrics.registry import METRICS_VERSION
from sightline.scans.models import CheckedAnswer, Plan
from sightline.scans.outward import show_completed, show_scan
from sightline.scans.queries import drop_lanes, find_scan, lock_scan, move_scan
from sightline.scans.record import conclude_check
from sightline.scans.running import queries
from sightline.scans.running.checks import plan_of
from sightline.scans.running.desks import Desks
from sightline.scans.shapes import CheckResults, Headline
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanJob, ScanMetrics, ScanRow, to_answer, to_record


class Ending(msgspec.Struct, frozen=True):
    """What finishing needs beside the scan itself."""

    rules: CreditRules
    base_url: str
    desks: Desks


async def finish_scan(db: Database, job: ScanJob, ending: Ending, *, clock: Clock) -> None:
    """Completes the scan, or fails and refunds it when no answer came at all. Running it again changes nothing."""
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or not _is_whole(scan):
        return
    plan = plan_of(scan, ending.desks.open(scan).uncited)
    rows = await queries.read_answers(db, scan.workspace_id, scan.id)
    answers = [to_answer(row, plan.prompts[row.prompt_index]) for row in rows]
    if all(answer.status == "failed" for answer in answers):
        await _fail(db, scan, _explain(answers), ending, clock=clock)
        return
    # In a thread: it takes a while for a large scan, and heartbeats must go on.
    concluded, results, settled = await asyncio.to_thread(_conclude, plan, answers, scan)
    async with db.transaction() as tx:
        await _complete(tx, scan, concluded, results, settled, ending, now=clock())
        crash_point("before_finish_commit")
    crash_point("after_finish_commit")


def _is_whole(scan: ScanRow) -> bool:
    answered = scan.answers_completed + scan.answers_failed
    return scan.status is ScanStatus.RUNNING and answered == scan.answers_total


def _conclude(
    plan: Plan, answers: Sequence[CheckedAnswer], scan: ScanRow
) -> tuple[CheckResults, bytes, dict[uuid.UUID, bytes]]:
    """The results, and the records of the answers whose ranks are known only now: among all brands of the scan."""
    check = conclude_check(
        plan,
        answers,
        answers_source=scan.answers_source,
        prompts_source="given" if scan.customer_keywords else "suggested",
        started_at=scan.started_at or scan.created_at,
        stopped=False,
    )
    before = {answer.id: answer for answer in answers}
    settled = {uuid.UUID(answer.id): to_record(answer) for answer in check.answers if answer is not before[answer.id]}
    return check.results, msgspec.json.encode(check.results), settled


async def _complete(
    tx: Transaction,
    scan: ScanRow,
    concluded: CheckResults,
    results: bytes,
    settled: dict[uuid.UUID, bytes],
    ending: Ending,
    *,
    now: datetime,
) -> None:
    metrics = _metrics(concluded.headline)
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
    if settled:
        await queries.rewrite_records(tx, scan.workspace_id, scan.id, settled)
    await queries.insert_results(tx, scan.workspace_id, scan.id, results, METRICS_VERSION, EXTRACTOR_VERSION)
    await queries.set_latest_of_domain(
        tx,
        scan.workspace_id,
        scan.domain_id,
        visibility_score=metrics.visibility_score,
        brand_coverage_pct=metrics.brand_coverage_pct,
        ai_mentions=metrics.ai_mentions,
        market_position=metrics.market_position,
    )
    await drop_lanes(tx, scan.workspace_id, scan.id)
    await record_event(
        tx,
        scan.workspace_id,
        "scan.completed",
        show_completed(completed, ending.base_url),
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
        await refund_scan(
            tx,
            scan.workspace_id,
            scan.id,
            livemode=scan.livemode,
            description=f"Refund: the check of {scan.domain} failed",
            rules=ending.rules,
            now=now,
        )
        await drop_lanes(tx, scan.workspace_id, scan.id)
        await record_event(
            tx,
            scan.workspace_id,
            "scan.failed",
            show_scan(failed),
            livemode=scan.livemode,
            cause=str(scan.id),
            now=now,
        )
        crash_point("before_finish_commit")
    crash_point("after_finish_commit")


def _metrics(headline: Headline) -> ScanMetrics:
    def count(name: str) -> int | None:
        value = getattr(headline, name).value
        return None if value is None else int(value)

    return ScanMetrics(
        visibility_score=headline.visibility_score.value,
        brand_coverage_pct=headline.brand_coverage_pct.value,
        ai_mentions=count("ai_mentions"),
        citation_count=count("citation_count"),
        market_position=count("market_position"),
    )


def _explain(answers: Sequence[CheckedAnswer]) -> str:
    """The most frequent fault of each platform, in a sentence or two."""
    by_platform: dict[str, Counter[str]] = {}
    for answer in answers:
        if answer.fault is not None:
            by_platform.setdefault(answer.platform, Counter())[answer.fault.message] += 1
    faults = "; ".join(f"{platform}: {found.most_common(1)[0][0]}" for platform, found in sorted(by_platform.items()))
    return f"Every answer failed. {faults}"[:1_000]
