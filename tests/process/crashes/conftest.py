import pytest

from tests.process.crashes.scenario import open_scene


@pytest.fixture
async def scene(database_url, tmp_path):
    async with open_scene(database_url, tmp_path) as opened:
        yield opened
