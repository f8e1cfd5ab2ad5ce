"""A short chaos run with a fixed seed, and unit tests of its plan and its proxy."""

import asyncio
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

import sightline.kit.clock
from chaos.disk import mount_small_disk
from chaos.nemesis import Nemesis
from chaos.plan import Conditions, Trouble, list_kinds, plan_troubles
from chaos.platforms import FAULTS
from chaos.processes import Process
from chaos.proxy import Proxy
from chaos.run import run_chaos
from sightline.kit.clock import utc_now


def test_the_plan_of_troubles_depends_only_on_the_seed():
    assert plan_troubles(7, 60) == plan_troubles(7, 60)
    assert plan_troubles(7, 60) != plan_troubles(8, 60)
    assert all(trouble.at < 59 for trouble in plan_troubles(7, 60))
    assert plan_troubles(7, 30) == [trouble for trouble in plan_troubles(7, 60) if trouble.at < 29]


def test_every_kind_of_trouble_is_planned_and_can_be_caused():
    kinds = {trouble.kind for seed in range(60) for trouble in plan_troubles(seed, 60)}
    assert kinds == set(list_kinds(Conditions(asks_over_network=True, runs_two_releases=True)))
    platform_kinds = {kind.removeprefix("platform_") for kind in kinds if kind.startswith("platform_")}
    assert platform_kinds == set(FAULTS)
    assert all(hasattr(Nemesis, f"_{kind}") for kind in kinds if not kind.startswith("platform_"))


def test_a_process_runs_the_source_and_the_clock_that_it_is_given(tmp_path):
    package = tmp_path / "src" / "sightline"
    (package / "kit").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "kit" / "clock.py").write_text(Path(sightline.kit.clock.__file__).read_text())
    (package / "__main__.py").write_text(
        "import sys; from sightline.kit.clock import utc_now; print('old', *sys.argv[1:], utc_now().isoformat())"
    )
    process = Process("api-1", "api", os.environ, tmp_path)
    process.source = tmp_path / "src"
    process.clock.seconds = -7_200
    process.start()
    try:
        process.wait(30)
    finally:
        process.end()
    release, command, now = process.log.read_text().split()
    assert (release, command) == ("old", "api")
    assert timedelta(hours=1, minutes=59) < utc_now() - datetime.fromisoformat(now) < timedelta(hours=2, minutes=1)


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
        proxy.hang("replies")
        writer.write(b"w")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.2)
        proxy.heal()
        assert await reader.read(1) == b"w"
        assert proxy.reset() == 1
        assert await is_disconnected(reader)
        writer.close()
        proxy.refuses = True
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        assert await is_disconnected(reader)
        writer.close()


def test_a_small_disk_is_full_until_it_is_freed(tmp_path):
    with mount_small_disk(tmp_path, megabytes=2) as disk:
        if disk is None:
            pytest.skip("no file system can be mounted here: runs record full disks as skipped")
        disk.fill()
        with pytest.raises(OSError, match="No space left"):
            (tmp_path / "new").write_bytes(b"x" * 5_000)
        assert disk.is_full
        disk.free()
        (tmp_path / "new").write_bytes(b"x" * 5_000)
    assert list(tmp_path.iterdir()) == []


def test_without_the_right_to_mount_there_is_no_small_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with mount_small_disk(tmp_path) as disk:
        assert disk is None


# Faults of every group that overlap, in an order that leaves each of them something to break.
TROUBLES = [
    Trouble(0.5, "jump_clock", place=113, lasts=5.0),
    Trouble(1.0, "platform_lies", place=0, lasts=2.0),
    Trouble(1.5, "part_worker", place=20, lasts=4.0),
    Trouble(2.0, "fill_disk", place=0, lasts=2.0),
    Trouble(3.5, "platform_hangs", place=0, lasts=1.5),
    Trouble(4.5, "jump_clock", place=0, lasts=3.0),
    Trouble(5.0, "kill_worker", place=1, lasts=0.2),
    Trouble(5.5, "kill_postgresql", place=0, lasts=0.5),
    Trouble(6.5, "platform_limits", place=0, lasts=1.0),
]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_short_chaos_run_ends_without_violations(tmp_path, monkeypatch):
    monkeypatch.setenv("SIGHTLINE_EMBEDDED_FAST", "1")
    conditions = Conditions(asks_over_network=True)
    outcome = asyncio.run(run_chaos(20, 8, settle=120, folder=tmp_path, conditions=conditions, troubles=TROUBLES))
    assert outcome.violations == []
    assert outcome.summary["scans"]
    assert outcome.summary["troubles"].keys() >= {trouble.kind for trouble in TROUBLES}
