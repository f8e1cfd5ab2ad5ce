import pytest

from tests.competitors.market import Market


@pytest.fixture
async def market(installation):
    return await Market.open(installation)
