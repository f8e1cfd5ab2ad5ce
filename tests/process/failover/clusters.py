"""PostgreSQL clusters on loopback ports: a primary, and a replica that has every commit before it is acknowledged."""

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from sightline.db.embedded.account import EmbeddedError, SystemAccount, ensure_helper, find_account
from sightline.db.embedded.binaries import Binaries, find_binaries, make_reachable
from sightline.db.embedded.location import prepare_store
from tests.process.serving.processes import free_port

POOL_SIZE = 3
USER = "sightline"
_SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
shared_buffers = '32MB'
max_connections = 60
"""


class Cluster:
    def __init__(self, folder: Path, account: SystemAccount, binaries: Binaries) -> None:
        self.folder, self.port = folder, free_port()
        self._account, self._binaries = account, binaries

    def run(self, program: str, *arguments: object) -> None:
        done = self._account.run(self._binaries.program(program), *map(str, arguments))
        assert done.returncode == 0, f"{program}: {done.stderr}"

    def start(self, *settings: str) -> None:
        options = " ".join(f"-c {setting}" for setting in (f"port={self.port}", *settings))
        self.run("pg_ctl", "-D", self.folder, "-w", "-s", "-l", self.folder / "log.txt", "-o", options, "start")

    def promote(self) -> None:
        self.run("pg_ctl", "-D", self.folder, "-w", "-s", "promote")

    def freeze(self) -> None:
        """Stop every process of the server: its connections stay open and nobody answers, as when a network parts."""
        self._signal(signal.SIGSTOP)

    def kill(self) -> None:
        """Kill every process of the server at once, as when its machine restarts."""
        self._signal(signal.SIGKILL)
        (self.folder / "postmaster.pid").unlink(missing_ok=True)

    def _signal(self, number: signal.Signals) -> None:
        try:
            pid = int((self.folder / "postmaster.pid").read_text().split()[0])
        except FileNotFoundError:
            return
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(each, number)


def find_postgres(*programs: str, major: int | None = None) -> tuple[SystemAccount, Binaries]:
    """Return PostgreSQL and the account that may run it. Skips the test where a program is missing."""
    account = find_account(os.geteuid()) if os.geteuid() else ensure_helper()
    try:
        binaries = find_binaries(major)
        if not account.is_us:
            binaries = make_reachable(binaries, account, prepare_store)
    except EmbeddedError as error:
        pytest.skip(str(error))
    for program in programs:
        if not binaries.program(program).exists():
            pytest.skip(f"{program} is not in {binaries.folder}")
    return account, binaries


@contextmanager
def run_primary(home: Path, *, major: int | None = None) -> Iterator[Cluster]:
    """Start a cluster with an empty database."""
    account, binaries = find_postgres("initdb", "pg_ctl", "createdb", major=major)
    folder = home / "clusters"
    account.make_dir(folder)
    primary = Cluster(folder / "primary", account, binaries)
    primary.run(
        "initdb", "-D", primary.folder, "-U", USER, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"
    )
    account.write(primary.folder / "postgresql.conf", _SETTINGS)
    primary.start()
    try:
        primary.run("createdb", "-h", "127.0.0.1", "-p", primary.port, "-U", USER, USER)
        yield primary
    finally:
        primary.kill()


@contextmanager
def run_pgbouncer(primary: Cluster) -> Iterator[int]:
    """Start PgBouncer in transaction mode in front of a cluster, with few connections to it. Yield its port."""
    program = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.skip("pgbouncer is not installed")
    account, _ = find_postgres("initdb")
    folder, port = primary.folder.with_name("pgbouncer"), free_port()
    account.make_dir(folder)
    account.write(
        folder / "pgbouncer.ini",
        f"""
[databases]
{USER} = host=127.0.0.1 port={primary.port} user={USER}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {POOL_SIZE}
logfile = {folder}/log.txt
pidfile = {folder}/pid
""",
    )
    done = account.run(program, "-d", folder / "pgbouncer.ini")
    assert done.returncode == 0, done.stderr
    try:
        yield port
    finally:
        os.kill(int((folder / "pid").read_text()), signal.SIGKILL)


@contextmanager
def run_replica(primary: Cluster) -> Iterator[Cluster]:
    """Start a replica. From then on, the primary acknowledges a commit only after the replica has it."""
    account, binaries = find_postgres("pg_basebackup")
    replica = Cluster(primary.folder.with_name("replica"), account, binaries)
    connect = ("-h", "127.0.0.1", "-p", primary.port, "-U", USER)
    replica.run("pg_basebackup", *connect, "-D", replica.folder, "-R", "-X", "stream", "-c", "fast", "--no-sync")
    replica.start("cluster_name=replica")
    try:
        for statement in ("ALTER SYSTEM SET synchronous_standby_names = 'replica'", "SELECT pg_reload_conf()"):
            primary.run("psql", *connect, "-d", USER, "-qc", statement)
        yield replica
    finally:
        replica.kill()
