"""The commands serve, api, worker and migrate: the long-running parts, alone or together."""

import asyncio
import fcntl
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import structlog
import typer
import uvloop

from sightline import __version__
from sightline.cli.context import (
    AsJson,
    explain_failures,
    find_direct_url,
    load_settings,
    open_database,
    out,
    print_result,
    start_database_server,
)
from sightline.cli.failures import command_name, err, fail
from sightline.db.embedded import EmbeddedError, EmbeddedServer, make_data_dir
from sightline.db.engine import Database, DatabaseUnavailable, SchemaMissing
from sightline.db.failures import DatabaseRefused
from sightline.db.loops import run_forever
from sightline.db.migrate import migrate, require_schema
from sightline.kit.clock import utc_now
from sightline.kit.garbage_collection import collect_rarely
from sightline.kit.shell_command import format_command
from sightline.kit.slow_work import favor_event_loop
from sightline.kit.tracing import configure_tracing, stop_tracing
from sightline.onboarding.bootstrap import TOKEN_LIFETIME, create_first_token
from sightline.platforms.access import require_known_platforms
from sightline.platforms.connections.load import LOAD_SECONDS, load_connections
from sightline.scans.editor_platform import read_editor_setting
from sightline.settings import Settings, SettingsError

log = structlog.get_logger()

_SUPERVISION_SECONDS = 2
_SCHEMA_SECONDS = 1

Background = Callable[[Database, Settings], Coroutine[Any, Any, None]]


def serve(
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Run the API and the pages only, without the worker.")
    ] = False,
) -> None:
    """Run the API, the pages and the worker, with an embedded PostgreSQL unless SIGHTLINE_DATABASE_URL is set."""
    settings = _load_platform_settings()
    with _stoppable(), _tracing(), lock_data_dir(settings), start_database_server(settings) as (url, server):
        uvloop.run(_serve(settings, url, server, with_worker=not no_worker))


def api() -> None:
    """Run only the API and the pages. Several such processes can share one PostgreSQL."""
    settings = _load_platform_settings()
    with _stoppable(), _tracing(), start_database_server(settings) as (url, _):
        uvloop.run(_run_api(settings, url, _do_not_announce))


def worker() -> None:
    """Run only the worker, which also does the housekeeping. Several workers can share one PostgreSQL."""
    settings = _load_platform_settings()
    with _stoppable(), _tracing(), start_database_server(settings) as (url, _):
        uvloop.run(_run_worker_until_stopped(settings, url))


def migrate_database(as_json: AsJson = False) -> None:
    """Migrate the database to the newest schema. You can safely run this command again."""
    settings = load_settings()
    with _stoppable(), start_database_server(settings) as (url, _):
        asyncio.run(migrate(find_direct_url(settings, url)))
    print_result({"migrated": True}, as_json, lambda: out.print("The database has the newest schema."))


def _load_platform_settings() -> Settings:
    """Load the settings. A platform that does not exist stops the start, not the first check."""
    settings = load_settings()
    try:
        require_known_platforms(settings)
        read_editor_setting(settings)
    except SettingsError as error:
        fail(str(error), title="Settings are not valid", code="invalid_settings", exit_code=2)
    return settings


@contextmanager
def _stoppable() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C, also before there is a server to stop: whatever was started is ended in order."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with explain_failures():
            yield
    except KeyboardInterrupt:
        err.print("Stopped.")


@contextmanager
def _tracing() -> Iterator[None]:
    """Send traces while the process runs, where that is configured."""
    try:
        if configure_tracing(command_name().replace(" ", "-"), __version__):
            log.info("tracing_started")
        yield
    finally:
        stop_tracing()


@contextmanager
def lock_data_dir(settings: Settings) -> Iterator[None]:
    """Allow one `serve` per data directory. The kernel releases the lock however the process ends."""
    make_data_dir(settings.data_dir)
    path: Path = settings.data_dir / "serve.lock"
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            fail(
                f"Another service (process {file.read().strip() or 'unknown'}) already uses the data directory "
                f"{settings.data_dir}.\nStop that process, or start this one with another SIGHTLINE_DATA_DIR and "
                "SIGHTLINE_PORT."
            )
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


async def _serve(settings: Settings, url: str, server: EmbeddedServer | None, *, with_worker: bool) -> None:
    await migrate(find_direct_url(settings, url))

    async def announce(db: Database, listening: Settings) -> None:
        token = await create_first_token(db, now=utc_now())
        _print_welcome(listening, token, server)

    background: list[Background] = []
    if with_worker:
        background.append(lambda db, listening: _run_worker_in_serve(listening, db, url))
    if server is not None:
        background.append(lambda _, __: _supervise(server))
    await _run_api(settings, url, announce, background)


async def _run_api(
    settings: Settings,
    url: str,
    announce: Callable[[Database, Settings], Coroutine[Any, Any, None]],
    background: list[Background] | None = None,
) -> None:
    # Imported here: most commands need neither a framework nor a server, and start faster without them.
    from sightline.api.app import create_app
    from sightline.api.app_context import build_app_context
    from sightline.cli.server import Server, listen
    from sightline.mcp.availability import find_mounts
    from sightline.web.app import ROUTES, handle_not_found
    from sightline.web.warm_up import warm_up

    async def warm_up_pages(_: Database, listening: Settings) -> None:
        await is_listening.wait()
        await warm_up(listening.public_url)

    async def announce_listening() -> None:
        await announce(db, settings)
        is_listening.set()

    favor_event_loop()
    is_listening = asyncio.Event()
    listening, settings = listen(settings)
    make_data_dir(settings.data_dir)
    settings.signing_key  # noqa: B018 - a missing secret must stop the start, not the first request
    async with open_database(url, settings) as db:
        await _load_connections_if_possible(db, settings)
        async with _running(db, settings, [*(background or []), _follow_connections, warm_up_pages]):
            application = create_app(build_app_context(settings, db, utc_now), ROUTES, handle_not_found, find_mounts())
            server = Server(application, settings, announce_listening)
            collect_rarely()
            await server.serve(sockets=[listening])


