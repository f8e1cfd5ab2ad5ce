"""Commands that run inside of the test's process configure logging for the whole of it: that ends with the test."""

import pytest
import structlog


@pytest.fixture(autouse=True)
def logging_as_before():
    yield
    structlog.reset_defaults()
