"""What a worker's port and the API say of themselves, and to whom."""

import asyncio
import time
from datetime import timedelta

import httpx
import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from sightline.monitoring.asgi import build_monitoring_app
from sightline.monitoring.endpoints import may_read_metrics
from sightline.monitoring.event_loop import watch_event_loop
from sightline.monitoring.exposition import Monitor
from sightline.monitoring.figures import FigureGroup, InstallationFigures
from sightline.settings import Settings


def read_samples(text):
    """Return the samples of an exposition by name and labels."""
    families = list(text_string_to_metric_families(text))
    assert all(family.documentation for family in families), "every metric says what it is"
    return {(each.name, *sorted(each.labels.items())): each.value for family in families for each in family.samples}


@pytest.mark.parametrize(
    ("given", "authorization", "peer", "expected"),
    [
        ({}, "", "127.0.0.1", True),
        ({}, "", "::1", True),
        ({}, "", "10.0.0.5", False),
        ({}, "", None, False),
        ({"host": "0.0.0.0"}, "", "127.0.0.1", False),
        ({"base_url": "https://sightline.acme.com"}, "", "127.0.0.1", False),  # a proxy on this machine
        ({"metrics_token": "t"}, "", "127.0.0.1", False),
        ({"metrics_token": "t"}, "Bearer x", "127.0.0.1", False),
        ({"metrics_token": "t", "host": "0.0.0.0"}, "Bearer t", "203.0.113.7", True),
    ],
    ids=str,
)
def test_metrics_require_the_token_or_a_local_request(given, authorization, peer, expected):
    assert may_read_metrics(Settings(**given), authorization, peer) is expected


def open_worker_client(installation, stopping):
    settings = Settings(data_dir=installation.app_context.settings.data_dir)
    app = build_monitoring_app(settings, installation.db, stopping.is_set)
    transport = httpx.ASGITransport(app=app, client=("127.0.0.1", 4711))
    return httpx.AsyncClient(transport=transport, base_url="http://worker")


async def test_the_port_of_a_worker(installation):
    stopping = asyncio.Event()
    async with open_worker_client(installation, stopping) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/readyz")).json() == {"status": "ready"}
        metrics = await client.get("/metrics")
        assert metrics.headers["content-type"].startswith("text/plain")
        samples = read_samples(metrics.text)
        assert samples["sightline_workers",] == 0
        assert samples["sightline_scans", ("state", "running")] == 0
        assert samples["sightline_disk_free_bytes",] > 0
        assert (await client.head("/readyz")).content == b""
        assert [(await client.get("/")).status_code, (await client.post("/healthz")).status_code] == [404, 405]
        stopping.set()
        assert (await client.get("/readyz")).status_code == 503
        assert (await client.get("/healthz")).status_code == 200, "a worker that drains must not be restarted"


async def test_metrics_answer_without_a_database(installation, tmp_path):
    await installation.db.close()
    samples = read_samples((await Monitor(installation.db, tmp_path).render()).decode())
    assert samples["sightline_figures_read_success", ("group", "queue")] == 0
    assert ("sightline_workers",) not in samples, "no figure is better than a wrong one"
    assert samples["sightline_disk_size_bytes",] > 0


async def test_figures_are_read_once_for_many_scrapes_and_slow_ones_are_left_out(installation):
    reads = []

    async def read(db):
        reads.append(await db.fetchval("SELECT 1"))
        return []

    async def read_slowly(db):
        await db.fetchval("SELECT pg_sleep(5)")
        return []

    async def write(db):
        await db.fetchval("INSERT INTO platform_pauses VALUES ('chatgpt', now()) RETURNING platform")
        return []

    groups = [FigureGroup("quick", read), FigureGroup("slow", read_slowly), FigureGroup("writing", write)]
    figures = InstallationFigures(installation.db, tuple(groups), statement_limit=timedelta(milliseconds=50))
    for metrics in await asyncio.gather(*(figures.read() for _ in range(20))):
        success = {sample.labels["group"]: sample.value for sample in metrics[0].samples}
        assert success == {"quick": 1, "slow": 0, "writing": 0}
    assert reads == [1]


def count_lags(le):
    return REGISTRY.get_sample_value("sightline_event_loop_lag_seconds_bucket", {"le": le}) or 0


async def test_a_process_that_is_blocked_counts_as_lag():
    late, all_before = count_lags("0.1"), count_lags("+Inf")
    watching = asyncio.create_task(watch_event_loop())
    await asyncio.sleep(0)
    time.sleep(0.7)
    await asyncio.sleep(0.01)
    watching.cancel()
    assert (count_lags("0.1") - late, count_lags("+Inf") - all_before) == (0, 1)
