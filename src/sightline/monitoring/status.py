"""The state of the installation for people: what the page Status shows, and what of it needs attention."""

import platform
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import asyncpg
import msgspec

from sightline import __version__
from sightline.db.engine import Database, Reader
from sightline.jobs.inspect import QueuedJob, list_jobs
from sightline.kit.disk import DiskSpace, measure_disk
from sightline.monitoring import queries
from sightline.monitoring.models import Failures, QueueRow, Schedule, Storage, WorkerState
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number
from sightline.presentation.sizes import format_bytes, format_duration
from sightline.scans.partitions import first_id_at

_STATEMENT_LIMIT = timedelta(seconds=2)
_LATE_SECONDS = 300
_SCHEDULE_SECONDS = 900
_LONGEST_SCAN = timedelta(days=2)
_LONGEST_DELIVERY = timedelta(days=8)
_MAX_HELD = 50

Part = TypeVar("Part")


class InstallationStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The state of the installation. A part that could not be read in time is None."""

    queue: list[QueueRow] | None
    workers: list[WorkerState] | None
    scans: list[tuple[str, int, float]] | None
    """State, number and age in seconds of the oldest."""
    schedule: Schedule | None
    webhooks: tuple[int, int, float] | None
    """Pending and due deliveries, and for how many seconds the first has been due."""
    payments: list[tuple[str, int, float]] | None
    held: list[QueuedJob] | None
    failures: Failures | None
    storage: Storage | None
    wrong_balances: int | None
    disk: DiskSpace | None
    versions: dict[str, str]


async def read_status(db: Database, data_dir: Path, *, now: datetime) -> InstallationStatus:
    """Read everything. Each statement has a time limit, so that the page opens even if the database is slow."""
    found = await _read_part(db, queries.read_versions) or ("unknown", "unknown")
    return InstallationStatus(
        queue=await _read_part(db, _read_queue),
        workers=await _read_part(db, queries.list_workers),
        scans=await _read_part(db, queries.count_scans_any_workspace),
        schedule=await _read_part(db, lambda tx: _read_schedule(tx, now)),
        webhooks=await _read_part(db, queries.count_deliveries_any_workspace),
        payments=await _read_part(db, queries.count_open_payments_any_workspace),
        held=await _read_part(db, lambda tx: list_jobs(tx, state="held", limit=_MAX_HELD)),
        failures=await _read_part(db, lambda tx: _read_failures(tx, now)),
        storage=await _read_part(db, lambda tx: _read_storage(tx, now)),
        wrong_balances=await _read_part(db, queries.count_wrong_balances_any_workspace),
        disk=measure_disk(data_dir),
        versions={
            "Sightline": __version__,
            "Schema": found[1],
            "PostgreSQL": found[0].split()[0],
            "Python": platform.python_version(),
        },
    )


async def _read_part(db: Database, read: Callable[[Reader], Awaitable[Part]]) -> Part | None:
    try:
        async with db.transaction() as tx:
            await queries.limit_time(tx, _STATEMENT_LIMIT)
            return await read(tx)
    except asyncpg.QueryCanceledError:
        return None


async def _read_queue(db: Reader) -> list[QueueRow]:
    return [QueueRow(*row) for row in await queries.count_jobs_any_workspace(db)]


async def _read_schedule(db: Reader, now: datetime) -> Schedule:
    counts = await queries.count_schedule_any_workspace(db, now=now)
    return Schedule(*counts, await queries.find_schedule_lag_any_workspace(db))


async def _read_failures(db: Reader, now: datetime) -> Failures:
    since = now - timedelta(days=1)
    return Failures(
        await queries.count_failed_scans_any_workspace(
            db, since=since, created_after=first_id_at(since - _LONGEST_SCAN)
        ),
        await queries.count_failed_deliveries_any_workspace(db, since=since, created_after=since - _LONGEST_DELIVERY),
    )


async def _read_storage(db: Reader, now: datetime) -> Storage:
    return Storage(
        await queries.measure_database(db),
        await queries.list_table_sizes(db),
        await queries.count_answers_any_workspace(db, created_after=first_id_at(now - timedelta(days=7))),
    )


def find_problems(status: InstallationStatus) -> list[str]:
    """Return what needs attention, most urgent first, each with what to do. Pure."""
    return [*_find_money_problems(status), *_find_work_problems(status), *_find_resource_problems(status)]


def _find_money_problems(status: InstallationStatus) -> Iterator[str]:
    if status.wrong_balances:
        yield ngettext(
            "%(number)s credit account does not match the ledger. Run: %(command)s",
            "%(number)s credit accounts do not match the ledger. Run: %(command)s",
            status.wrong_balances,
            number=format_number(status.wrong_balances),
            command="sightline credits verify",
        )
    waiting = sum(count for _, count, _ in status.payments or ())
    if waiting:
        yield ngettext(
            "%(number)s payment needs your decision. Run: %(command)s",
            "%(number)s payments need your decision. Run: %(command)s",
            waiting,
            number=format_number(waiting),
            command="sightline credits reconciliations",
        )


def _find_work_problems(status: InstallationStatus) -> Iterator[str]:
    if status.workers == []:
        yield gettext(
            "No worker is running, so no checks, e-mails or webhooks are processed. Run: %(command)s",
            command="sightline worker",
        )
    late = [row for row in status.queue or () if row.oldest_seconds > _LATE_SECONDS]
    if late:
        oldest = max(late, key=lambda row: row.oldest_seconds)
        yield gettext(
            "A job of the kind %(kind)s has waited for %(duration)s.",
            kind=oldest.kind,
            duration=format_duration(oldest.oldest_seconds),
        )
    held = sum(row.held for row in status.queue or ())
    if held:
        yield ngettext(
            "%(number)s job is on hold after too many failures. Fix the cause, then retry the job below.",
            "%(number)s jobs are on hold after too many failures. Fix the cause, then retry the jobs below.",
            held,
            number=format_number(held),
        )
    if status.schedule and status.schedule.lag_seconds > _SCHEDULE_SECONDS:
        yield gettext("A scheduled check is %(duration)s late.", duration=format_duration(status.schedule.lag_seconds))
    if status.webhooks and status.webhooks[2] > _LATE_SECONDS:
        yield gettext("Webhooks are sent %(duration)s late.", duration=format_duration(status.webhooks[2]))


def _find_resource_problems(status: InstallationStatus) -> Iterator[str]:
    if status.disk is not None and status.disk.is_low:
        yield gettext(
            "The disk of the data directory is nearly full: %(size)s is free.", size=format_bytes(status.disk.free)
        )
    versions = {worker.version for worker in status.workers or ()}
    if versions - {__version__}:
        yield gettext("Some workers run a different version. Restart them with the version of this server.")
