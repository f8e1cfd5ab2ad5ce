"""The books of one workspace, and shops that sell credits to one."""

import pytest

from tests.credits.books import Books
from tests.credits.shop import open_shop


@pytest.fixture
async def tenant(house):
    return await house.tenant()


@pytest.fixture
def books(house, tenant):
    return Books(house, tenant)


@pytest.fixture
def test_books(house, tenant):
    return Books(house, tenant, livemode=False)


@pytest.fixture
async def shop(database_url, tmp_path):
    """Live purchases through Stripe."""
    async with open_shop(database_url, tmp_path, with_stripe=True) as opened:
        yield opened


@pytest.fixture
async def sandbox_shop(database_url, tmp_path):
    """A sandbox installation: test money."""
    async with open_shop(database_url, tmp_path, with_stripe=False) as opened:
        yield opened
