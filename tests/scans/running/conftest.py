import pytest
import structlog

from tests.installation import Installation
from tests.running_worker import Console
from tests.scans.running.provider import Provider, live_console


@pytest.fixture(autouse=True)
def quiet():
    """Capture logs: rendering the tracebacks of expected failures in color takes longer than the tests."""
    with structlog.testing.capture_logs():
        yield


@pytest.fixture
async def installation(database_url, tmp_path):
    """Fast sandbox answers, and no limit that a test of the engine would meet."""
    async with Installation.open(
        database_url,
        tmp_path,
        console_rate_per_minute=1_000_000,
        sandbox_latency_ms=5,
        worker_timeout=2,
        analyzer_processes=0,
        webhook_allow_loopback=True,
    ) as opened:
        yield opened


@pytest.fixture
async def tenant(installation):
    return await installation.tenant()


@pytest.fixture
async def console(installation, tenant):
    """Test mode: every platform answers from the sandbox, and there are 1,000 credits."""
    async with Console(installation, tenant.test) as opened:
        yield opened


@pytest.fixture
async def provider():
    async with Provider() as opened:
        yield opened


@pytest.fixture
async def live_installation(database_url, tmp_path, provider):
    """ChatGPT is connected, to the provider of this test."""
    async with Installation.open(
        database_url,
        tmp_path,
        console_rate_per_minute=1_000_000,
        worker_timeout=2,
        analyzer_processes=0,
        sandbox_latency_ms=5,
        platform_concurrency=10,
        ask_attempts=1,
        **provider.settings,
    ) as opened:
        yield opened


@pytest.fixture
async def live(live_installation):
    async with live_console(live_installation) as opened:
        yield opened
