"""One logical call of an operation, as the generated methods describe it."""

from collections.abc import Mapping
from datetime import date
from typing import Literal, TypeAlias, TypeVar
from urllib.parse import quote
from uuid import uuid4

import msgspec
from msgspec import UNSET, UnsetType

ApiName = Literal["console", "data"]
PREFIXES: Mapping[ApiName, str] = {"console": "/api/v1/console", "data": "/api/v1/ext"}
QueryValue: TypeAlias = str | float | bool | date
T = TypeVar("T")


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent, however often it has to be sent."""

    api: ApiName
    method: str
    path: str
    """The path below the API's prefix, with its parameters filled in."""
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes | None
    read_timeout: float | None = None
    """Seconds to wait for the next bytes, if not as long as the client waits."""


def build_call(
    api: ApiName,
    method: str,
    path: str,
    *,
    query: Mapping[str, QueryValue | None] | None = None,
    body: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
    idempotency_key: str | None = None,
    read_timeout: float | None = None,
) -> Call:
    """Return the call. A write gets its idempotency key here, so that all attempts have the same."""
    sent = dict(headers or {})
    if method != "GET":
        sent["Idempotency-Key"] = idempotency_key or str(uuid4())
    if body is not None:
        sent["Content-Type"] = "application/json"
    return Call(
        api=api,
        method=method,
        path=path,
        query={name: _to_query(value) for name, value in (query or {}).items() if value is not None},
        headers=sent,
        body=None if body is None else msgspec.json.encode({k: v for k, v in body.items() if v is not UNSET}),
        read_timeout=read_timeout,
    )


def to_segment(value: str) -> str:
    """Return an id as one segment of a path. Refused: what would name another path."""
    if value in {"", ".", ".."}:
        raise ValueError(f"{value!r} is not an id")
    return quote(value, safe="")


def omit_none(value: T | None) -> T | UnsetType:
    """Return what leaves a member out of the body where None means the same as leaving it out."""
    return UNSET if value is None else value


def _to_query(value: QueryValue) -> str:
    if isinstance(value, date):  # or a datetime, which is one
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)
