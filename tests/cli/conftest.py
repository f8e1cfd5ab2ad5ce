"""Commands run in the test's process and configure logging, which is restored after each test."""

import pytest
import structlog


@pytest.fixture(autouse=True)
def restore_logging():
    yield
    structlog.reset_defaults()
