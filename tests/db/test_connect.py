"""Sessions on several hosts: on whichever accepts writes, however the others behave."""

import asyncio
import time
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest

from sightline.db.connect import connect, prefer_writable, split_hosts
from sightline.db.engine import DatabaseUnavailable
from sightline.db.failures import DatabaseRefused
from tests.db.test_engine import open_database, run_silent_server


def add_host(url: str, port: int) -> str:
    """Return the address of a socket with a second host, which comes first."""
    return url.replace("host=", "host=127.0.0.1,").replace("port=", f"port={port},")


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("postgresql://me:p@a/x?sslmode=require", ["postgresql://me:p@a/x?sslmode=require"]),
        ("postgresql://me:p@a:1,b:2/x?s=1", ["postgresql://me:p@a:1/x?s=1", "postgresql://me:p@b:2/x?s=1"]),
        ("postgresql:///x?host=a,b", ["postgresql:///x?host=a&port=5432", "postgresql:///x?host=b&port=5432"]),
        ("postgresql:///x?host=a,b&port=1,2", ["postgresql:///x?host=a&port=1", "postgresql:///x?host=b&port=2"]),
        ("postgresql:///x?host=/run/pg", ["postgresql:///x?host=/run/pg"]),
    ],
)
def test_an_address_is_split_into_its_hosts(url, hosts):
    assert split_hosts(url) == hosts


def test_programs_of_postgresql_are_told_to_look_for_the_primary():
    assert prefer_writable("postgresql://a/x") == "postgresql://a/x"
    assert "?target_session_attrs=read-write" in prefer_writable("postgresql://a,b/x")
    assert prefer_writable("postgresql://a,b/x?target_session_attrs=any").endswith("?target_session_attrs=any")


async def test_a_host_that_hangs_delays_nothing(database_url):
    async with run_silent_server() as port:
        began = time.monotonic()
        async with open_database(add_host(database_url, port), connect_timeout=8) as db:
            assert await db.fetchval("SELECT 1") == 1
        assert time.monotonic() - began < 6


async def test_a_host_that_accepts_no_writes_is_not_used(database_url):
    options = {"server_settings": {"default_transaction_read_only": "on"}}
    with pytest.raises(DatabaseUnavailable):
        await connect(add_host(database_url, 1), **options)
    async with open_database(add_host(database_url, 1).replace("host=127.0.0.1,/", "host=/nowhere,/missing/")) as db:
        with pytest.raises(DatabaseUnavailable):
            await db.fetchval("SELECT 1")


@asynccontextmanager
async def run_older_server(url):
    """Run a proxy to the server of an address that reports version 14. Yield the address of the proxy."""
    parts = urlsplit(url)
    options = {name: values[0] for name, values in parse_qs(parts.query).items()}
    connection = await asyncpg.connect(url)
    reported = f"server_version\0{connection.get_settings().server_version}".encode()
    older = b"server_version\x0014" + reported[len(b"server_version\x0014") :]
    await connection.close()

    async def forward(reader, writer):
        while data := await reader.read(65_536):
            writer.write(data.replace(reported, older))
            await writer.drain()
        writer.close()

    async def accept(reader, writer):
        server_reader, server_writer = await asyncio.open_unix_connection(
            f"{options['host']}/.s.PGSQL.{options['port']}"
        )
        await asyncio.gather(forward(reader, server_writer), forward(server_reader, writer), return_exceptions=True)

    proxy = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with proxy:
        port = proxy.sockets[0].getsockname()[1]
        yield f"postgresql://{parts.username}@127.0.0.1:{port}{parts.path}?sslmode=disable"


async def test_a_server_that_is_too_old_is_refused(database_url):
    if not urlsplit(database_url).query:
        pytest.skip("needs the socket of the embedded server")
    async with run_older_server(database_url) as url:
        with pytest.raises(DatabaseRefused, match="PostgreSQL 14 is too old"):
            await connect(url)
        async with open_database(url) as db:
            with pytest.raises(DatabaseRefused, match="PostgreSQL 14 is too old"):
                await db.fetchval("SELECT 1")


@pytest.mark.parametrize("url", ["postgresql://me:pass/word@127.0.0.1/x", "http://127.0.0.1/x", "postgresql://[::1/x"])
async def test_a_malformed_address_is_refused_without_its_password(url):
    with pytest.raises(DatabaseRefused) as refused:
        await connect(url)
    assert "pass" not in str(refused.value)


async def test_a_failure_to_connect_has_the_failure_of_the_driver_as_its_cause():
    async with open_database("postgresql://127.0.0.1:1/x") as db:
        with pytest.raises(DatabaseUnavailable) as failed:
            await db.fetchval("SELECT 1")
    assert isinstance(failed.value.__cause__, OSError)
