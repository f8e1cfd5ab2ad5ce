"""A whole installation in a scratch folder: PostgreSQL behind a bad network, APIs, workers, tenants, a receiver."""

import asyncio
import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec

from chaos.disk import SmallDisk, mount_small_disk
from chaos.plan import Conditions
from chaos.platforms import UnreliablePlatforms
from chaos.processes import Process
from chaos.proxy import Proxy
from chaos.receiver import Receiver
from chaos.release import unpack_release_before
from sightline.accounts.passwords import hash_now
from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.api_keys.issue import NewKey, mint_key
from sightline.credits.ledger import CreditAccount, CreditRules, grant_credits
from sightline.db import embedded
from sightline.db.engine import Database
from sightline.db.migrate import migrate
from sightline.kit.clock import utc_now
from sightline.plans.table import Plan

_TENANTS = 3
_CREDITS = 60
_PASSWORD = "correct horse battery"
_APIS = ("api-1", "api-2")
_WORKERS = ("worker-1", "worker-2")
SETTINGS = {
    "WORKER_TIMEOUT": "5",
    "WORKER_GRACE": "3",
    "SANDBOX_LATENCY_MS": "60",
    "ASK_TIMEOUT": "3",
    "ASK_DEADLINE": "10",
    # A killed request keeps its key for this long; in production it is an hour.
    "IDEMPOTENCY_LEASE": "8",
    "WEBHOOK_ALLOW_LOOPBACK": "1",
    "WEBHOOK_TIMEOUT": "3",
    "CONSOLE_RATE_PER_MINUTE": "1000000",
    "SESSION_RATE_PER_MINUTE": "1000000",
    "ANONYMOUS_RATE_PER_MINUTE": "1000000",
    "SPEND_CAP_CENTS": "1000000000",
    "LOG_FORMAT": "json",
}


class Tenant(msgspec.Struct, frozen=True):
    workspace: str
    email: str
    password: str
    key: str


class World:
    def __init__(
        self,
        folder: Path,
        server: embedded.EmbeddedServer,
        proxies: Mapping[str, Proxy],
        receiver: Receiver,
        tenants: list[Tenant],
        *,
        disk: SmallDisk | None = None,
        platforms: UnreliablePlatforms | None = None,
        release_before: Path | None = None,
    ) -> None:
        self.folder = folder
        self.database_url = server.url
        """Bypasses the proxies: for the run itself, not for the product."""
        self.proxies = proxies
        """The way of each process to PostgreSQL, by the name of the process."""
        self.receiver = receiver
        self.tenants = tenants
        self.disk = disk
        """The file system of the data directory, where it has its own."""
        self.platforms = platforms
        """The platforms that are asked over the network. None: the sandbox answers."""
        self.release_before = release_before
        """The source of the release before this one. Half of the processes begin with it."""
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")},
            **{f"SIGHTLINE_{name}": value for name, value in SETTINGS.items()},
            **(platforms.settings() if platforms is not None else {}),
            "SIGHTLINE_DATA_DIR": str(folder / "data"),
            "SIGHTLINE_DATABASE_URL": server.url,
            "SIGHTLINE_SECRET_KEY": secrets.token_urlsafe(32),
        }
        (folder / "logs").mkdir()
        self.apis = [self._make_process(name, "api") for name in _APIS]
        self.workers = [self._make_process(name, "worker") for name in _WORKERS]
        for process in (self.apis[0], self.workers[0]):
            process.source = release_before

    def _make_process(self, name: str, command: str) -> Process:
        url = f"postgresql://sightline_app@127.0.0.1:{self.proxies[name].port}/sightline?sslmode=disable"
        return Process(name, command, self.environment | {"SIGHTLINE_DATABASE_URL": url}, self.folder / "logs")

    @property
    def processes(self) -> list[Process]:
        return [*self.apis, *self.workers]

    def crash_postgresql(self, number: signal.Signals) -> None:
        """Send SIGQUIT, like `pg_ctl stop -m immediate`, or SIGKILL, which even leaves the pid file behind."""
        pid = embedded.describe(self.folder / "data").pid
        if pid is not None:
            os.kill(pid, number)

    async def start_postgresql(self) -> None:
        """Start PostgreSQL by attaching to it. Releasing it again stops nothing while others are attached.

        On a full disk it may not start. Start it again once the disk has space.
        """
        try:
            server = await asyncio.to_thread(embedded.attach, self.folder / "data")
        except (embedded.EmbeddedError, OSError):
            if self.disk is None or not self.disk.is_full:
                raise
        else:
            await asyncio.to_thread(server.release)

    async def heal(self) -> None:
        if self.disk is not None:
            self.disk.free()
        if self.platforms is not None:
            self.platforms.heal()
        for proxy in self.proxies.values():
            proxy.heal()
        for process in self.processes:
            process.clock.seconds = 0.0
            process.thaw()
            process.pause = 0.3
        await self.start_postgresql()


