"""Point-in-time recovery as the page on backups describes it, with the settings and the command of that page."""

import asyncio
import re
import shlex
import time
from pathlib import Path

import pytest

from sightline.db.connect import connect
from sightline.db.migrate import migrate
from sightline.kit.clock import utc_now
from tests.installation import Installation
from tests.process.failover.clusters import USER, Cluster, find_postgres, run_primary
from tests.process.serving.processes import run_json

pytestmark = pytest.mark.slow
_DOCS = Path(__file__).parents[3] / "docs"
_HEADING = "## Point-in-time recovery"
_RECOVERY_SECONDS = 60


def read_recipe() -> list[str]:
    """Return the code blocks of the recipe: settings of the server, the base backup, and settings of the recovery."""
    (page,) = [text for file in _DOCS.rglob("*.md") if _HEADING in (text := file.read_text())]
    section = re.split(r"^## ", page.partition(_HEADING)[2], flags=re.MULTILINE)[0]
    return [block.strip() for block in re.findall(r"```\w+\n(.*?)```", section, re.DOTALL)]


def url_of(cluster: Cluster) -> str:
    return f"postgresql://{USER}@127.0.0.1:{cluster.port}/{USER}"


async def fetch(cluster: Cluster, query: str):
    connection = await connect(url_of(cluster))
    try:
        return await connection.fetchval(query)
    finally:
        connection.terminate()


async def wait_until(cluster: Cluster, query: str) -> None:
    deadline = time.monotonic() + _RECOVERY_SECONDS
    while not await fetch(cluster, query):
        assert time.monotonic() < deadline, (cluster.folder / "log.txt").read_text()[-3_000:]
        await asyncio.sleep(0.1)


async def test_a_database_goes_back_to_the_moment_before_a_mistake(home, tmp_path, capsys):
    archiving, base_backup, recovering = read_recipe()
    account, binaries = find_postgres("pg_basebackup")
    wal, base = home / "clusters" / "wal", home / "clusters" / "base"
    with run_primary(home) as primary:
        account.make_dir(wal)
        conf = primary.folder / "postgresql.conf"
        account.write(conf, f"{conf.read_text()}\n{archiving.replace('/mnt/wal', str(wal))}\n")
        primary.run("pg_ctl", "-D", primary.folder, "-m", "fast", "-w", "-s", "stop")
        primary.start()
        await migrate(url_of(primary))
        async with Installation.open(url_of(primary), tmp_path) as installation:
            installation.clock.now = utc_now()
            tenant = await installation.tenant()
            await installation.console_domain(tenant.test, "before.com")

            command = base_backup.partition("#")[0]
            changes = {
                "db.example.net": f"127.0.0.1 -p {primary.port}",
                "replicator": USER,
                "/mnt/base/2026-11-17": base,
            }
            for written, here in changes.items():
                assert written in command
                command = command.replace(written, str(here))
            primary.run(*shlex.split(command))

            await installation.console_domain(tenant.test, "kept.com")
            moment = await fetch(primary, "SELECT clock_timestamp()::text")
            await asyncio.sleep(1)
            await fetch(primary, "DELETE FROM domains")
        last = await fetch(primary, "SELECT pg_walfile_name(pg_switch_wal())")
        await wait_until(primary, f"SELECT last_archived_wal >= '{last}' FROM pg_stat_archiver")

    restored = Cluster(base, account, binaries)  # the disk of the primary is lost
    conf = base / "postgresql.conf"
    settings = recovering.replace("/mnt/wal", str(wal)).replace("2026-11-17 11:05:00 UTC", moment)
    assert moment in settings
    account.write(conf, f"{conf.read_text()}\n{settings}\n")
    account.write(base / "recovery.signal", "")
    began = time.monotonic()
    restored.start()
    try:
        await wait_until(restored, "SELECT NOT pg_is_in_recovery()")
        seconds = time.monotonic() - began
        assert await fetch(restored, "SELECT array_agg(domain ORDER BY domain) FROM domains") == [
            "before.com",
            "kept.com",
        ]
        verified = run_json("credits", "verify", database_url=url_of(restored), secret_key="s" * 40, data_dir=tmp_path)
        async with Installation.open(url_of(restored), tmp_path) as installation:
            installation.clock.now = utc_now()
            await installation.console_domain(tenant.test, "after.com")
    finally:
        restored.kill()
    assert verified == {"faults": []}
    with capsys.disabled():
        print(f"\nrecovered to {moment} in {seconds:.1f} s")  # noqa: T201 - a figure to report
