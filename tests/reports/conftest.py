import pytest

from tests.reports.stored_reports import Shelf


@pytest.fixture
async def shelf(installation):
    return await Shelf.open(installation)
