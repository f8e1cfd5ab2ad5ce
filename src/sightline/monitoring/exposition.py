"""What `/metrics` returns: what this process counts, its own state, and the figures of the installation."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from sightline import __version__
from sightline.db.engine import Database
from sightline.kit.disk import measure_disk
from sightline.monitoring.figures import InstallationFigures

# The time at which each series began doubles the number of series and is not used here.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Monitor:
    """Renders the metrics of one process."""

    def __init__(self, db: Database, data_dir: Path) -> None:
        self._db = db
        self._data_dir = data_dir
        self.figures = InstallationFigures(db)

    async def render(self) -> bytes:
        """Return all metrics as text, within seconds even while the database is slow or down."""
        families = [*_read_process(self._db, self._data_dir), *await self.figures.read()]
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Families(families))
        return generate_latest() + generate_latest(registry)


class _Families:
    """A collector of metrics that have been read already."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterable[Metric]:
        return self._families


def _read_process(db: Database, data_dir: Path) -> Iterator[Metric]:
    build = GaugeMetricFamily(
        "sightline_build_info", "Version of this process. The value is always 1.", labels=["version"]
    )
    build.add_metric([__version__], 1)
    yield build
    pool = GaugeMetricFamily(
        "sightline_database_pool_connections", "Database connections of this process, by state.", labels=["state"]
    )
    in_use, idle = db.count_connections()
    pool.add_metric(["in_use"], in_use)
    pool.add_metric(["idle"], idle)
    yield pool
    yield GaugeMetricFamily(
        "sightline_database_pool_max_connections",
        "Maximum number of database connections of this process.",
        value=db.pool_size,
    )
    disk = measure_disk(data_dir)
    if disk is None:
        return
    yield GaugeMetricFamily(
        "sightline_disk_free_bytes",
        "Free space on the disk of the data directory, for users other than root.",
        value=disk.free,
    )
    yield GaugeMetricFamily("sightline_disk_size_bytes", "Size of the disk of the data directory.", value=disk.size)
