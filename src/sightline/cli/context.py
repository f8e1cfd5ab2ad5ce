"""What every command needs: settings, a database (embedded when none is named), and words for what went wrong."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NoReturn, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from sightline.db import embedded
from sightline.db.engine import Database, DatabaseUnavailable
from sightline.db.migrate import SchemaOutdated, migrate, require_newest
from sightline.errors import Problem
from sightline.kit.logging import configure_logging
from sightline.settings import Settings, SettingsError

T = TypeVar("T")

# Into a file or a pipe nothing is cut or folded.
out = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 240)
err = Console(stderr=True, soft_wrap=True)


def fail(message: str) -> NoReturn:
    err.print(f"[red]Error:[/red] {escape(message)}", highlight=False)
    raise typer.Exit(1)


def load_settings() -> Settings:
    try:
        settings = Settings()
    except ValidationError as error:
        for fault in error.errors():
            name = "SIGHTLINE_" + "_".join(str(part) for part in fault["loc"]).upper()
            err.print(f"[red]Error:[/red] {name}: {escape(fault['msg'])}", highlight=False)
        raise typer.Exit(2) from error
    as_json = settings.log_format == "json" or (settings.log_format == "auto" and not sys.stderr.isatty())
    configure_logging(level=settings.log_level, as_json=as_json)
    return settings


@contextmanager
def database_server(settings: Settings) -> Iterator[tuple[str, embedded.EmbeddedServer | None]]:
    """The address of the database; an embedded server is started for as long as anybody uses it."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value(), None
        return
    try:
        server = embedded.attach(settings.data_dir)
    except embedded.EmbeddedError as error:
        fail(str(error))
    try:
        yield server.url, server
    finally:
        server.release()


@asynccontextmanager
async def open_database(url: str, settings: Settings) -> AsyncIterator[Database]:
    db = Database(url, pool_size=settings.database_pool_size)
    await db.open()
    try:
        yield db
    finally:
        await db.close()


def run_on_database(action: Callable[[Database, Settings], Awaitable[T]]) -> T:
    """Runs one operator command on a migrated database, beside a running service or without one."""

    async def run(url: str) -> T:
        if settings.is_embedded:
            await migrate(url)
        else:  # a database that others use is migrated when somebody says so, not by the way
            await require_newest(url)
        async with open_database(url, settings) as db:
            return await action(db, settings)

    settings = load_settings()
    try:
        with database_server(settings) as (url, _):
            return asyncio.run(run(url))
    except (SettingsError, DatabaseUnavailable, SchemaOutdated, OSError) as error:
        fail(f"{error}. Run `sightline doctor` to see what is wrong.")
    except Problem as problem:
        fail(f"{problem.kind.title}. {problem.detail}")


class _PlainTable(Table):
    """What people have typed may hold square brackets; in a cell they are no markup."""

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        super().add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells), **options)


def table(*headings: str) -> Table:
    """A plain table in which nothing is ever cut off: ids are there to be copied."""
    made = _PlainTable(box=None, header_style="bold")
    for heading in headings:
        made.add_column(heading, overflow="fold")
    return made


def show(result: Any, as_json: bool, human: Callable[[], None]) -> None:
    if as_json:
        print(json.dumps(result, indent=2, default=str))
    else:
        human()
