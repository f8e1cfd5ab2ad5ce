import pytest

from tests.tracking.setup.desk import Desk


@pytest.fixture
def desk(house):
    return Desk(house)
