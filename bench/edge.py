"""The real application, as `sightline api` serves it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sightline.api.app import create_app
from sightline.api.app_context import build_app_context
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.kit.logging import configure_logging
from sightline.settings import Settings


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Any]:
    assert settings.database_url is not None
    configure_logging(level=settings.log_level, as_json=settings.log_format == "json")
    db = Database(settings.database_url.get_secret_value(), pool_size=settings.database_pool_size)
    await db.open()
    try:
        yield create_app(build_app_context(settings, db, utc_now), ())
    finally:
        await db.close()
