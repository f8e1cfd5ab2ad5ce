import pytest

from tests.process.crashes.scenario import open_scenario


@pytest.fixture
async def scenario(database_url, tmp_path):
    async with open_scenario(database_url, tmp_path) as opened:
        yield opened
