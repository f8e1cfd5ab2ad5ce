import pytest

from sightline.webhooks.courier import open_courier
from tests.fakes.receiver import Receiver
from tests.house import House
from tests.webhooks.office import Office


@pytest.fixture
async def house(database_url, tmp_path):
    """Webhooks may go to this machine, and a receiver has little time."""
    async with House.open(database_url, tmp_path, webhook_allow_loopback=True, webhook_timeout=1.5) as opened:
        yield opened


@pytest.fixture
async def receiver():
    async with Receiver() as opened:
        yield opened


@pytest.fixture
async def office(house, client, receiver):
    async with open_courier(house.wiring.settings) as courier:
        yield Office(house, client, courier, receiver)


@pytest.fixture
async def tenant(house):
    return await house.tenant()
