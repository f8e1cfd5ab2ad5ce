import pytest

from sightline.webhooks.deliveries.sender import open_webhook_sender
from tests.fakes.receiver import Receiver
from tests.installation import Installation
from tests.webhooks.webhook_steps import WebhookSteps


@pytest.fixture
async def installation(database_url, tmp_path):
    """Open an installation that may send webhooks to loopback, with a short timeout."""
    async with Installation.open(database_url, tmp_path, webhook_allow_loopback=True, webhook_timeout=1.5) as opened:
        yield opened


@pytest.fixture
async def receiver():
    async with Receiver() as opened:
        yield opened


@pytest.fixture
async def steps(installation, client, receiver):
    async with open_webhook_sender(installation.app_context.settings) as sender:
        yield WebhookSteps(installation, client, sender, receiver)


@pytest.fixture
async def tenant(installation):
    return await installation.tenant()
