import pytest

from sightline.db.engine import Database
from tests.jobs.shop import Shop


@pytest.fixture
async def shop(database_url):
    db = Database(database_url, pool_size=5)
    await db.open()
    yield Shop(db)
    await db.close()
