"""What every command needs: the settings, a database, and ways to print results and errors."""

import asyncio
import json
import os
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from typing import Annotated, Any, NoReturn, TypeVar

import msgspec
import structlog
import typer
from pydantic import ValidationError
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from sightline.cli.failures import command_name, fail, fail_with_problem
from sightline.cli.terminal import Terminal
from sightline.db import embedded
from sightline.db.application_name import add_application_name
from sightline.db.engine import Database, DatabaseUnavailable, SchemaMissing
from sightline.db.failures import SchemaTooOld
from sightline.db.migrate import migrate, require_newest
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from sightline.kit.logging import configure_logging
from sightline.kit.security_log import identify_caller
from sightline.kit.shell_command import format_command
from sightline.platforms.connections.load import load_connections
from sightline.settings import Settings, SettingsError
from sightline.settings.unknown_names import find_unknown_names

log = structlog.get_logger()

T = TypeVar("T")
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

# Output to a file or a pipe is neither cut nor wrapped.
out = Terminal(soft_wrap=True, width=None if sys.stdout.isatty() else 240)


def load_settings(*, reports_unknown_names: bool = True, log_level: str | None = None) -> Settings:
    """Read the settings and configure logging. An invalid setting exits with 2, and an unknown one is logged."""
    try:
        settings = Settings()
    except ValidationError as error:
        faults = [
            f"SIGHTLINE_{'_'.join(str(part) for part in fault['loc']).upper()}: {fault['msg']}"
            for fault in error.errors()
        ]
        fail("\n".join(faults), title="Settings are not valid", code="invalid_settings", exit_code=2)
    except SettingsError as error:
        fail(str(error), title="Settings are not valid", code="invalid_settings", exit_code=2)
    as_json = settings.log_format == "json" or (settings.log_format == "auto" and not sys.stderr.isatty())
    configure_logging(level=log_level or settings.log_level, as_json=as_json)
    for unknown in find_unknown_names(os.environ) if reports_unknown_names else ():
        log.warning("unknown_setting", name=unknown.name, nearest=unknown.nearest)
    return settings


@contextmanager
def explain_failures() -> Iterator[None]:
    """Print a failure that the operator can fix in two lines, and exit. Anything else is a bug with a traceback."""
    try:
        yield
    except SchemaTooOld as error:
        fail(f"The schema cannot be migrated: {error}.")
    except SchemaMissing as error:
        fail(f"The schema is not current: {error}.\nRun: {format_command('migrate')}")
    except DatabaseUnavailable as error:
        fail(f"The database cannot be used: {error}.\n{_explain_doctor()}")
    except (SettingsError, embedded.EmbeddedError, OSError) as error:
        fail(f"{error}\n{_explain_doctor()}")


def _explain_doctor() -> str:
    return f"To see what is configured, reachable and missing, run: {format_command('doctor')}"


@contextmanager
def start_database_server(settings: Settings) -> Iterator[tuple[str, embedded.EmbeddedServer | None]]:
    """Yield the URL of the database, and the embedded server, which runs as long as a process uses it.

    Connections that are made from the URL carry the name of the command.
    """
    if settings.database_url is not None:
        yield add_application_name(settings.database_url.get_secret_value(), command_name()), None
        return
    server = embedded.attach(settings.data_dir)
    try:
        yield add_application_name(server.url, command_name()), server
    finally:
        server.release()


def find_direct_url(settings: Settings, url: str) -> str:
    """Return the address for sessions that last: past PgBouncer, if SIGHTLINE_DATABASE_URL goes through it."""
    direct = settings.database_direct_url
    return url if direct is None else add_application_name(direct.get_secret_value(), command_name())


@asynccontextmanager
async def open_database(url: str, settings: Settings) -> AsyncIterator[Database]:
    keeps_statements = settings.database_direct_url is None  # otherwise the URL leads to PgBouncer
    db = Database(url, pool_size=settings.database_pool_size, keeps_statements=keeps_statements)
    await db.open()
    try:
        yield db
    finally:
        await db.close()


def run_on_database(action: Callable[[Database, Settings], Awaitable[T]], *, log_level: str | None = None) -> T:
    """Run one operator command on a migrated database, whether or not the service is running."""

    async def run(url: str) -> T:
        if settings.is_embedded:
            await migrate(url)
        else:  # a shared database is migrated only by `sightline migrate`
            await require_newest(find_direct_url(settings, url))
        async with open_database(url, settings) as db:
            await load_connections(db, settings)
            return await action(db, settings)

    settings = load_settings(log_level=log_level)
    identify_caller(by="operator")
    try:
        with explain_failures(), start_database_server(settings) as (url, _):
            return asyncio.run(run(url))
    except Problem as problem:
        fail_with_problem(problem)


def fail_with_unknown_domain(domain: uuid.UUID) -> NoReturn:
    fail(
        f"There is no tracked domain {domain}. `domain list` shows those of a workspace. To list the workspaces, run: "
        f"{format_command('plan', 'show')}"
    )


class _PlainTable(Table):
    """A table whose cells are plain text: square brackets in user input are not markup."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        super().add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells), **options)


def build_table(*headings: str) -> Table:
    """Build a plain table whose cells are never cut off, so that ids can be copied."""
    table = _PlainTable(box=None, header_style="bold")
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def print_result(result: Any, as_json: bool, print_text: Callable[[], None]) -> None:
    """Print the result as JSON, with times as the APIs write them, or call `print_text` to print it for people."""
    if as_json:
        plain = msgspec.to_builtins(result, builtin_types=(datetime,), enc_hook=str)
        print(json.dumps(plain, indent=2, default=to_iso))
    else:
        print_text()
