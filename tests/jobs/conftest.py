import pytest
import structlog

from sightline.db.engine import Database
from tests.jobs.sample_jobs import Shop


@pytest.fixture(autouse=True)
def quiet():
    """What goes wrong on purpose is not drawn in colours, which takes longer than all the rest."""
    with structlog.testing.capture_logs():
        yield


@pytest.fixture
async def shop(database_url):
    db = Database(database_url, pool_size=5)
    await db.open()
    yield Shop(db)
    await db.close()
