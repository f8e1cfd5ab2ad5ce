"""A short chaos run with a fixed seed, and unit tests of its plan and its proxy."""

import asyncio
from pathlib import Path

import pytest

from chaos.nemesis import Nemesis, plan_troubles
from chaos.proxy import Proxy
from chaos.run import run_chaos


def test_the_plan_of_troubles_depends_only_on_the_seed():
    assert plan_troubles(7, 60) == plan_troubles(7, 60)
    assert plan_troubles(7, 60) != plan_troubles(8, 60)
    assert all(trouble.at < 59 for trouble in plan_troubles(7, 60))
    assert plan_troubles(7, 30) == [trouble for trouble in plan_troubles(7, 60) if trouble.at < 29]


def test_the_nemesis_can_cause_every_planned_trouble():
    kinds = {trouble.kind for seed in range(40) for trouble in plan_troubles(seed, 60)}
    assert len(kinds) == 12
    assert all(hasattr(Nemesis, f"_{kind}") for kind in kinds)


@pytest.fixture
async def echo_server(tmp_path):
    async def echo(reader, writer):
        while data := await reader.read(1_000):
            writer.write(data)
            await writer.drain()
        writer.close()

    path = tmp_path / "s"
    server = await asyncio.start_unix_server(echo, str(path))
    yield Path(path)
    server.close()


async def is_disconnected(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read(1) == b""
    except ConnectionError:
        return True


async def test_the_proxy_can_forward_slow_down_hang_reset_and_refuse(echo_server):
    async with Proxy(echo_server) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"x" * 500)
        assert await reader.readexactly(500) == b"x" * 500
        proxy.drips = True
        writer.write(b"y" * 500)
        assert await reader.readexactly(500) == b"y" * 500
        proxy.heal()
        proxy.hang()
        writer.write(b"z")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.2)
        proxy.heal()
        assert await reader.read(1) == b"z"
        assert proxy.reset() == 1
        assert await is_disconnected(reader)
        writer.close()
        proxy.refuses = True
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        assert await is_disconnected(reader)
        writer.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_short_chaos_run_ends_without_violations(tmp_path, monkeypatch):
    monkeypatch.setenv("SIGHTLINE_EMBEDDED_FAST", "1")
    outcome = asyncio.run(run_chaos(20, 8, settle=120, folder=tmp_path))
    assert outcome.violations == []
    assert outcome.summary["scans"]
