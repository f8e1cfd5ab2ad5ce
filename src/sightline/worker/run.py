"""Running a worker: jobs, the scan engine's loops, the schedule and the housekeeping, until it is told to stop."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import structlog

from sightline.backups.schedule import BackupSchedule
from sightline.credits.checkout.reconcile import reconcile_attempts_any_workspace
from sightline.credits.checkout.review import report_payments_any_workspace
from sightline.credits.ledger import build_credit_rules
from sightline.credits.providers.payments import Payments, open_payments
from sightline.db.engine import Database
from sightline.db.loops import run_forever
from sightline.insights.cost_forecast import announce_likely_limits
from sightline.insights.missing_rows import build_missing_insight_rows_any_workspace
from sightline.jobs.worker import Worker
from sightline.kit.clock import Clock, utc_now
from sightline.platforms import access
from sightline.platforms.costs.spend import enforce_limits
from sightline.reports.mailings.schedule import start_due_mailings_any_workspace
from sightline.scans.scheduling.tick import tick
from sightline.scoreboard.recompute.missing_rows import build_missing_rows_any_workspace
from sightline.scoreboard.recompute.run import request_outdated_any_workspace
from sightline.scoreboard.refresh import sweep_boards_any_workspace
from sightline.settings import Settings
from sightline.worker.context import WorkerContext, open_worker_context
from sightline.worker.housekeeping import run_housekeeping
from sightline.worker.job_kinds import build_job_handlers
from sightline.worker.retention import run_payload_moves, run_retention, run_sealing

log = structlog.get_logger()

_HOUSEKEEPING_SECONDS = 60
_VERSION_SECONDS = 3_600.0  # versions change only with an update, and are also compared at the start
_SCHEDULE_SECONDS = 5
_FORECAST_SECONDS = 3_600.0  # a limit is announced on the day on which it becomes likely


async def run_worker(
    settings: Settings, db: Database, database_url: str, stopping: asyncio.Event, *, clock: Clock = utc_now
) -> None:
    """Run until `stopping` is set. Jobs under way are then finished or given back to the queue."""
    payments = open_payments(settings, db, is_sandbox=partial(access.is_sandbox, settings))
    try:
        async with open_worker_context(settings, db, clock=clock) as context:
            worker = Worker(
                db,
                database_url,
                build_job_handlers(context),
                timeout=settings.worker_timeout,
                grace=settings.worker_grace,
                admit=context.engine.admit,
                on_stopping=context.engine.stop,
            )
            loops = [*context.engine.loops(worker), *_periodic_loops(context, database_url, payments)]
            tasks = [asyncio.create_task(_guard(loop)) for loop in loops]
            try:
                await worker.run(stopping)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        await payments.close()


async def _guard(loop: Coroutine[Any, Any, None]) -> None:
    """Exit the process when a loop breaks. A loop ends only if it fails, and half a worker is worse than none."""
    try:
        await loop
    except asyncio.CancelledError:
        raise
    except BaseException:
        log.exception("worker_crashed")
        raise SystemExit(1) from None


def _periodic_loops(context: WorkerContext, database_url: str, payments: Payments) -> list[Coroutine[Any, Any, None]]:
    """Return the loops that every worker runs. Each of them is safe in any number of workers at once."""
    settings, db, payloads, clock = context.settings, context.db, context.payloads, context.clock

    def every(seconds: float, step: Callable[..., Awaitable[object]], event: str) -> Coroutine[Any, Any, None]:
        return run_forever(lambda: step(now=clock()), every=seconds, failure_event=event)

    build_rows = partial(build_missing_rows_any_workspace, db, context.uncited)
    reconcile = partial(reconcile_attempts_any_workspace, db, payments, rules=build_credit_rules(settings))
    return [
        every(_SCHEDULE_SECONDS, partial(tick, db, settings), "schedule_failed"),
        every(_SCHEDULE_SECONDS, partial(start_due_mailings_any_workspace, db), "mailings_not_started"),
        every(_SCHEDULE_SECONDS, partial(enforce_limits, db, settings), "limits_not_enforced"),
        every(_FORECAST_SECONDS, partial(announce_likely_limits, db, settings), "limits_not_announced"),
        every(_HOUSEKEEPING_SECONDS, partial(run_housekeeping, db, settings), "housekeeping_failed"),
        every(_HOUSEKEEPING_SECONDS, BackupSchedule(settings, database_url).back_up_if_due, "backup_failed"),
        every(_HOUSEKEEPING_SECONDS, partial(run_retention, db, settings, payloads), "retention_failed"),
        every(_HOUSEKEEPING_SECONDS, partial(run_sealing, db, settings, context.sealed), "sealing_failed"),
        every(_HOUSEKEEPING_SECONDS, partial(run_payload_moves, db, payloads), "payloads_not_moved"),
        every(_HOUSEKEEPING_SECONDS, reconcile, "payments_not_reconciled"),
        every(_HOUSEKEEPING_SECONDS, partial(report_payments_any_workspace, db, settings), "payments_not_reported"),
        every(_HOUSEKEEPING_SECONDS, partial(sweep_boards_any_workspace, db), "boards_not_swept"),
        every(_VERSION_SECONDS, partial(request_outdated_any_workspace, db), "outdated_results_not_found"),
        every(_VERSION_SECONDS, build_rows, "missing_rows_not_built"),
        every(_VERSION_SECONDS, partial(build_missing_insight_rows_any_workspace, db), "missing_rows_not_built"),
    ]
