"""Databases of one PostgreSQL, each begun as a copy of another, with settings for the processes that work on it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import msgspec

from bench.world import World
from sightline.db.engine import Database
from sightline.settings import Settings

PLATFORMS = ("chatgpt", "gemini", "perplexity", "google_ai_overviews", "claude", "copilot")
_NEVER_REACHED = 1_000_000_000
_PLANS = {
    "agency": {"platforms": PLATFORMS, "data_rate_per_month": _NEVER_REACHED},
}


async def copy_database(world: World, name: str) -> World:
    """The same rows in a database of their own. Nobody may be connected to the one that is copied."""
    original = urlsplit(world.database_url).path.lstrip("/")
    connection = await asyncpg.connect(_name_database(world.database_url, "postgres"))
    try:
        await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{original}"', timeout=120)
    finally:
        await connection.close()
    return _settle(world, name)


def _settle(world: World, name: str) -> World:
    """Processes of different databases share a folder for nothing but their logs."""
    url = _name_database(world.database_url, name)
    own = {
        "SIGHTLINE_DATABASE_URL": url,
        "SIGHTLINE_DATA_DIR": str(world.folder / f"data-{name}"),
        "SIGHTLINE_DATA_RATE_PER_MINUTE": str(_NEVER_REACHED),
        "SIGHTLINE_PLANS": msgspec.json.encode(_PLANS).decode(),
    }
    return msgspec.structs.replace(world, database_url=url, environment={**world.environment, **own})


def _name_database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def read_settings(world: World, more: Mapping[str, str] | None = None) -> Settings:
    """What a process of this world is told, for the parts of the product that run inside of the benchmark."""
    told = {**world.environment, **(more or {})}
    given: dict[str, Any] = {
        name.removeprefix("SIGHTLINE_").lower(): value for name, value in told.items() if name.startswith("SIGHTLINE_")
    }
    given["plans"] = msgspec.json.decode(given.get("plans", "{}"))
    return Settings(**given)


@asynccontextmanager
async def opened(world: World, *, connections: int = 2) -> AsyncIterator[Database]:
    db = Database(world.database_url, pool_size=connections, statement_timeout=60)
    await db.open()
    try:
        yield db
    finally:
        await db.close()