@asynccontextmanager
async def open_world(
    seed: int, conditions: Conditions, *, fills_disk: bool = False, keep: Path | None = None
) -> AsyncIterator[World]:
    """Run an installation for the block. Its logs are copied to `keep` before its folder is removed.

    Raise `ReleaseMissing` where two releases are wanted and the one before is not in this clone.
    """
    release_before = unpack_release_before() if conditions.runs_two_releases else None
    _forget_settings_of_this_shell()
    folder = Path(tempfile.mkdtemp(prefix="sightline-chaos-"))
    try:
        with _data_dir(folder, fills_disk=fills_disk) as disk:
            async with _installation(seed, conditions, folder, keep, disk, release_before) as world:
                yield world
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def _installation(
    seed: int,
    conditions: Conditions,
    folder: Path,
    keep: Path | None,
    disk: SmallDisk | None,
    release_before: Path | None,
) -> AsyncIterator[World]:
    server = await asyncio.to_thread(embedded.attach, folder / "data")
    try:
        await migrate(server.url)
        tenants = await _populate(server.url)
        async with AsyncExitStack() as stack:
            socket = _socket_of(server.url)
            proxies = {name: await stack.enter_async_context(Proxy(socket)) for name in (*_APIS, *_WORKERS)}
            receiver = await stack.enter_async_context(Receiver(seed))
            platforms = (
                await stack.enter_async_context(UnreliablePlatforms(seed)) if conditions.asks_over_network else None
            )
            world = World(
                folder,
                server,
                proxies,
                receiver,
                tenants,
                disk=disk,
                platforms=platforms,
                release_before=release_before,
            )
            async with _running(world):
                yield world
    finally:
        await asyncio.to_thread(server.release)
        if keep is not None:
            for logs in (folder / "logs", folder / "data" / "postgres" / "log"):
                shutil.copytree(logs, keep, dirs_exist_ok=True)


@contextmanager
def _data_dir(folder: Path, *, fills_disk: bool) -> Iterator[SmallDisk | None]:
    """Make the data directory, on a file system of its own if it is to be filled."""
    if os.geteuid() == 0:
        folder.chmod(0o711)  # PostgreSQL then runs as another user, who needs access
    if not fills_disk:
        yield None
        return
    data = folder / "data"
    data.mkdir(mode=0o711)
    with mount_small_disk(data) as disk:
        yield disk


@asynccontextmanager
async def _running(world: World) -> AsyncIterator[None]:
    keepers = [asyncio.create_task(process.keep_running()) for process in world.processes]
    try:
        yield
    finally:
        for keeper in keepers:
            keeper.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)
        for process in world.processes:
            process.end()


def _forget_settings_of_this_shell() -> None:
    kept = ("SIGHTLINE_ROOT_STORE", "SIGHTLINE_TEST_")
    for name in [name for name in os.environ if name.startswith("SIGHTLINE_") and not name.startswith(kept)]:
        del os.environ[name]
    # Only processes are killed, never the machine: what is in the system's cache survives.
    os.environ["SIGHTLINE_EMBEDDED_FAST"] = "1"


def _socket_of(url: str) -> Path:
    query = parse_qs(urlsplit(url).query)
    return Path(query["host"][0], f".s.PGSQL.{query['port'][0]}")


async def _populate(url: str) -> list[Tenant]:
    db = Database(url, pool_size=2)
    await db.open()
    try:
        return [await _make_tenant(db, number) for number in range(1, _TENANTS + 1)]
    finally:
        await db.close()


async def _make_tenant(db: Database, number: int) -> Tenant:
    now, email = utc_now(), f"owner-{number}@acme.example"
    async with db.transaction() as tx:
        owner = await create_user(tx, email, "", hash_now(_PASSWORD), now=now)
        assert owner is not None
        workspace = await create_workspace(tx, owner, f"Workspace {number}", Plan.AGENCY, now=now)
        _, key = await mint_key(
            tx, workspace.id, owner.id, NewKey(name="Chaos", kind="console", livemode=True), now=now
        )
        rules = CreditRules(test_credits=0, low_threshold=10)
        await grant_credits(
            tx, CreditAccount(workspace.id, livemode=True, rules=rules), _CREDITS, note="To start with", now=now
        )
    return Tenant(str(workspace.id), email, _PASSWORD, key)
