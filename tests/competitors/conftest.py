import pytest

from tests.competitors.competitor_steps import CompetitorSteps


@pytest.fixture
async def steps(installation):
    return await CompetitorSteps.open(installation)
