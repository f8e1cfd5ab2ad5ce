import pytest
import structlog

from sightline.db.engine import Database
from tests.jobs.job_recorder import JobRecorder


@pytest.fixture(autouse=True)
def quiet():
    """Capture logs: rendering the tracebacks of expected failures in color takes longer than the tests."""
    with structlog.testing.capture_logs():
        yield


@pytest.fixture
async def recorder(database_url):
    db = Database(database_url, pool_size=5)
    await db.open()
    yield JobRecorder(db)
    await db.close()
