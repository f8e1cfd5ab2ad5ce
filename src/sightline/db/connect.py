"""Opening a session on the host of an address or, of several hosts, on the one that accepts writes.

Every session of ours is opened here, so that all of them follow a failover and refuse a server that is too old.
"""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import asyncpg

from sightline.db.failures import UNAVAILABLE, DatabaseRefused, DatabaseUnavailable, to_unavailable

if TYPE_CHECKING:
    Connection = asyncpg.Connection[asyncpg.Record]
else:
    Connection = asyncpg.Connection

_TIMEOUT = 10.0
_TARGET = "target_session_attrs="
_OLDEST_SERVER = 15


def replace_parts(url: str, *, netloc: str | None = None, options: Mapping[str, str] | None = None) -> str:
    """Return the address with other hosts or options. An empty host stays: `urlunsplit` would drop its slashes."""
    parts = urlsplit(url)
    query = parts.query if options is None else urlencode(options, quote_via=quote)
    return f"{parts.scheme}://{parts.netloc if netloc is None else netloc}{parts.path}{'?' if query else ''}{query}"


def split_hosts(url: str) -> list[str]:
    """Return one address for each host of a database URL, as `host1:port1,host2:port2` or in the query."""
    parts = urlsplit(url)
    account, at, servers = parts.netloc.rpartition("@")
    if "," in servers:
        return [replace_parts(url, netloc=f"{account}{at}{server}") for server in servers.split(",")]
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    hosts = options.get("host", "").split(",")
    if len(hosts) == 1:
        return [url]
    ports = options.get("port", "5432").split(",")
    ports = ports if len(ports) == len(hosts) else ports[:1] * len(hosts)
    return [
        replace_parts(url, options=options | {"host": host, "port": port})
        for host, port in zip(hosts, ports, strict=True)
    ]


def prefer_writable(url: str) -> str:
    """Return the address with options that make PostgreSQL's own programs choose the writable one of several hosts."""
    if len(split_hosts(url)) == 1 or _TARGET in url:
        return url
    return f"{url}{'&' if '?' in url else '?'}{_TARGET}read-write&connect_timeout=5"


async def connect(url: str, *, timeout: float = _TIMEOUT, **options: Any) -> Connection:
    """Open a session. All hosts are asked at once: one that hangs, because its machine is gone, delays nothing.

    Raises `DatabaseUnavailable`, or `DatabaseRefused` if the server can be reached but not used.
    """
    try:
        hosts = split_hosts(url)
        if len(hosts) == 1:
            return await _open(url, timeout=timeout, **options)
        return await _open_first(url, hosts, timeout=timeout, **options)
    except ValueError:  # its text may quote a part of the password
        raise DatabaseRefused("the address of the database is malformed") from None


async def _open(url: str, **options: Any) -> Connection:
    try:
        connection: Connection = await asyncpg.connect(url, **options)
    except (*UNAVAILABLE, asyncpg.PostgresError) as error:
        raise to_unavailable(error) from error
    version = connection.get_server_version().major
    if version < _OLDEST_SERVER:
        connection.terminate()
        raise DatabaseRefused(f"PostgreSQL {version} is too old: Sightline needs version {_OLDEST_SERVER} or newer")
    return connection


async def _open_first(url: str, hosts: list[str], **options: Any) -> Connection:
    if _TARGET not in url:
        options["target_session_attrs"] = "read-write"
    attempts = [asyncio.create_task(_open(host, **options)) for host in hosts]
    chosen: Connection | None = None
    try:
        chosen = await _take_first(attempts)
        return chosen
    finally:
        for attempt in attempts:
            attempt.add_done_callback(partial(_discard, chosen))
            attempt.cancel()


async def _take_first(attempts: "list[asyncio.Task[Connection]]") -> Connection:
    failure: DatabaseUnavailable | None = None
    for finished in asyncio.as_completed(attempts):
        try:
            return await finished
        except DatabaseUnavailable as error:
            failure = failure or error
    assert failure is not None
    raise failure


def _discard(chosen: Connection | None, attempt: "asyncio.Task[Connection]") -> None:
    """Close a session that opened too late. Reading the exception of a failed attempt keeps asyncio from logging it."""
    if not attempt.cancelled() and attempt.exception() is None and attempt.result() is not chosen:
        attempt.result().terminate()
