"""The embedded PostgreSQL without mocks: real clusters, real processes, real kill -9, as root and as a user."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from sightline.db.embedded import ClusterStatus, EmbeddedError, EmbeddedServer, attach, describe
from sightline.db.engine import Database
from sightline.db.migrate import migrate
from sightline.settings import Settings
from sightline.worker.housekeeping import run_housekeeping

Attach = Callable[[Path], EmbeddedServer]
CHILD = Path(__file__).with_name("embedded_child.py")
is_root = os.geteuid() == 0
only_root = pytest.mark.skipif(not is_root, reason="is about the helper account of root")


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give root a store of its own, at a path that the helper account can reach."""
    folder = Path(tempfile.mkdtemp(prefix="store-", dir="/tmp"))
    folder.chmod(0o755)
    monkeypatch.setenv("SIGHTLINE_ROOT_STORE", str(folder))
    monkeypatch.setenv("SIGHTLINE_EMBEDDED_FAST", "1")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def durable(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use durable settings: the fast ones may lose commits when PostgreSQL is killed."""
    monkeypatch.delenv("SIGHTLINE_EMBEDDED_FAST")


@pytest.fixture
def attached(private_dir: Path) -> Iterator[Attach]:
    """Return `attach`, and release every server after the test."""
    servers: list[EmbeddedServer] = []

    def attach_and_remember(data_dir: Path) -> EmbeddedServer:
        servers.append(attach(data_dir))
        return servers[-1]

    yield attach_and_remember
    for server in servers:
        server.release()


@pytest.fixture
def private_dir() -> Iterator[Path]:
    """Create a folder that only we may pass; pytest's paths are too long for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="private-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def open_dir(private_dir: Path) -> Path:
    """Create a folder that everybody may pass."""
    private_dir.chmod(0o755)
    return private_dir


@pytest.fixture
def data_dir(private_dir: Path) -> Path:
    return private_dir / "data"


def query(server: EmbeddedServer, sql: str, *, as_superuser: bool = False) -> Any:
    async def run() -> Any:
        connection = await asyncpg.connect(server.superuser_url if as_superuser else server.url)
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return asyncio.run(run())


def running_pid(data_dir: Path) -> int:
    pid = describe(data_dir).pid
    assert pid is not None
    return pid


def cluster_of(data_dir: Path) -> Path:
    cluster = describe(data_dir).cluster
    assert cluster is not None
    return cluster


def run_as_owner(cluster: Path, *command: str | Path, wait: bool = True) -> subprocess.Popen[bytes]:
    owner = cluster.stat()
    identity: dict[str, Any] = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []} if is_root else {}
    process = subprocess.Popen(command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **identity)
    if wait:
        assert process.wait(30) == 0
    return process


