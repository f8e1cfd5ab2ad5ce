import pytest

from tests.tracking.scheduling.world import World


@pytest.fixture
def world(house):
    return World(house)
