"""Ledger accounts of one workspace, and buyers."""

import pytest

from tests.credits.buyers import open_buyer
from tests.credits.ledger_accounts import LedgerAccount


@pytest.fixture
async def tenant(installation):
    return await installation.tenant()


@pytest.fixture
def account(installation, tenant):
    return LedgerAccount(installation, tenant)


@pytest.fixture
def test_mode_account(installation, tenant):
    return LedgerAccount(installation, tenant, livemode=False)


@pytest.fixture
async def buyer(database_url, tmp_path):
    """Open a buyer whose live purchases go through Stripe."""
    async with open_buyer(database_url, tmp_path, with_stripe=True, spend_cap_cents=50_000) as opened:
        yield opened


@pytest.fixture
async def sandbox_buyer(database_url, tmp_path):
    """Open a buyer on a sandbox installation, who pays with test money."""
    async with open_buyer(database_url, tmp_path, with_stripe=False) as opened:
        yield opened