def spawn_child(data_dir: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, CHILD, data_dir], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def first_words(child: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert child.stdout is not None
    words: dict[str, Any] = json.loads(child.stdout.readline())
    return words


def dismiss(child: subprocess.Popen[bytes]) -> None:
    child.communicate(timeout=30)
    assert child.returncode == 0


def end_server(pid: int, how: signal.Signals = signal.SIGKILL) -> None:
    os.kill(pid, how)
    stat = Path(f"/proc/{pid}/stat")
    while stat.exists() and ") Z " not in stat.read_text():
        time.sleep(0.01)


def remove_below_a_server(folder: Path) -> None:
    while folder.exists():  # the server may write new files meanwhile
        shutil.rmtree(folder, ignore_errors=True)


def parents_of(path: Path) -> dict[Path, tuple[int, int, int]]:
    return {parent: ((s := parent.stat()).st_mode, s.st_uid, s.st_gid) for parent in path.parents}


def test_the_first_start_creates_a_private_database_with_a_restricted_role(data_dir: Path, attached: Attach) -> None:
    server = attached(data_dir)
    assert server.started
    assert query(server, "SELECT current_user || '@' || current_database()") == "sightline_app@sightline"
    assert not query(
        server, "SELECT rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = current_user"
    )
    assert query(server, "SHOW data_checksums") == "on"
    assert query(server, "SHOW listen_addresses") == ""
    assert query(server, "SELECT upper('é') || getdatabaseencoding()") == "ÉUTF8"
    assert cluster_of(data_dir).stat().st_mode & 0o777 == 0o700


def test_second_attach_shares_and_the_last_release_stops(data_dir: Path, attached: Attach) -> None:
    first, second = attached(data_dir), attached(data_dir)
    assert (first.started, second.started) == (True, False)
    assert first.url == second.url
    first.release()
    first.release()
    assert query(second, "SELECT 1") == 1
    second.release()
    assert not describe(data_dir).running
    assert not (cluster_of(data_dir) / "postmaster.pid").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("durable")
def test_later_start_is_quick_and_keeps_the_data(data_dir: Path, attached: Attach) -> None:
    server = attached(data_dir)
    query(server, "CREATE TABLE kept AS SELECT 42 AS n")
    server.release()
    begun = time.monotonic()
    again = attached(data_dir)
    assert again.started
    assert time.monotonic() - begun < 5  # a fraction of a second; the rest is for a machine under load
    assert query(again, "SELECT n FROM kept") == 42


@pytest.mark.slow
def test_describe_starts_nothing(data_dir: Path, attached: Attach) -> None:
    before = describe(data_dir)
    assert (before.cluster, before.running, before.pid) == (None, False, None)
    assert not data_dir.exists()
    attached(data_dir)
    status = describe(data_dir)
    assert isinstance(status, ClusterStatus)
    assert status.running
    assert status.binaries is not None
    assert status.binaries.program("postgres").exists()
    assert status.binaries.version
    assert (status.helper_user is not None) == is_root


@pytest.mark.slow
def test_server_survives_kill_of_its_user(data_dir: Path, attached: Attach) -> None:
    child = spawn_child(data_dir)
    assert first_words(child)["started"]
    pid = running_pid(data_dir)
    child.kill()
    child.communicate()
    server = attached(data_dir)
    assert not server.started
    assert running_pid(data_dir) == pid
    server.release()  # a dead user does not count, and PostgreSQL holds no lock of ours
    assert not describe(data_dir).running


@pytest.mark.slow
def test_server_has_its_own_session(data_dir: Path, attached: Attach) -> None:
    attached(data_dir)
    pid = running_pid(data_dir)
    assert os.getsid(pid) != os.getsid(0)
    assert os.getpgid(pid) != os.getpgid(0)


@pytest.mark.usefixtures("durable")
def test_killed_server_is_restarted_with_its_data(data_dir: Path, attached: Attach) -> None:
    server = attached(data_dir)
    query(server, "CREATE TABLE kept AS SELECT 42 AS n")
    assert not server.restart_if_crashed()
    end_server(running_pid(data_dir))
    assert server.restart_if_crashed()
    assert not server.restart_if_crashed()
    assert query(server, "SELECT n FROM kept") == 42


@pytest.mark.slow
def test_restart_waits_for_a_busy_session_of_the_killed_server(data_dir: Path, attached: Attach) -> None:
    server = attached(data_dir)

    async def kill_below_a_busy_session() -> float:
        connection = await asyncpg.connect(server.url)
        loop = "DO $$ BEGIN WHILE clock_timestamp() < now() + interval '1.5 s' LOOP END LOOP; END $$"
        busy = asyncio.ensure_future(connection.execute(loop))
        await asyncio.sleep(0.3)
        end_server(running_pid(data_dir))
        begun = time.monotonic()
        assert await asyncio.to_thread(server.restart_if_crashed)
        await asyncio.gather(busy, return_exceptions=True)
        connection.terminate()
        return time.monotonic() - begun

    assert asyncio.run(kill_below_a_busy_session()) > 0.5
    assert query(server, "SELECT 1") == 1


@pytest.mark.slow
def test_pid_of_a_killed_server_may_be_taken_by_another_program(data_dir: Path, attached: Attach) -> None:
    server = attached(data_dir)
    cluster = cluster_of(data_dir)
    end_server(running_pid(data_dir))
    stranger = run_as_owner(cluster, "sleep", "60", wait=False)
    try:
        for file in (cluster / "postmaster.pid", cluster / "socket" / ".s.PGSQL.5432.lock"):
            _, _, rest = file.read_text().partition("\n")
            file.write_text(f"{stranger.pid}\n{rest}")
        assert not describe(data_dir).running
        assert server.restart_if_crashed()
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.slow
@pytest.mark.usefixtures("durable")
def test_stop_on_purpose_is_respected_and_the_next_attach_recovers(data_dir: Path, attached: Attach) -> None:
    server = attached(data_dir)
    query(server, "CREATE TABLE kept AS SELECT 42 AS n")
    status = describe(data_dir)
    assert status.cluster is not None
    assert status.binaries is not None
    run_as_owner(status.cluster, status.binaries.program("pg_ctl"), "-D", status.cluster, "stop", "-m", "immediate")
    assert not server.restart_if_crashed()
    again = attached(data_dir)
    assert again.started
    assert query(again, "SELECT n FROM kept") == 42


@pytest.mark.slow
def test_plain_pg_ctl_start_does_the_same(data_dir: Path, attached: Attach) -> None:
    attached(data_dir).release()
    status = describe(data_dir)
    assert status.cluster is not None
    assert status.binaries is not None
    log = status.cluster / "log" / "by-hand.log"
    run_as_owner(status.cluster, status.binaries.program("pg_ctl"), "-D", status.cluster, "-l", log, "-w", "start")
    server = attached(data_dir)
    assert not server.started
    assert query(server, "SHOW listen_addresses") == ""


@pytest.mark.slow
def test_long_path_moves_the_socket_to_a_private_folder(open_dir: Path, attached: Attach) -> None:
    server = attached(open_dir / ("long" * 20) / "data, with comma")
    socket_dir = Path(query(server, "SHOW unix_socket_directories", as_superuser=True))
    assert socket_dir.parent == Path("/tmp")
    assert socket_dir.stat().st_mode & 0o777 == 0o700
    assert socket_dir.stat().st_uid == cluster_of(open_dir / ("long" * 20) / "data, with comma").stat().st_uid
    server.release()
    # Somebody else could have made the folder first, to listen in.
    socket_dir.chmod(0o777)
    with pytest.raises(EmbeddedError, match="open to others"):
        attach(open_dir / ("long" * 20) / "data, with comma")
    socket_dir.rmdir()


@pytest.mark.slow
@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_parents_keep_their_modes(open_dir: Path, attached: Attach, mode: int) -> None:
    existing = open_dir / "folder" / "data"
    existing.mkdir(parents=True)
    existing.parent.chmod(mode)
    existing.chmod(mode)
    below = existing / "made" / "by-us"
    before = parents_of(below.parent)
    for data_dir in (existing, below):
        attached(data_dir).release()
    assert parents_of(below.parent) == before


@pytest.mark.slow
def test_fresh_data_dir_at_the_same_path_is_a_fresh_cluster(data_dir: Path, attached: Attach) -> None:
    server = attached(data_dir)
    query(server, "CREATE TABLE gone ()")
    server.release()
    shutil.rmtree(data_dir)
    assert query(attached(data_dir), "SELECT to_regclass('gone')") is None


@pytest.mark.slow
def test_data_dir_removed_below_a_running_server_harms_nobody(open_dir: Path, attached: Attach) -> None:
    data_dir = open_dir / "data"
    former = attached(data_dir)
    ghost = running_pid(data_dir)
    remove_below_a_server(data_dir)
    server = attached(data_dir)
    assert server.started
    assert running_pid(data_dir) != ghost
    former.release()
    assert not former.restart_if_crashed()
    assert query(server, "SELECT 1") == 1
    server.release()
    assert attached(data_dir).started  # a ghost that writes its last checkpoint would have destroyed this cluster


@pytest.mark.slow
def test_data_dir_moved_below_a_running_server_harms_nobody(open_dir: Path, attached: Attach) -> None:
    data_dir, moved = open_dir / "data", open_dir / "moved"
    query(attached(data_dir), "CREATE TABLE moved ()")
    pid = running_pid(data_dir)
    data_dir.rename(moved)
    server = attached(data_dir)
    assert server.started
    assert running_pid(data_dir) != pid
    assert query(server, "SELECT to_regclass('moved')") is None
    server.release()
    end_server(pid, signal.SIGQUIT)
    assert query(attached(moved), "SELECT to_regclass('moved')::text") == "moved"
    assert query(attached(data_dir), "SELECT to_regclass('moved')") is None


@pytest.mark.slow
def test_a_link_without_its_cluster_is_refused(data_dir: Path, attached: Attach) -> None:
    attached(data_dir).release()
    shutil.rmtree(cluster_of(data_dir))
    with pytest.raises(EmbeddedError, match=r"does not exist\. Restore it, or remove .*/postgres"):
        attach(data_dir)


@pytest.mark.slow
def test_the_cluster_of_a_version_before_the_link_is_used(open_dir: Path, attached: Attach) -> None:
    data_dir = open_dir / "data"
    server = attached(data_dir)
    query(server, "CREATE TABLE kept AS SELECT 42 AS n")
    cluster = cluster_of(data_dir)
    server.release()
    (data_dir / "postgres").unlink()
    cluster.rename(data_dir / "postgres")
    assert query(attached(data_dir), "SELECT n FROM kept") == 42


@pytest.mark.slow
def test_wrong_major_version_is_named(data_dir: Path, attached: Attach) -> None:
    attached(data_dir).release()
    (cluster_of(data_dir) / "PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedError, match=r"made by PostgreSQL 9, but .* version 1[5-9]"):
        attach(data_dir)


@pytest.mark.slow
def test_failed_start_quotes_the_log(data_dir: Path, attached: Attach) -> None:
    attached(data_dir).release()
    run_as_owner(
        cluster_of(data_dir), "sh", "-c", 'echo nonsense = 1 >"$0"', cluster_of(data_dir) / "conf.d" / "z.conf"
    )
    with pytest.raises(
        EmbeddedError, match=r'(?s)The log in .*/log ends:.*unrecognized configuration parameter "nonsense'
    ):
        attach(data_dir)


@pytest.mark.slow
def test_concurrent_attach_starts_exactly_once(data_dir: Path) -> None:
    children = [spawn_child(data_dir) for _ in range(4)]
    words = [first_words(child) for child in children]
    assert sorted(word["started"] for word in words) == [False, False, False, True]
    assert len({word["url"] for word in words}) == 1
    for child in children:
        dismiss(child)
    assert not describe(data_dir).running


@pytest.mark.slow
@only_root
def test_root_keeps_the_cluster_in_a_data_dir_that_the_helper_reaches(open_dir: Path, attached: Attach) -> None:
    data_dir = open_dir / "data"
    attached(data_dir)
    assert cluster_of(data_dir) == (data_dir / "postgres").resolve()
    assert cluster_of(data_dir).parent == data_dir
    assert data_dir.stat().st_mode & 0o777 == 0o711
    assert cluster_of(data_dir).stat().st_uid != 0


@pytest.mark.slow
@only_root
def test_root_keeps_the_cluster_of_a_private_data_dir_in_the_store(
    data_dir: Path, store: Path, attached: Attach
) -> None:
    data_dir.mkdir(mode=0o700)
    server = attached(data_dir)
    query(server, "CREATE TABLE kept AS SELECT 42 AS n")
    assert cluster_of(data_dir).parent == store
    assert data_dir.stat().st_mode & 0o777 == 0o700
    server.release()
    data_dir.rename(data_dir.with_name("moved"))
    assert query(attached(data_dir.with_name("moved")), "SELECT n FROM kept") == 42


@pytest.mark.slow
@only_root
def test_root_finds_the_cluster_of_a_version_before_the_link(data_dir: Path, store: Path, attached: Attach) -> None:
    server = attached(data_dir)
    query(server, "CREATE TABLE kept AS SELECT 42 AS n")
    server.release()
    home = store / "clusters" / ("0" * 32)
    home.mkdir(parents=True)
    home.parent.chmod(0o711)
    home.chmod(0o711)
    cluster_of(data_dir).rename(home / "postgres")
    (data_dir / "postgres").unlink()
    (data_dir / "postgres.location").write_text(f"{home.name}\n")
    assert query(attached(data_dir), "SELECT n FROM kept") == 42
    assert cluster_of(data_dir) == home / "postgres"


@pytest.mark.slow
@only_root
def test_root_follows_no_link_of_another_user(open_dir: Path, attached: Attach) -> None:
    attached(open_dir / "data").release()
    (open_dir / "theirs").mkdir()
    link = open_dir / "theirs" / "postgres"
    link.symlink_to(cluster_of(open_dir / "data"))
    os.lchown(link, 12_345, 12_345)
    with pytest.raises(EmbeddedError, match="belongs to another user"):
        attach(open_dir / "theirs")


@pytest.mark.slow
@only_root
def test_binaries_out_of_reach_are_copied_once(private_dir: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = describe(private_dir / "none").binaries
    assert found is not None
    binaries = found.folder
    if binaries.parent.name != "pginstall18":
        pytest.skip("PostgreSQL comes from the system here, not from the wheel")
    package, hidden = binaries.parents[1], private_dir / "hidden"
    for part in (package / "pginstall18", package.with_name(f"{package.name}.libs")):
        if part.exists():
            shutil.copytree(part, hidden / part.relative_to(package.parent))
    (hidden / package.name / "__init__.py").touch()
    hidden.chmod(0o700)
    monkeypatch.syspath_prepend(hidden)
    for _ in range(2):
        server = attach(private_dir / "data")
        assert query(server, "SELECT 1") == 1
        assert len(list(store.glob("postgresql-*"))) == 1
        server.release()


async def test_the_application_role_migrates_and_keeps_house(data_dir: Path, attached: Attach) -> None:
    server = await asyncio.to_thread(attached, data_dir)
    await migrate(server.url)
    database = Database(server.url, pool_size=2)
    await database.open()
    try:
        await run_housekeeping(database, Settings(data_dir=data_dir), now=datetime.now(UTC))
    finally:
        await database.close()
