"""Sessions on several hosts: on whichever accepts writes, however the others behave."""

import time

import pytest

from sightline.db.connect import FAILURES, connect, prefer_writable, split_hosts
from sightline.db.engine import DatabaseUnavailable
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
    with pytest.raises(FAILURES):
        await connect(add_host(database_url, 1), **options)
    async with open_database(add_host(database_url, 1).replace("host=127.0.0.1,/", "host=/nowhere,/missing/")) as db:
        with pytest.raises(DatabaseUnavailable):
            await db.fetchval("SELECT 1")
