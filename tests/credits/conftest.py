"""The books of one workspace, and shops that sell credits to one."""

import pytest

from tests.credits.checkouts import open_shop
from tests.credits.ledgers import Books


@pytest.fixture
async def tenant(installation):
    return await installation.tenant()


@pytest.fixture
def books(installation, tenant):
    return Books(installation, tenant)


@pytest.fixture
def test_books(installation, tenant):
    return Books(installation, tenant, livemode=False)


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
