"""The figures of the whole installation, read from the database for `/metrics`.

Every process returns the same figures. A scrape waits a few seconds for them at most. They are read at most every few
seconds, one statement at a time, with a time limit in PostgreSQL. A failed read waits as long before it is repeated.
So many scrapes do not make a slow database slower. What could not be read is left out and reported.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta

import asyncpg
import msgspec
import structlog
from prometheus_client.core import GaugeMetricFamily, Metric

from sightline.db.engine import Database, DatabaseUnavailable, Reader, SchemaMissing
from sightline.monitoring import queries
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.health import MIN_FAILED_CALLS

log = structlog.get_logger()

_SCRAPE_SECONDS = 4.0
"""How long a scrape waits. Prometheus gives up after ten seconds by default."""
_OUTAGE_SECONDS = 10.0
"""How long to wait before figures are read again after the database was down."""


class FigureGroup(msgspec.Struct, frozen=True):
    """Figures that are read together, and how old they may be."""

    name: str
    read: Callable[[Reader], Awaitable[list[Metric]]]
    max_age: float = 10.0


async def _read_queue(db: Reader) -> list[Metric]:
    jobs = GaugeMetricFamily(
        "sightline_jobs",
        "Jobs by kind and state: waiting for a worker, scheduled for later, running, or held after too many failures.",
        labels=["kind", "state"],
    )
    oldest = GaugeMetricFamily(
        "sightline_job_oldest_waiting_seconds",
        "How long the oldest waiting job of a kind has been due.",
        labels=["kind"],
    )
    for kind, *counts, age in await queries.count_jobs_any_workspace(db):
        for state, count in zip(("waiting", "scheduled", "running", "held"), counts, strict=True):
            jobs.add_metric([kind, state], count)
        oldest.add_metric([kind], age)
    return [jobs, oldest]


async def _read_scans(db: Reader) -> list[Metric]:
    scans = GaugeMetricFamily("sightline_scans", "Scans that are not finished, by state.", labels=["state"])
    oldest = GaugeMetricFamily(
        "sightline_scan_oldest_seconds", "Age of the oldest unfinished scan by state.", labels=["state"]
    )
    for state, count, age in await queries.count_scans_any_workspace(db):
        scans.add_metric([state], count)
        oldest.add_metric([state], age)
    return [scans, oldest]


async def _read_webhooks(db: Reader) -> list[Metric]:
    pending, due, age = await queries.count_deliveries_any_workspace(db)
    return [
        GaugeMetricFamily(
            "sightline_webhook_deliveries_pending", "Webhook deliveries that have not succeeded yet.", value=pending
        ),
        GaugeMetricFamily("sightline_webhook_backlog", "Webhook deliveries whose next attempt is due.", value=due),
        GaugeMetricFamily(
            "sightline_webhook_backlog_oldest_seconds",
            "How long the oldest webhook delivery of the backlog has been due.",
            value=age,
        ),
    ]


async def _read_schedule(db: Reader) -> list[Metric]:
    lag = await queries.find_schedule_lag_any_workspace(db)
    return [
        GaugeMetricFamily(
            "sightline_schedule_lag_seconds", "How long the most overdue scheduled check has been due.", value=lag
        )
    ]


async def _read_payments(db: Reader) -> list[Metric]:
    payments = GaugeMetricFamily(
        "sightline_payments_to_review", "Payments that wait for an operator, by state.", labels=["state"]
    )
    oldest = GaugeMetricFamily(
        "sightline_payment_oldest_to_review_seconds",
        "How long the oldest payment of a state has waited for an operator.",
        labels=["state"],
    )
    for state, count, age in await queries.count_open_payments_any_workspace(db):
        payments.add_metric([state], count)
        oldest.add_metric([state], age)
    return [payments, oldest]


async def _read_ledger(db: Reader) -> list[Metric]:
    wrong = await queries.count_wrong_balances_any_workspace(db)
    return [
        GaugeMetricFamily(
            "sightline_ledger_drifting_accounts",
            "Credit accounts whose balance is not the sum of their ledger entries. It must be 0.",
            value=wrong,
        )
    ]


async def _read_workers(db: Reader) -> list[Metric]:
    alive = await queries.count_workers(db)
    return [GaugeMetricFamily("sightline_workers", "Workers that are alive.", value=alive)]


async def _read_platforms(db: Reader) -> list[Metric]:
    failing = GaugeMetricFamily(
        "sightline_platform_failing",
        "1 if at least the last three calls to a platform failed, else 0.",
        labels=["platform"],
    )
    paused = GaugeMetricFamily(
        "sightline_platform_paused",
        "1 while a platform is paused by an operator or its monthly limit, else 0.",
        labels=["platform"],
    )
    faults = {row[0]: row[1:] for row in await queries.list_platform_faults(db, min_calls=MIN_FAILED_CALLS)}
    for platform in PLATFORMS:
        is_failing, is_paused = faults.get(platform.key, (False, False))
        failing.add_metric([platform.key], is_failing)
        paused.add_metric([platform.key], is_paused)
    return [failing, paused]


async def _read_storage(db: Reader) -> list[Metric]:
    size = await queries.measure_database(db)
    return [GaugeMetricFamily("sightline_database_size_bytes", "Size of the database on its disk.", value=size)]


GROUPS = (
    FigureGroup("queue", _read_queue),
    FigureGroup("scans", _read_scans),
    FigureGroup("webhooks", _read_webhooks),
    FigureGroup("schedule", _read_schedule),
    FigureGroup("payments", _read_payments, 60),
    FigureGroup("ledger", _read_ledger, 600),
    FigureGroup("workers", _read_workers),
    FigureGroup("platforms", _read_platforms),
    FigureGroup("storage", _read_storage, 300),
)


class _Read(msgspec.Struct, frozen=True):
    """The last read of a group. `metrics` is None if it failed."""

    metrics: list[Metric] | None
    valid_until: float


class InstallationFigures:
    """Reads the figures of the installation and keeps them for a while."""

    def __init__(
        self,
        db: Database,
        groups: tuple[FigureGroup, ...] = GROUPS,
        *,
        statement_limit: timedelta = timedelta(seconds=2),
    ) -> None:
        self._db = db
        self._groups = groups
        self._statement_limit = statement_limit
        self._reads: dict[str, _Read] = {}
        self._refreshing: asyncio.Task[None] | None = None

    async def read(self) -> list[Metric]:
        """Return what is known after a short wait, and which groups could not be read."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self._refresh())
        await asyncio.wait([self._refreshing], timeout=_SCRAPE_SECONDS)
        success = GaugeMetricFamily(
            "sightline_figures_read_success",
            "1 if the figures of a group were read from the database, 0 if the last attempt failed.",
            labels=["group"],
        )
        metrics: list[Metric] = [success]
        for group in self._groups:
            read = self._reads.get(group.name)
            success.add_metric([group.name], read is not None and read.metrics is not None)
            metrics += (read.metrics if read else None) or []
        return metrics

    async def _refresh(self) -> None:
        """Read the groups that are too old. While the database is down, none of them is tried."""
        now = time.monotonic()
        due = [each for each in self._groups if (last := self._reads.get(each.name)) is None or last.valid_until <= now]
        is_away = False
        for group in due:
            metrics, age = None, min(group.max_age, _OUTAGE_SECONDS)
            try:
                if not is_away:
                    metrics, age = await self._read_group(group), group.max_age
            except (DatabaseUnavailable, SchemaMissing, TimeoutError) as error:
                is_away = True
                log.debug("figures_not_read", group=group.name, reason=str(error) or type(error).__name__)
            self._reads[group.name] = _Read(metrics, time.monotonic() + age)

    async def _read_group(self, group: FigureGroup) -> list[Metric] | None:
        """Return the metrics of a group, or None if PostgreSQL ended its statement."""
        try:
            async with asyncio.timeout(_SCRAPE_SECONDS), self._db.transaction() as tx:
                await queries.limit_time(tx, self._statement_limit)
                return await group.read(tx)
        except asyncpg.PostgresError as error:
            log.warning("figures_not_read", group=group.name, reason=type(error).__name__)
            return None
