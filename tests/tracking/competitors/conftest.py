import pytest

from tests.tracking.competitors.market import Market


@pytest.fixture
async def market(house):
    return await Market.open(house)
