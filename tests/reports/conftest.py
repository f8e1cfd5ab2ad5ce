import pytest

from tests.reports.stored_reports import ReportedDomain


@pytest.fixture
async def tracked(installation):
    return await ReportedDomain.open(installation)
