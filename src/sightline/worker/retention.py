"""Retention: deleting what the operator does not want to keep any longer, and moving payloads between stores."""

from datetime import datetime, timedelta

from sightline.db.engine import Database
from sightline.db.installation import read_fact
from sightline.reports.weekly.queries import delete_reports_any_workspace
from sightline.scans.payloads.move import move_payloads_any_workspace, remove_orphans_any_workspace
from sightline.scans.payloads.object_store import PayloadStores
from sightline.scans.retention.remove import remove_old_answers_any_workspace, remove_old_payloads_any_workspace
from sightline.scans.sealed.seal import remove_sealed_months_any_workspace, seal_old_answers_any_workspace
from sightline.scans.sealed.store import SealedMonths
from sightline.settings import Settings

_MAX_MOVED = 2_000
_DEFAULT_PAYLOAD_DAYS = 90
_DEFAULT_SEAL_DAYS = 400
_MAX_REPORTS = 200  # at a time; their pages and PDFs are large


async def run_retention(db: Database, settings: Settings, payloads: PayloadStores, *, now: datetime) -> None:
    """Delete old reports, answers and payloads, a limited number at a time. Deliveries are part of housekeeping.

    Payloads are last, because their store may not be available, and then the run ends with an exception.
    Any number of processes may call it at once, and it may be killed anywhere: the next run continues.
    """
    if settings.report_retention_days is not None:
        before = now - timedelta(days=settings.report_retention_days)
        async with db.transaction() as tx:
            await delete_reports_any_workspace(tx, before=before, limit=_MAX_REPORTS)
    await remove_old_answers_any_workspace(db, settings.answer_retention_days, now=now)
    days = await _choose(db, settings.payload_retention_days, default=_DEFAULT_PAYLOAD_DAYS)
    await remove_old_payloads_any_workspace(db, payloads, days, now=now)


async def run_sealing(db: Database, settings: Settings, sealed: SealedMonths, *, now: datetime) -> None:
    """Seal old months, and delete sealed ones that are older than answers are kept.

    Any number of processes may call it at once, and it may be killed anywhere: the next run continues.
    """
    await remove_sealed_months_any_workspace(db, sealed, settings.answer_retention_days, now=now)
    days = await _choose(db, settings.seal_answers_after_days, default=_DEFAULT_SEAL_DAYS)
    await seal_old_answers_any_workspace(db, sealed, days, now=now)


async def _choose(db: Database, days: int | None, *, default: int) -> int | None:
    """Return how many days a setting means; 0 stands for never. Only a new installation has a default."""
    if days is None:
        return default if await read_fact(db, "has_default_retention") else None
    return days or None


async def run_payload_moves(db: Database, payloads: PayloadStores, *, now: datetime) -> None:
    """Move payloads to the current store, and remove those without answers, a limited number at a time."""
    await move_payloads_any_workspace(db, payloads, limit=_MAX_MOVED, now=now)
    if payloads.current is not None:
        await remove_orphans_any_workspace(db, payloads.current, now=now)
