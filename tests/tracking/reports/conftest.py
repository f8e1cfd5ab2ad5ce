import pytest

from tests.tracking.reports.shelf import Shelf


@pytest.fixture
async def shelf(house):
    return await Shelf.open(house)
