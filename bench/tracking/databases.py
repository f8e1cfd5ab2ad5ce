"""Databases of one PostgreSQL, each a copy of another, with settings for the processes that use it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import msgspec

from bench.environment import BenchEnvironment
from sightline.db.engine import Database
from sightline.settings import Settings

PLATFORMS = ("chatgpt", "gemini", "perplexity", "google_ai_overviews", "claude", "copilot")
_NEVER_REACHED = 1_000_000_000
_PLANS = {
    "agency": {"platforms": PLATFORMS, "data_rate_per_month": _NEVER_REACHED},
}


async def copy_database(environment: BenchEnvironment, name: str) -> BenchEnvironment:
    """Copy a database. Nobody may be connected to the source."""
    return await _create(environment, name, urlsplit(environment.database_url).path.lstrip("/"))


async def create_database(environment: BenchEnvironment, name: str) -> BenchEnvironment:
    """Create an empty database, without a schema."""
    return await _create(environment, name, "template1")


async def _create(environment: BenchEnvironment, name: str, template: str) -> BenchEnvironment:
    connection = await asyncpg.connect(_name_database(environment.database_url, "postgres"))
    try:
        await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"', timeout=120)
    finally:
        await connection.close()
    return _settle(environment, name)


def _settle(environment: BenchEnvironment, name: str) -> BenchEnvironment:
    """Separate the processes of different databases, which share only a folder for logs."""
    url = _name_database(environment.database_url, name)
    own = {
        "SIGHTLINE_DATABASE_URL": url,
        "SIGHTLINE_DATA_DIR": str(environment.folder / f"data-{name}"),
        "SIGHTLINE_DATA_RATE_PER_MINUTE": str(_NEVER_REACHED),
        "SIGHTLINE_PLANS": msgspec.json.encode(_PLANS).decode(),
    }
    return msgspec.structs.replace(environment, database_url=url, variables={**environment.variables, **own})


def _name_database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def read_settings(environment: BenchEnvironment, more: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of this environment, for the parts of the product that run inside the benchmark."""
    told = {**environment.variables, **(more or {})}
    given: dict[str, Any] = {
        name.removeprefix("SIGHTLINE_").lower(): value for name, value in told.items() if name.startswith("SIGHTLINE_")
    }
    given["plans"] = msgspec.json.decode(given.get("plans", "{}"))
    return Settings(**given)


@asynccontextmanager
async def opened(environment: BenchEnvironment, *, connections: int = 2) -> AsyncIterator[Database]:
    db = Database(environment.database_url, pool_size=connections, statement_timeout=60)
    await db.open()
    try:
        yield db
    finally:
        await db.close()
