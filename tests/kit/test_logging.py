"""Secrets are never logged: a traceback says where it happened, not with what."""

import io

import asyncpg
import pytest
import structlog

from sightline.kit.logging import configure_logging

KEY = "sk_live_" + "x" * 38
ROW_VALUE = "zoe@acme.com\n\nand more"


def refuse(key):
    raise RuntimeError(f"a key of {len(key)} characters was refused")


@pytest.mark.parametrize("as_json", [True, False])
def test_a_logged_exception_shows_no_values_of_variables(as_json):
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


def insert_twice():
    error = asyncpg.UniqueViolationError('duplicate key value violates unique constraint "users_email"')
    error.detail = f"Key (email)=({ROW_VALUE}) already exists."
    raise error


def pass_another_type():
    raise asyncpg.DataError(f"invalid input for query argument $1: {ROW_VALUE!r} ('str' object is no integer)")


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("fail", [insert_twice, pass_another_type])
def test_a_logged_database_error_shows_no_values_of_rows(as_json, fail):
    stream = io.StringIO()
    configure_logging(level="info", as_json=as_json, stream=stream)
    try:
        try:
            try:
                fail()
            except asyncpg.PostgresError as error:
                raise ExceptionGroup("several", [error, ValueError("other")]) from error
        except ExceptionGroup:
            structlog.get_logger().exception("request_failed")
    finally:
        structlog.reset_defaults()
    assert "several" in stream.getvalue() and fail.__name__ in stream.getvalue()
    assert "duplicate key" in stream.getvalue() or "invalid input for query argument" in stream.getvalue()
    for value in ("zoe", "and more"):
        assert value not in stream.getvalue()
