import pytest

from tests.scans.scheduling.world import World


@pytest.fixture
def world(installation):
    return World(installation)