async def _follow_connections(db: Database, settings: Settings) -> None:
    """Use what operators connect and disconnect from now on, and end the sandbox with the first platform."""
    step = partial(_follow_connections_once, db, settings)
    await run_forever(step, every=LOAD_SECONDS, failure_event="connections_not_loaded", wait_first=True)


async def _follow_connections_once(db: Database, settings: Settings) -> None:
    from sightline.onboarding.sandbox_end.leave import leave_sandbox

    await require_schema(db)
    await load_connections(db, settings)
    await leave_sandbox(db, settings, now=utc_now())


async def _load_connections_if_possible(db: Database, settings: Settings) -> None:
    """Load the connections, unless the database is down or has no schema yet. One that refuses us stops the start."""
    try:
        await _follow_connections_once(db, settings)
    except DatabaseRefused:
        raise
    except (DatabaseUnavailable, SchemaMissing):
        pass  # the loop tries it again, and says why


async def _do_not_announce(_: Database, __: Settings) -> None:
    pass


@asynccontextmanager
async def _running(db: Database, settings: Settings, tasks: list[Background]) -> AsyncIterator[None]:
    running = [asyncio.create_task(task(db, settings)) for task in tasks]
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _run_worker_until_stopped(settings: Settings, url: str) -> None:
    from sightline.cli.worker_port import open_worker_port
    from sightline.worker.run import run_worker

    make_data_dir(settings.data_dir)
    settings.signing_key  # noqa: B018 - as for the API: it opens the secrets of webhooks
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    collect_rarely()
    async with open_database(url, settings) as db, open_worker_port(settings, db, stopping):
        log.info("worker_started", version=__version__)
        await _wait_for_schema(db, settings, stopping)
        async with _running(db, settings, [_follow_connections]):
            await run_worker(settings, db, find_direct_url(settings, url), stopping)
    log.info("worker_stopped")


async def _wait_for_schema(db: Database, settings: Settings, stopping: asyncio.Event) -> None:
    """Wait until the database has the schema that this version needs. Only `sightline migrate` changes it."""
    done = asyncio.Event()

    async def load_connections() -> None:
        if not stopping.is_set():
            await _follow_connections_once(db, settings)
        done.set()

    await _load_connections_if_possible(db, settings)
    await run_forever(load_connections, every=_SCHEMA_SECONDS, until=done)


async def _run_worker_in_serve(settings: Settings, db: Database, url: str) -> None:
    """Run the worker inside `serve`. If cancelled, tell the worker to stop, and wait until it has."""
    from sightline.worker.run import run_worker

    collect_rarely()
    stopping = asyncio.Event()
    working = asyncio.create_task(run_worker(settings, db, find_direct_url(settings, url), stopping))
    try:
        await asyncio.shield(working)
    except asyncio.CancelledError:
        stopping.set()
        await working
        raise


async def _supervise(server: EmbeddedServer) -> None:
    """Restart a crashed PostgreSQL. One that was stopped on purpose stays stopped."""

    async def restart_if_crashed() -> None:
        try:
            if await asyncio.to_thread(server.restart_if_crashed):
                log.warning("postgresql_restarted_after_crash")
        except EmbeddedError as error:
            log.warning("postgresql_not_restarted", reason=str(error))

    await run_forever(restart_if_crashed, every=_SUPERVISION_SECONDS, wait_first=True)


def _print_welcome(settings: Settings, token: str | None, server: EmbeddedServer | None) -> None:
    url = settings.public_url
    where = "an embedded PostgreSQL" if settings.is_embedded else "the PostgreSQL of SIGHTLINE_DATABASE_URL"
    out.print(f"\n[bold]Sightline {__version__}[/bold] is running on {where}.\n", highlight=False)
    rows = [
        ("Dashboard", "/"),
        ("Documentation", "/docs"),
        ("Console API", "/api/v1/console"),
        ("Data API", "/api/v1/ext"),
    ]
    for label, path in rows:
        out.print(f"  {label:<14} {url}{path}", highlight=False)
    out.print(f"  {'Data':<14} {settings.data_dir}", highlight=False)
    if server is not None and server.account is not None:
        text = f"Sightline runs as root, which PostgreSQL refuses. It runs as the system account {server.account}."
        out.print(f"\n{text}", highlight=False)
    if token is not None:
        days = TOKEN_LIFETIME.days
        out.print(f"\nThere is no user yet. Create the first owner (the link works once, for {days} days):\n")
        out.print(f"  [bold]{url}/welcome?token={token}[/bold]", highlight=False)
        same = "" if settings.is_embedded else ", with the settings of this service"
        port = {"SIGHTLINE_PORT": str(settings.port)} if "port" in settings.model_fields_set else {}
        command = format_command("demo", **port)
        out.print(f"\nOr explore with demonstration data{same}: {command}", highlight=False, markup=False)
    out.print("\nStop with Ctrl-C.\n")
    out.file.flush()
