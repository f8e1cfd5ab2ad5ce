"""Commands run in the test's process and configure logging, which is restored after each test."""

import pytest
import structlog


@pytest.fixture(autouse=True)
def restore_logging(monkeypatch):
    """Restore the logging of tests. No logger remembers that of a command: `capture_logs` would not see it."""
    before, configure = structlog.get_config(), structlog.configure
    # Commands configure logging for a process of their own.
    monkeypatch.setattr(
        structlog, "configure", lambda **chosen: configure(**chosen | {"cache_logger_on_first_use": False})
    )
    yield
    configure(**before)
