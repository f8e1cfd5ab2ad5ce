"""Secrets are never logged: a traceback says where it happened, not with what."""

import io

import pytest
import structlog

from sightline.kit.logging import configure_logging

KEY = "sk_live_" + "x" * 38


def refuse(key):
    raise RuntimeError(f"a key of {len(key)} characters was refused")


@pytest.mark.parametrize("as_json", [True, False])
def test_a_logged_exception_shows_no_variable(as_json):
    stream = io.StringIO()
    configure_logging(level="info", as_json=as_json, stream=stream)
    try:
        try:
            refuse(KEY)
        except RuntimeError:
            structlog.get_logger().exception("request_failed")
    finally:
        structlog.reset_defaults()
    assert "of 46 characters" in stream.getvalue() and "test_logging" in stream.getvalue()
    assert KEY not in stream.getvalue()
