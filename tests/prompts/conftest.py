"""The fixture of prompts."""

import pytest

from tests.prompts.prompt_steps import PromptSteps


@pytest.fixture
async def steps(installation):
    tenant = await installation.tenant()
    return PromptSteps(installation, tenant, await installation.tracked_domain(tenant))
